package io.escapement.engine.internal.durable;

import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.host.HostImage;
import io.escapement.rooms.log.LogReader;
import io.escapement.rooms.log.LogRecords;
import io.escapement.rooms.output.RecordSink;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The snapshots of one loop. The loop fills an image in memory, over several turns. The journal's thread computes the
 * checksums and writes it to a file: under another name, forced, read back and compared with the image, renamed, and
 * the directory forced. It works in short steps, because turns may wait for its next sync. Two snapshots are kept,
 * because the newest may be damaged. Segments older than both are deleted.
 *
 * <p>A journal with a history keeps more: the newest snapshot that covers the required history, and later snapshots, at
 * most one per minute. Ages are differences of host time, which is in the turns of the journal. Host time survives a
 * copy of the files and never goes back. It pauses while no engine runs: a pause does not shorten the history.
 *
 * <pre>
 *   IDLE --begin--&gt; FILLING --end--&gt; WRITING --written, or failed--&gt; IDLE
 *    ^ '---------- the loop ---------'         '- the journal's thread -'
 *    '---abandon-----'
 * </pre>
 */
final class SnapshotStore
{
    /** Number of snapshots that are kept. */
    static final int KEPT = 2;
    /** A loop under load takes a snapshot every two seconds, and replays a minute in less than a minute. */
    static final long SPACING_NS = TimeUnit.MINUTES.toNanos(1);

    private static final long UNKNOWN_NS = -1;
    private static final int CHUNK_LENGTH = 256 * 1_024;
    /** As much is forced at a time. */
    private static final int FORCED_LENGTH = 1_024 * 1_024;
    private static final int IDLE = 0;
    private static final int FILLING = 1;
    private static final int WRITING = 2;

    private final JournalDisk disk;
    private final int loop;
    private final Tail tail;
    private final JournalWriter writer;
    private final long keepNs;
    /** Of the snapshots of the history, so that each file is read once. */
    private final Long2LongHashMap timeByPositionMap = new Long2LongHashMap(UNKNOWN_NS);
    private final ErrorHandler errorHandler;
    private final HostImage image = new HostImage();
    private final RecordSink chunkSink = this::addToChunk;
    private final ExpandableArrayBuffer chunk = new ExpandableArrayBuffer();
    private byte[] readBack = {};
    private int chunkLength;
    private long position;
    private JournalFile file;
    private long written;
    private long forced;
    private long verified;
    private boolean isWritten;
    private boolean isVerified;
    private volatile int state = IDLE;
    private volatile long newest;
    private volatile long completed;
    private volatile long failed;

    SnapshotStore(
        final JournalDisk disk,
        final int loop,
        final Tail tail,
        final JournalWriter writer,
        final long newest,
        final long keepNs,
        final ErrorHandler errorHandler)
    {
        this.disk = disk;
        this.loop = loop;
        this.tail = tail;
        this.writer = writer;
        this.newest = newest;
        this.keepNs = keepNs;
        this.errorHandler = errorHandler;
    }

    // The loop's:

    HostImage begin(final long snapshotPosition)
    {
        if (IDLE != state)
        {
            return null;
        }
        position = snapshotPosition;
        state = FILLING;
        return image;
    }

    void end()
    {
        checkFilling();
        if (!image.isComplete())
        {
            throw new IllegalStateException("the snapshot is not complete");
        }
        state = WRITING;
    }

    /** The image failed. */
    void abandon()
    {
        checkFilling();
        state = IDLE;
    }

    private void checkFilling()
    {
        if (FILLING != state)
        {
            throw new IllegalStateException("no snapshot was begun");
        }
    }

    /** Position of the newest complete snapshot. Any thread. */
    long newest()
    {
        return newest;
    }

    /** Number of snapshots that are on the disk since the start. Any thread. */
    long completed()
    {
        return completed;
    }

    /** Number of snapshots that could not be written. Any thread. */
    long failed()
    {
        return failed;
    }

    // The journal's thread's:

    /** One step: write, force or verify a part, or the step after the last part. */
    int doWork()
    {
        if (WRITING != state)
        {
            return 0;
        }
        try
        {
            // A snapshot that is ahead of its journal on the disk would leave a hole after a power loss.
            if (tail.synced() < position)
            {
                if (!writer.syncNow())
                {
                    return 0;
                }
            }
            else if (null == file)
            {
                create();
            }
            else if (written - forced >= FORCED_LENGTH || isWritten && forced < written)
            {
                file.force();
                forced = written;
            }
            else if (!isWritten)
            {
                writeChunk();
            }
            else if (!isVerified)
            {
                verifyChunk();
            }
            else
            {
                complete();
            }
        }
        catch (final IOException | RuntimeException ex)
        {
            fail();
            errorHandler.onError(new JournalException(
                "no snapshot " + disk.path(JournalNames.snapshot(loop, position)) + ": " + ex.getMessage(), ex));
        }
        return 1;
    }

    private void create() throws IOException
    {
        disk.delete(unfinishedName());
        file = disk.create(unfinishedName());
        written = 0;
        forced = 0;
        verified = 0;
        isWritten = false;
        isVerified = false;
    }

    private void writeChunk() throws IOException
    {
        chunkLength = 0;
        isWritten = image.writeTo(chunkSink, CHUNK_LENGTH);
        file.write(ByteBuffer.wrap(chunk.byteArray(), 0, chunkLength), written);
        written += chunkLength;
        if (isWritten)
        {
            image.rewind();
        }
    }

