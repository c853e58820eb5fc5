package io.escapement.engine.internal.durable;

import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.log.LogRecords;
import io.escapement.rooms.log.LogSource;
import io.escapement.rooms.log.ProposalReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

/**
 * One loop's journal from a start on. It opens a segment when its reader reaches it. If a recovery would cut off the
 * journal at an incomplete record, the record is the journal's end. Otherwise it is damage.
 */
final class JournalPart implements LogSource, AutoCloseable
{
    private static final long NO_TURN = -1;

    private final JournalDisk disk;
    private final int loop;
    private final DirectBuffer snapshot;
    private final long from;
    private final long held;
    private final long end;
    private final List<Long> segments;
    private final SegmentBytes bytes = new SegmentBytes();
    private HostConfig config;
    private SegmentHeader header;
    private int segment;
    private JournalFile file;
    private String path;
    /** Offset of the next record in the file, and index of the last in the memory. */
    private int at;
    private int record;
    private int lastCheck;
    private boolean isClosed;
    private boolean isOver;

    /** Open the segment with the start. */
    JournalPart(
        final JournalDisk disk,
        final int loop,
        final DirectBuffer snapshot,
        final long from,
        final long held,
        final long end) throws IOException
    {
        this.disk = disk;
        this.loop = loop;
        this.snapshot = snapshot;
        this.from = from;
        this.held = held;
        this.end = end;
        final List<Long> all =
            JournalNames.segments(disk.list(), loop).stream().map(JournalNames::position).toList();
        int first = 0;
        while (first + 1 < all.size() && all.get(first + 1) <= from)
        {
            first++;
        }
        if (all.isEmpty() || all.get(first) > from)
        {
            throw new JournalException(disk.path(JournalNames.segment(loop, from)) + ": no segment has this position");
        }
        segments = all.subList(first, all.size());
        try
        {
            begin();
        }
        catch (final IOException | RuntimeException ex)
        {
            close();
            throw ex;
        }
    }

    /** Host time of the first turn after a position in nanoseconds, or a negative number without such a turn. */
    static long timeNs(final JournalDisk disk, final int loop, final long from, final long end) throws IOException
    {
        final ProposalReader turn = new ProposalReader();
        try (JournalPart part = new JournalPart(disk, loop, null, from, end, end))
        {
            while (part.next())
            {
                if (ProposalReader.isProposal(part.buffer(), part.offset(), part.length()) &&
                    0 == turn.wrap(part.buffer(), part.offset(), part.length()))
                {
                    return turn.nowNs();
                }
            }
        }
        return NO_TURN;
    }

    @Override
    public DirectBuffer snapshot()
    {
        return snapshot;
    }

    /** Settings of the host that wrote the start, or null if the journal is empty. */
    @Override
    public HostConfig config()
    {
        return config;
    }

    @Override
    public void rewind()
    {
        try
        {
            begin();
        }
        catch (final IOException ex)
        {
            throw failure(ex);
        }
    }

    @Override
    public void rewindToFailed()
    {
        rewind();
    }

    @Override
    public boolean next()
    {
        try
        {
            while (!isOver)
            {
                if (segments.get(segment) + at == nextStart())
                {
                    open(segment + 1);
                }
                else if (nextRecord())
                {
                    return true;
                }
            }
            return false;
        }
        catch (final IOException ex)
        {
            throw failure(ex);
        }
    }

    @Override
    public DirectBuffer buffer()
    {
        return bytes.buffer();
    }

    @Override
    public int offset()
    {
        return record + LogRecords.HEADER_LENGTH;
    }

    @Override
    public int length()
    {
        return LogRecords.bodyLength(bytes.buffer(), record);
    }

    /** Known when {@link #next()} has returned false. */
    @Override
    public boolean isFinished()
    {
        return isClosed;
    }

    @Override
    public void close()
    {
        CloseHelper.quietClose(file);
        bytes.close();
    }

    private void begin() throws IOException
    {
        header = null;
        isOver = false;
        isClosed = false;
        open(0);
        if (!isOver)
        {
            config = header.config();
            // A record starts there. The position in its checksums proves that it is the right record.
            at = Math.max(at, (int)(from - segments.get(0)));
        }
    }

    private void open(final int index) throws IOException
    {
        CloseHelper.quietClose(file);
        segment = index;
        final long start = segments.get(index);
        final String name = JournalNames.segment(loop, start);
        path = disk.path(name);
        at = 0;
        if (start >= end)
        {
            isOver = true;
            return;
        }
        file = disk.open(name);
        bytes.open(file, path, start);
        final SegmentHeader before = header;
        final int checkBefore = lastCheck;
        header = readHeader();
        if (null == header)
        {
            endHere();
            return;
        }
        final boolean isRight = header.loop() == loop && header.position() == start && (null == before ||
            header.journalId() == before.journalId() && header.checkBefore() == checkBefore);
        if (!isRight)
        {
            throw new JournalException(path + ": not the segment that its name says, or not after the one before");
        }
    }

    private SegmentHeader readHeader() throws IOException
    {
        try
        {
            bytes.checkFileHeader();
        }
        catch (final DamagedRecordException ex)
        {
            SegmentScan.refuseOtherFormat(path, ex);
            return null;
        }
        at = LogRecords.FILE_HEADER_LENGTH;
        final int recordLength = bytes.check(at);
        record = bytes.index(at);
        if (recordLength <= 0 || SegmentHeader.KIND != LogRecords.kind(bytes.buffer(), record))
        {
            at = 0;
            return null;
        }
        at += recordLength;
        lastCheck = LogRecords.checksum(bytes.buffer(), record);
        return SegmentHeader.decode(bytes.buffer(), offset(), length(), path);
    }

    /** Move to the next record of the segment. False if it is not a message. */
    private boolean nextRecord() throws IOException
    {
        final long position = segments.get(segment) + at;
        if (position >= end)
        {
            isOver = true;
            return false;
        }
        final int recordLength = at < bytes.length() ? bytes.check(at) : LogRecords.NONE;
        if (recordLength <= 0 || position + recordLength > nextStart())
        {
            endHere();
            return false;
        }
        record = bytes.index(at);
        at += recordLength;
        lastCheck = LogRecords.checksum(bytes.buffer(), record);
        final boolean isEnd = LogRecords.END_KIND == LogRecords.kind(bytes.buffer(), record);
        if (isEnd && segment + 1 == segments.size())
        {
            isClosed = true;
            isOver = true;
        }
        return !isEnd;
    }

    private long nextStart()
    {
        return segment + 1 == segments.size() ? Long.MAX_VALUE : segments.get(segment + 1);
    }

    /** The next record is not complete. A reader finds out whether that is the journal's end, from this segment on. */
    private void endHere() throws IOException
    {
        isOver = true;
        final long start = segments.get(segment);
        try (JournalReader reader = new JournalReader(disk, loop, new ArrayList<>()))
        {
            reader.read(start + 1, held);
            if (reader.end() > start + at)
            {
                throw new JournalException(path + ": changed at offset " + at + " while it was read");
            }
        }
    }

    private static RuntimeException failure(final IOException ex)
    {
        return ex instanceof NoSuchFileException missing ?
            JournalPast.deleted(missing) : new UncheckedIOException(ex);
    }
}
