package io.escapement.accounts;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Accounts on PostgreSQL. */
@EnabledIfSystemProperty(named = "escapement.tests", matches = "full")
@Timeout(60)
class PostgresTest
{
    private static PostgresDatabase database;

    @BeforeAll
    static void start(@TempDir final Path folder)
    {
        database = new PostgresDatabase(folder);
    }

    @AfterAll
    static void stop()
    {
        database.close();
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
