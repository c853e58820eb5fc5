package io.escapement.engine.internal.durable;

import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.log.LogRecords;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

/**
 * Reads the segments of one loop and finds the end of its journal.
 *
 * <p>If a journal was not closed in order, its last bytes may not have reached the disk whole. They are cut off, unless
 * there is proof that they were on the disk once. The proof is the synced position in a later record, a snapshot, or a
 * tail. With this proof the disk has lost bytes, and the journal is refused with file and offset.
 */
final class JournalReader implements AutoCloseable
{
    private final JournalDisk disk;
    private final int loop;
    private final List<SegmentScan> scans = new ArrayList<>();
    private final List<String> namesBehind = new ArrayList<>();
    private final List<String> notes;
    private final SegmentBytes bytes = new SegmentBytes();
    private long cutBytes;
    private int segmentsDropped;
    private boolean isCut;
    /** The segment that is read, and the file of it while it is open. */
    private SegmentScan current;
    private JournalFile file;
    private int nextScan;
    private long from;
    private boolean isFailedWanted;
    /** Offset of the next record in the file. */
    private int at;
    /** Index of the record in the memory. */
    private int record;
    /** Whether a record starts at the position from which messages are read. */
    private boolean isBoundary;

    JournalReader(final JournalDisk disk, final int loop, final List<String> notes)
    {
        this.disk = disk;
        this.loop = loop;
        this.notes = notes;
    }

    /**
     * Read the segments and decide which bytes are the journal.
     *
     * @param from position that must be covered. Segments before it are not read.
     * @param held end of the data that was once on the disk, or in a tail: a journal that ends before it is refused.
     */
    void read(final long from, final long held) throws IOException
    {
        final List<String> names = JournalNames.segments(disk.list(), loop);
        int first = 0;
        while (first + 1 < names.size() && JournalNames.position(names.get(first + 1)) < from)
        {
            first++;
        }
        long proven = held;
        for (int i = first; i < names.size(); i++)
        {
            final long limit = i + 1 < names.size() ? JournalNames.position(names.get(i + 1)) : Long.MAX_VALUE;
            final SegmentScan scan = scan(names.get(i), limit);
            proven = Math.max(proven, scan.proven());
            scans.add(scan);
        }
        if (!scans.isEmpty() && scans.get(0).start() > from || scans.isEmpty() && from > 0)
        {
            throw new JournalException(disk.path(JournalNames.segment(loop, from)) +
                ": no segment has this position" + (scans.isEmpty() ? "" : ", the first is " + scans.get(0).path()));
        }
        decide(proven);
    }

    /** The segments of the journal, in order. {@link #read} has removed files that do not belong to it. */
    List<SegmentScan> scans()
    {
        return scans;
    }

    /** Position after the last whole record, or 0 without a record. */
    long end()
    {
        return scans.isEmpty() ? 0 : last().end();
    }

    /** Number of the next message. */
    long nextNumber()
    {
        return scans.isEmpty() ? 1 : last().header().firstNumber() + last().messages();
    }

    SegmentScan last()
    {
        return scans.get(scans.size() - 1);
    }

    /** Settings of the host that wrote the newest segment, or null. */
    HostConfig config()
    {
        return scans.isEmpty() ? null : last().header().config();
    }

    /**
     * Bring the files to the journal's end: delete and cut off the data after it. Force them all, because the previous
     * process may have stopped before it forced them.
     */
    void settle() throws IOException
    {
        for (final String name : namesBehind)
        {
            disk.delete(name);
        }
        for (final SegmentScan scan : scans)
        {
            try (JournalFile file = disk.open(JournalNames.segment(loop, scan.start())))
            {
                if (scan == last() && file.length() > scan.endOffset())
                {
                    file.truncate(scan.endOffset());
                }
                file.force();
            }
        }
        disk.forceDirectory();
    }

    /** Count the messages from a position to the end. Only the segment with that position is reread. */
    long count(final long from) throws IOException
    {
        long count = 0;
        boolean isFound = 0 == from || from == end();
        for (final SegmentScan scan : scans)
        {
            if (scan.start() >= from)
            {
                count += scan.messages();
                isFound |= scan.start() == from;
            }
            else if (scan.end() > from)
            {
                rewind(from, false);
                while (next() && current == scan)
                {
                    count++;
                }
                isFound |= isBoundary;
            }
        }
        if (!isFound)
        {
            throw new JournalException(
                disk.path(JournalNames.snapshot(loop, from)) + ": no record of the journal ends at position " + from);
        }
        return count;
    }

    /** Begin with the messages from a position on, of all segments or of segments with the record of a failed room. */
    void rewind(final long position, final boolean isOnlyFailed)
    {
        closeFile();
        from = position;
        isFailedWanted = isOnlyFailed;
        nextScan = 0;
        isBoundary = false;
    }

