package io.escapement.accounts;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/** H2 databases in files. */
final class H2Database implements TestDatabase
{
    private final AtomicInteger next = new AtomicInteger();
    private final Path folder;

    H2Database(final Path folder)
    {
        this.folder = folder;
    }

    @Override
    public String newUrl()
    {
        return "jdbc:h2:file:" + folder.resolve("accounts" + next.incrementAndGet());
    }

    @Override
    public void close()
    {
        // JUnit deletes the folder.
    }
}
