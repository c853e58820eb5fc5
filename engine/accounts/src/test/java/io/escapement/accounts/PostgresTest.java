package io.escapement.accounts;

import io.escapement.testsupport.RealTime;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Accounts on PostgreSQL. */
@RealTime("PostgreSQL")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresTest
{
    private PostgresDatabase database;

    @BeforeAll
    void start(@TempDir final Path folder)
    {
        database = new PostgresDatabase(folder);
    }

    @AfterAll
    void stop()
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

    @Nested
    class Operators extends OperatorCases
    {
        @Override
        TestDatabase database()
        {
            return database;
        }
    }
}