    /** Move to the next message. False after the last. */
    boolean next() throws IOException
    {
        while (null != file || openNext())
        {
            while (at < current.endOffset())
            {
                final int recordLength = bytes.check(at);
                if (recordLength <= 0)
                {
                    throw new JournalException(
                        current.path() + ": changed at offset " + at + " while it was read");
                }
                final long position = current.start() + at;
                record = bytes.index(at);
                at += recordLength;
                isBoundary |= from == position;
                if (position >= from && isMessage(LogRecords.kind(bytes.buffer(), record)))
                {
                    return true;
                }
            }
            closeFile();
        }
        return false;
    }

    /** The memory with the message. */
    DirectBuffer buffer()
    {
        return bytes.buffer();
    }

    int messageOffset()
    {
        return record + LogRecords.HEADER_LENGTH;
    }

    int messageLength()
    {
        return LogRecords.bodyLength(bytes.buffer(), record);
    }

    /** Whether the journal was closed in order. */
    boolean isClosed()
    {
        return !scans.isEmpty() && last().isClosed();
    }

    /** Release the memory for a segment. */
    @Override
    public void close()
    {
        closeFile();
        bytes.close();
    }

    private boolean openNext() throws IOException
    {
        while (nextScan < scans.size())
        {
            current = scans.get(nextScan++);
            if (current.end() > from && (current.hasFailed() || !isFailedWanted))
            {
                file = disk.open(JournalNames.segment(loop, current.start()));
                bytes.open(file, current.path(), current.start());
                at = LogRecords.FILE_HEADER_LENGTH;
                return true;
            }
        }
        return false;
    }

    private void closeFile()
    {
        CloseHelper.quietClose(file);
        file = null;
    }

    private SegmentScan scan(final String name, final long limit) throws IOException
    {
        final String path = disk.path(name);
        final long start = JournalNames.position(name);
        try (JournalFile file = disk.open(name))
        {
            bytes.open(file, path, start);
            return new SegmentScan(path, bytes, start, limit);
        }
    }

    private static boolean isMessage(final int kind)
    {
        return SegmentHeader.KIND != kind && LogRecords.END_KIND != kind;
    }

    private void decide(final long proven)
    {
        int i = 0;
        while (i < scans.size() && !isCut)
        {
            final SegmentScan scan = scans.get(i);
            if (null == scan.header())
            {
                // The segment's name was on the disk before its start.
                cutAt(i, scan, scan.start(), proven);
                break;
            }
            checkHeader(i, scan);
            i++;
            final boolean isContinued = i < scans.size() && scans.get(i).start() == scan.end();
            if (!isContinued && (i < scans.size() || null != scan.fault() || proven > scan.end()))
            {
                cutAt(i, scan, scan.end(), proven);
            }
        }
        if (isCut)
        {
            notes.add("the journal ends at position " + end() + ": " + cutBytes + " bytes behind it were cut off" +
                (segmentsDropped > 0 ? ", " + segmentsDropped + " segments among them" : ""));
        }
    }

    private void cutAt(final int firstDropped, final SegmentScan scan, final long position, final long proven)
    {
        final long offset = position - scan.start();
        final String reason = null == scan.fault() ? "the journal ends" : scan.fault();
        if (proven > position)
        {
            throw new JournalException(scan.path() + ": damaged at offset " + offset + ": " + reason +
                ", but the journal was complete up to position " + proven + " (this is position " + position + ")");
        }
        if (scan.bytesBehind() > 0)
        {
            cutBytes += scan.bytesBehind();
            notes.add(scan.path() + ": cut off at offset " + offset + ", " + scan.bytesBehind() + " bytes with " +
                scan.recordsBehind() + " whole records: " + reason);
        }
        while (scans.size() > firstDropped)
        {
            final SegmentScan dropped = scans.remove(scans.size() - 1);
            namesBehind.add(JournalNames.segment(loop, dropped.start()));
            if (dropped != scan || dropped.bytesBehind() > 0)
            {
                segmentsDropped++;
                cutBytes += dropped == scan ? 0 : dropped.length();
            }
        }
        isCut = cutBytes > 0;
    }

    private void checkHeader(final int index, final SegmentScan scan)
    {
        final SegmentHeader header = scan.header();
        check(header.loop() == loop, scan, "it is of loop " + header.loop());
        check(header.position() == scan.start(), scan, "it is of position " + header.position());
        if (index > 0)
        {
            final SegmentScan before = scans.get(index - 1);
            final SegmentHeader last = before.header();
            check(header.journalId() == last.journalId(), scan, "it is of another journal");
            check(header.incarnation() >= last.incarnation(), scan,
                "its incarnation is " + header.incarnation() + " after " + last.incarnation());
            final long nextNumber = last.firstNumber() + before.messages();
            check(header.firstNumber() == nextNumber, scan,
                "its first message is " + header.firstNumber() + ", expected " + nextNumber);
            check(header.checkBefore() == before.lastCheck(), scan, "it does not continue " + before.path());
        }
    }

    private static void check(final boolean isRight, final SegmentScan scan, final String message)
    {
        if (!isRight)
        {
            throw new JournalException(scan.path() + ": not the segment that its name says: " + message);
        }
    }
}
