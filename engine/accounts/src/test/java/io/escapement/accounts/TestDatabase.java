package io.escapement.accounts;

/** The database server of a test class, with a separate database for each test. */
interface TestDatabase extends AutoCloseable
{
    /** URL of a new, empty database. */
    String newUrl();

    @Override
    void close();
}