    private void verifyChunk() throws IOException
    {
        chunkLength = 0;
        isVerified = image.writeTo(chunkSink, CHUNK_LENGTH);
        if (readBack.length < chunkLength)
        {
            readBack = new byte[chunk.capacity()];
        }
        final ByteBuffer target = ByteBuffer.wrap(readBack, 0, chunkLength);
        file.read(target, verified);
        if (target.hasRemaining())
        {
            throw new IOException("ends at offset " + (verified + target.position()));
        }
        final int difference = Arrays.mismatch(chunk.byteArray(), 0, chunkLength, readBack, 0, chunkLength);
        if (difference >= 0)
        {
            throw new IOException("read back other bytes from offset " + (verified + difference) + " on");
        }
        verified += chunkLength;
    }

    private void addToChunk(final DirectBuffer buffer, final int offset, final int length)
    {
        chunk.putBytes(chunkLength, buffer, offset, length);
        chunkLength += length;
    }

    private void complete() throws IOException
    {
        file.close();
        file = null;
        disk.rename(unfinishedName(), JournalNames.snapshot(loop, position));
        disk.forceDirectory();
        newest = position;
        purge();
        completed++;
        state = IDLE;
    }

    /** Give up a snapshot that is being written, once no thread uses this any more. */
    void close()
    {
        if (null != file)
        {
            deleteUnfinished();
        }
    }

    private void fail()
    {
        deleteUnfinished();
        failed++;
        state = IDLE;
    }

    private void deleteUnfinished()
    {
        CloseHelper.quietClose(file);
        file = null;
        try
        {
            disk.delete(unfinishedName());
        }
        catch (final IOException ignored)
        {
            // The next start deletes the file.
        }
    }

    private String unfinishedName()
    {
        return JournalNames.snapshot(loop, position) + JournalNames.UNFINISHED;
    }

    /** Read a snapshot and verify its checksums. */
    static DirectBuffer verify(final JournalFile file) throws IOException
    {
        final long fileLength = file.length();
        if (fileLength > Integer.MAX_VALUE)
        {
            throw new DamagedRecordException(0, "longer than a snapshot can be: " + fileLength);
        }
        final ByteBuffer target = ByteBuffer.allocateDirect((int)fileLength);
        file.read(target, 0);
        final UnsafeBuffer buffer = new UnsafeBuffer(target);
        new LogReader(buffer, 0, (int)fileLength, LogRecords.SNAPSHOT).verifyAll();
        return buffer;
    }

    /** Delete snapshots that are not kept, and segments that the remaining snapshots do not need. */
    private void purge() throws IOException
    {
        if (0 != keepNs)
        {
            thinOut();
        }
        final List<String> names = disk.list();
        final List<String> snapshots = JournalNames.snapshots(names, loop);
        if (snapshots.size() < KEPT)
        {
            return;
        }
        final int first = 0 == keepNs ? snapshots.size() - KEPT : firstOfHistory(snapshots);
        if (first < 0)
        {
            return;
        }
        for (int i = 0; i < first; i++)
        {
            delete(snapshots.get(i));
        }
        final long needed = JournalNames.position(snapshots.get(first));
        final List<String> segments = JournalNames.segments(names, loop);
        // The last record before the snapshot stays, because its segment has the number of the next message.
        for (int i = 0; i + 1 < segments.size() && JournalNames.position(segments.get(i + 1)) < needed; i++)
        {
            disk.delete(segments.get(i));
        }
        disk.forceDirectory();
    }

    /** The newest snapshot that is old enough for the history, or a negative number. */
    private int firstOfHistory(final List<String> snapshots)
    {
        final int last = snapshots.size() - KEPT;
        final long lastNs = timeNs(snapshots.get(last));
        int first = -1;
        for (int i = 0; i <= last; i++)
        {
            final long ns = timeNs(snapshots.get(i));
            if (ns >= 0 && lastNs - ns < keepNs)
            {
                return first;
            }
            first = ns < 0 ? first : i;
        }
        return first;
    }

    /** Delete the third-newest snapshot if its neighbours are within a minute of each other. */
    private void thinOut() throws IOException
    {
        final List<String> snapshots = JournalNames.snapshots(disk.list(), loop);
        final int at = snapshots.size() - KEPT - 1;
        if (at <= 0)
        {
            return;
        }
        final long beforeNs = timeNs(snapshots.get(at - 1));
        final long afterNs = timeNs(snapshots.get(at + 1));
        if (beforeNs >= 0 && afterNs >= 0 && afterNs - beforeNs <= SPACING_NS)
        {
            delete(snapshots.get(at));
        }
    }

    private void delete(final String snapshot) throws IOException
    {
        disk.delete(snapshot);
        timeByPositionMap.remove(JournalNames.position(snapshot));
    }

    /** Host time of the first turn after a snapshot, or a negative number if it cannot be read. */
    private long timeNs(final String snapshot)
    {
        final long position = JournalNames.position(snapshot);
        try
        {
            long ns = timeByPositionMap.get(position);
            if (UNKNOWN_NS == ns)
            {
                ns = JournalPart.timeNs(disk, loop, position, tail.written());
                if (ns >= 0)
                {
                    timeByPositionMap.put(position, ns);
                }
            }
            return ns;
        }
        catch (final IOException | RuntimeException ex)
        {
            return UNKNOWN_NS;
        }
    }
}
