package io.escapement.accounts;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Characters on the database that needs nothing installed. */
@Timeout(60)
class H2CharacterTest extends CharacterCases
{
    private static TestDatabase database;

    @BeforeAll
    static void start(@TempDir final Path folder)
    {
        database = new H2Database(folder);
    }

    @Override
    TestDatabase database()
    {
        return database;
    }
}
