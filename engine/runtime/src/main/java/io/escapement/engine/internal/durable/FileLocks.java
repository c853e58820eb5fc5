package io.escapement.engine.internal.durable;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;

/** Locks of files that one engine uses at a time. A lock ends with its channel, also when the process is killed. */
final class FileLocks
{
    private FileLocks()
    {
    }

    /** Lock a file. False if another engine has it, of this process or of another one. */
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
