package io.escapement.engine.internal.durable;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.agrona.CloseHelper;

/**
 * The files of one loop's journal that are being written. A thread writes and starts segments. A thread forces them and
 * writes the zeros of the next segment. Both can be the same thread. {@link Segment#next} hands a segment from the
 * first to the second, {@link #spare} a file of zeros from the second to the first.
 */
final class JournalSegments
{
    /** Zeros are forced a chunk at a time, which holds up a sync for less than a millisecond. */
    private static final int ZEROS_LENGTH = 1_024 * 1_024;
    /** Written directly before the first segment. */
    private static final long NO_SEGMENT = -1;

    private final JournalDisk disk;
    private final int loop;
    private final int segmentLength;
    private final ByteBuffer zeros;
    // The writer's:
    private Segment newest;
    // The forcing thread's:
    private Segment oldestUnforced;
    private boolean isDirectoryForced;
    private JournalFile unfinished;
    private long unfinishedLength;
    // Handed over:
    private volatile JournalFile spare;

    private static final class Segment
    {
        private final JournalFile file;
        private final long start;
        private volatile Segment next;

        Segment(final JournalFile file, final long start)
        {
            this.file = file;
            this.start = start;
        }
    }

    JournalSegments(final JournalDisk disk, final int loop, final int segmentLength)
    {
        this.disk = disk;
        this.loop = loop;
        this.segmentLength = segmentLength;
        zeros = ByteBuffer.allocateDirect(Math.min(ZEROS_LENGTH, segmentLength));
    }

    // The writer's:

    /** Start of the segment that is written, or a negative number before the first. */
    long start()
    {
        return null == newest ? NO_SEGMENT : newest.start;
    }

    /** Write bytes of the journal to the newest segment. */
    void write(final ByteBuffer source, final long position) throws IOException
    {
        newest.file.write(source, position - newest.start);
    }

    /** Whether {@link #begin(long)} finds a file of zeros. */
    boolean isSpareReady()
    {
        return null != spare;
    }

    /** Begin the next segment in the file of zeros. */
    void begin(final long position) throws IOException
    {
        disk.rename(JournalNames.spare(loop), JournalNames.segment(loop, position));
        final Segment segment = new Segment(spare, position);
        spare = null;
        if (null == newest)
        {
            oldestUnforced = segment;
        }
        else
        {
            newest.next = segment;
        }
        newest = segment;
    }

    // The forcing thread's:

    /** Force everything that was written before the call, and the names of new segments. */
    void force() throws IOException
    {
        Segment segment = oldestUnforced;
        // A segment with a successor is no longer written. It is complete if this is read first.
        Segment next = segment.next;
        segment.file.force();
        while (null != next)
        {
            segment.file.close();
            segment = next;
            oldestUnforced = segment;
            isDirectoryForced = false;
            next = segment.next;
            segment.file.force();
        }
        if (!isDirectoryForced)
        {
            disk.forceDirectory();
            isDirectoryForced = true;
        }
    }

    /** Bytes of the next file of zeros that were written, or the length of a segment when it is complete. */
    long spareLength()
    {
        return null != spare ? segmentLength : unfinishedLength;
    }

    /** Write and force some zeros of the next file, unless it is complete. */
    void prepare() throws IOException
    {
        if (null != spare)
        {
            return;
        }
        if (null == unfinished)
        {
            disk.delete(JournalNames.spare(loop));
            unfinished = disk.create(JournalNames.spare(loop));
            unfinishedLength = 0;
        }
        zeros.clear().limit((int)Math.min(zeros.capacity(), segmentLength - unfinishedLength));
        final int length = zeros.remaining();
        unfinished.write(zeros, unfinishedLength);
        unfinished.force();
        unfinishedLength += length;
        if (segmentLength == unfinishedLength)
        {
            final JournalFile complete = unfinished;
            unfinished = null;
            unfinishedLength = 0;
            spare = complete;
        }
    }

    /** Give the disk space of an incomplete file of zeros back. */
    void abandonSpare()
    {
        CloseHelper.quietClose(unfinished);
        unfinished = null;
        unfinishedLength = 0;
        try
        {
            disk.delete(JournalNames.spare(loop));
        }
        catch (final IOException ignored)
        {
            // The disk has failed already. The next start deletes the file.
        }
    }

    // When neither of them runs:

    /** Close all files. Cut off zeros after the end of the journal, unless it is negative. */
    void close(final long end) throws IOException
    {
        try
        {
            if (end >= 0 && null != newest)
            {
                newest.file.truncate(end - newest.start);
                newest.file.force();
                disk.delete(JournalNames.spare(loop));
                disk.forceDirectory();
            }
        }
        finally
        {
            for (Segment segment = oldestUnforced; null != segment; segment = segment.next)
            {
                CloseHelper.quietClose(segment.file);
            }
            CloseHelper.quietCloseAll(spare, unfinished);
        }
    }
}
