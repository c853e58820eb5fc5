package io.escapement.accounts;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Accounts on the database that needs nothing installed. */
@Timeout(60)
class H2Test
{
    private static TestDatabase database;

    @BeforeAll
    static void start(@TempDir final Path folder)
    {
        database = new H2Database(folder);
    }

    @Nested
    class Characters extends CharacterCases
    {
        @Override
        TestDatabase database()
        {
            return database;
        }
    }

    @Nested
    class LogIns extends LogInCases
    {
        @Override
        TestDatabase database()
        {
            return database;
        }
    }
}
