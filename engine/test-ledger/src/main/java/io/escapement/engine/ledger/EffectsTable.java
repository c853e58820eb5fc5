package io.escapement.engine.ledger;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The effects of a service that does each request once, by its room and position, however many processes ask for it.
 * The table is a mapped file of {room, position, 1}, so a kill of a process loses nothing of it. Any thread.
 */
public final class EffectsTable
{
    private static final int ENTRY_LENGTH = 3 * Long.BYTES;
    private static final int TABLE_LENGTH = 64 * 1_024 * 1_024;

    private final FileChannel channel;
    private final UnsafeBuffer table;
    private final Set<String> done = ConcurrentHashMap.newKeySet();
    private int length;

    /**
     * Open a table. One object of a process may have it open.
     *
     * @param file of the table, created if necessary.
     */
    public EffectsTable(final Path file)
    {
        try
        {
            channel = FileChannel.open(
                file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            table = new UnsafeBuffer(channel.map(FileChannel.MapMode.READ_WRITE, 0, TABLE_LENGTH));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        read();
    }

    /** Do a request, if it has not been done. */
    public synchronized void add(final long roomId, final long position)
    {
        try (FileLock lock = channel.lock())
        {
            read();
            if (lock.isValid() && done.add(roomId + "/" + position))
            {
                table.putLong(length, roomId);
                table.putLong(length + Long.BYTES, position);
                table.putLongRelease(length + 2 * Long.BYTES, 1);
                length += ENTRY_LENGTH;
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Requests that were done, each {@code "room/position"}. */
    public synchronized Set<String> done()
    {
        read();
        return Set.copyOf(done);
    }

    private void read()
    {
        for (; 1 == table.getLongAcquire(length + 2 * Long.BYTES); length += ENTRY_LENGTH)
        {
            done.add(table.getLong(length) + "/" + table.getLong(length + Long.BYTES));
        }
    }
}
