package io.escapement.accounts;

/** A database of a test class. Every test has tables of its own in it. */
interface TestDatabase extends AutoCloseable
{
    /** A new, empty one. */
    String newUrl();

    @Override
    void close();
}
