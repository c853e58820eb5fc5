package io.escapement.engine.internal.durable;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;

/**
 * Locks of files that one engine uses at a time. The lock is released when its channel closes, even if the process is
 * killed.
 */
final class FileLocks
{
    private FileLocks()
    {
    }

    /** Lock a file. False if another engine of this process or of another process has it. */
    static boolean tryLock(final FileChannel channel) throws IOException
    {
        try
        {
            return null != channel.tryLock();
        }
        catch (final OverlappingFileLockException ignored)
        {
            return false;
        }
    }
}
