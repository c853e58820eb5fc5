package io.escapement.accounts;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Accounts on H2. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class H2Test
{
    private TestDatabase database;

    @BeforeAll
    void start(@TempDir final Path folder)
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
