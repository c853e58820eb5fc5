package io.escapement.accounts;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Log-ins on PostgreSQL. */
@EnabledIfSystemProperty(named = "escapement.tests", matches = "full")
@Timeout(60)
class PostgresLogInTest extends LogInCases
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

    @Override
    TestDatabase database()
    {
        return database;
    }
}
