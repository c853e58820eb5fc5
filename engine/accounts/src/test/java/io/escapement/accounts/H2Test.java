package io.escapement.accounts;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.TestInstance;

/** Accounts on H2. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class H2Test
{
    private final TestDatabase database = new H2Database();

    @AfterAll
    void end()
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
