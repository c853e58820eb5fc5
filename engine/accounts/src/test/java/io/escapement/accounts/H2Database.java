package io.escapement.accounts;

import java.util.concurrent.atomic.AtomicInteger;
import org.h2.store.fs.FileUtils;

/** H2 databases in H2's file system in memory. {@link ForcedCommitTest} and {@link DatabaseTest} use a disk. */
final class H2Database implements TestDatabase
{
    private static final String FOLDER = "memFS:/" + H2Database.class.getSimpleName();

    private final AtomicInteger next = new AtomicInteger();

    @Override
    public String newUrl()
    {
        return "jdbc:h2:" + FOLDER + "/accounts" + next.incrementAndGet();
    }

    @Override
    public void close()
    {
        FileUtils.deleteRecursive(FOLDER, false);
    }
}
