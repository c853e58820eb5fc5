package io.escapement.engine.internal.durable;

import io.escapement.engine.internal.durable.RecoveryReport.TailState;
import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.log.HostConfig;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Recovers the files of one loop's journal, in this order: write out the tail, take the newest snapshot that verifies,
 * read the segments from there, cut off the data after the end, delete the tail. If a kill interrupts a step, the next
 * start repeats it.
 */
final class Recovery
{
    private static final int NO_SNAPSHOT = -1;
    private static final int COMPARED_LENGTH = 64 * 1_024;

    private final JournalDisk disk;
    private final TailStore tails;
    private final JournalAbout about;
    private final long journalId;
    private final long bootId;
    private final int loop;
    private final boolean isDryRun;
    private final List<String> notes = new ArrayList<>();
    private TailState tailState = TailState.NONE;
    private long tailBytes;
    private DirectBuffer snapshot;
    private long snapshotPosition = NO_SNAPSHOT;

    /** In a dry run the disk and the tails stay unchanged. */
    Recovery(
        final JournalDisk disk,
        final TailStore tails,
        final JournalAbout about,
        final long bootId,
        final int loop,
        final boolean isDryRun)
    {
        this.disk = disk;
        this.tails = tails;
        this.about = about;
        journalId = about.journalId();
        this.bootId = bootId;
        this.loop = loop;
        this.isDryRun = isDryRun;
    }

    /** Recover for a host of the expected settings, or null to accept any. */
    RecoveredLoop run(final HostConfig expected, final NanoClock clock) throws IOException
    {
        final long startNs = clock.nanoTime();
        final long held = writeOutTail();
        takeSnapshot();
        final JournalReader reader = new JournalReader(disk, loop, notes);
        try
        {
            reader.read(Math.max(0, snapshotPosition), Math.max(held, snapshotPosition));
            if (null != expected && null != reader.config())
            {
                checkSettings(reader.config(), expected);
            }
            final long messages = reader.count(Math.max(0, snapshotPosition));
            noteMissingTail(reader);
            reader.settle();
            deleteUnfinished();
            tails.delete(JournalNames.tail(journalId, loop));
            return new RecoveredLoop(
                reader, snapshot, snapshotPosition, report(reader, messages, clock.nanoTime() - startNs));
        }
        catch (final IOException | RuntimeException ex)
        {
            reader.close();
            throw ex;
        }
    }

    /** The history of the files and the tail, in a dry run. */
    JournalPast past() throws IOException
    {
        return new JournalPast(disk, loop, writeOutTail(), Long.MAX_VALUE);
    }

    /** Number of the loop. */
    int loop()
    {
        return loop;
    }

    /**
     * Add the bytes of a tail to the files. They are forced with all others before the tail is deleted. Returns the end
     * of the data that the tail proves, or 0.
     */
    private long writeOutTail() throws IOException
    {
        final UnsafeBuffer memory = tails.open(JournalNames.tail(journalId, loop));
        final Tail tail = null == memory ? null : Tail.of(memory);
        if (null == tail)
        {
            return 0;
        }
        final String path = tails.path(JournalNames.tail(journalId, loop));
        final TailOwner owner = tail.owner();
        if (owner.journalId() != journalId || owner.loop() != loop)
        {
            throw new JournalException(path + ": the tail of another journal; move it away");
        }
        if (owner.bootId() != bootId)
        {
            tailState = TailState.IGNORED;
            notes.add(path + ": ignored, the machine was started again after it was written");
            return 0;
        }
        final long stored = tail.stored();
        if (tail.synced() > tail.written() || tail.written() > stored || tail.segment() > stored ||
            stored - tail.written() > tail.ringLength())
        {
            throw new JournalException(path + ": the tail's header is damaged: stored " + stored + ", written " +
                tail.written() + ", synced " + tail.synced() + ", segment " + tail.segment());
        }
        final long from = firstInRing(tail, stored);
        refuseOlderCopy(path, from);
        tailState = TailState.USED;
        tailBytes = stored - tail.written();
        final boolean hasSegment = tail.segment() < stored;
        if (hasSegment && from < tail.segment())
        {
            write(tail, from, tail.segment());
        }
        write(tail, hasSegment ? Math.max(from, tail.segment()) : from, stored);
        return stored;
    }

    /**
     * Bytes that were written and not synced are recopied from the ring, because a failed sync may have dropped them.
     * The process may have stopped while it copied a record after {@code stored}, and the start of a segment before it.
     * These copies have overwritten the oldest bytes of the ring, and those bytes were written.
     */
    private static long firstInRing(final Tail tail, final long stored)
    {
        final long oldest = stored - tail.ringLength() + 2L * tail.recordLimit();
        return Math.max(tail.synced(), Math.min(tail.written(), oldest));
    }

    /** If a directory is a copy, the tail of the original journal may continue past the end of the copy. */
    private void refuseOlderCopy(final String tail, final long from) throws IOException
    {
        final String name = segmentOf(from);
        if (null != name)
        {
            try (JournalFile file = disk.open(name))
            {
                final long end = JournalNames.position(name) + file.length();
                if (end < from)
                {
                    throw new JournalException(disk.path(name) + ": ends at " + end + ", and the tail " + tail +
                        " goes on at " + from + ": this is an older copy of the journal; start the newer one, or " +
                        "move the tail away");
                }
            }
        }
    }

    /** The segment with a position or before it, or null. */
    private String segmentOf(final long position) throws IOException
    {
        String name = null;
        for (final String candidate : JournalNames.segments(disk.list(), loop))
        {
            name = JournalNames.position(candidate) <= position ? candidate : name;
        }
        return name;
    }

    private void write(final Tail tail, final long from, final long to) throws IOException
    {
        if (from == to)
        {
            return;
        }
        String name = segmentOf(from);
        final boolean isNew = from == tail.segment() && (null == name || JournalNames.position(name) < from);
        if (isNew)
        {
            name = JournalNames.segment(loop, from);
        }
        else if (null == name)
        {
            throw new JournalException(disk.path(JournalNames.segment(loop, from)) + ": no segment has this " +
                "position, to go on with the tail " + tails.path(JournalNames.tail(journalId, loop)));
        }
        try (JournalFile file = isNew ? disk.create(name) : disk.open(name))
        {
            final long start = JournalNames.position(name);
            refuseOtherBytes(tail, disk.path(name), file, start, from, to);
            final ByteBuffer bytes = tail.bytes();
            long position = from;
            while (position < to)
            {
                final int index = tail.index(position);
                final int length = (int)Math.min(to - position, tail.ringLength() - index);
                final int offset = tail.bytesOffset() + index;
                bytes.limit(offset + length).position(offset);
                file.write(bytes, position - start);
                position += length;
            }
        }
    }

    /** A tail adds to a segment: it writes where there are zeros, or the same bytes. */
    private void refuseOtherBytes(
        final Tail tail, final String path, final JournalFile file, final long start, final long from, final long to)
        throws IOException
    {
        final ByteBuffer found = ByteBuffer.allocate(COMPARED_LENGTH);
        final long end = Math.min(to, start + file.length());
        for (long position = from; position < end; position += COMPARED_LENGTH)
        {
            file.read(found.clear().limit((int)Math.min(COMPARED_LENGTH, end - position)), position - start);
            for (int i = 0; i < found.position(); i++)
            {
                if (0 != found.get(i) && found.get(i) != tail.ring().getByte(tail.index(position + i)))
                {
                    throw new JournalException(path + ": has another byte at offset " + (position + i - start) +
                        " than the tail " + tails.path(JournalNames.tail(journalId, loop)) +
                        ", which is of another journal; move it away");
                }
            }
        }
    }

    private void takeSnapshot() throws IOException
    {
        final List<String> names = JournalNames.snapshots(disk.list(), loop);
        for (int i = names.size() - 1; i >= 0 && null == snapshot; i--)
        {
            final String name = names.get(i);
            try (JournalFile file = disk.open(name))
            {
                snapshot = SnapshotStore.verify(file);
                snapshotPosition = JournalNames.position(name);
            }
            catch (final DamagedRecordException ex)
            {
                SegmentScan.refuseOtherFormat(disk.path(name), ex);
                // Kept for an expert, but no longer counted among the two snapshots.
                disk.rename(name, name + JournalNames.DAMAGED);
                notes.add(disk.path(name) + ": " + ex.getMessage() + "; renamed to " + name + JournalNames.DAMAGED);
            }
        }
    }

    private void noteMissingTail(final JournalReader reader)
    {
        final boolean isMissing = TailState.NONE == tailState && null != about.tails() && about.bootId() == bootId &&
            !reader.scans().isEmpty() && !reader.last().isClosed();
        if (isMissing)
        {
            notes.add(tails.path(JournalNames.tail(journalId, loop)) + ": the tail is missing, although the machine " +
                "was not started again; messages that were committed at RECORDED may be lost");
        }
    }

    private void deleteUnfinished() throws IOException
    {
        for (final String name : disk.list())
        {
            if (name.startsWith("loop-" + loop + ".") && name.endsWith(JournalNames.UNFINISHED))
            {
                disk.delete(name);
            }
        }
    }

    private RecoveryReport report(final JournalReader reader, final long messages, final long durationNs)
    {
        long bytes = 0;
        for (final SegmentScan scan : reader.scans())
        {
            bytes += scan.endOffset();
        }
        final boolean isEmpty = reader.scans().isEmpty();
        return new RecoveryReport(loop, isDryRun, isEmpty ? 0 : reader.last().header().incarnation(), tailState,
            tailBytes, snapshotPosition, reader.scans().size(), bytes, messages, reader.end(), reader.nextNumber(),
            !isEmpty && reader.last().isClosed(), List.copyOf(notes), durationNs);
    }

    private void checkSettings(final HostConfig found, final HostConfig expected)
    {
        final List<String> differences = new ArrayList<>();
        differ(differences, "wheelTickNs", found.wheelTickNs(), expected.wheelTickNs());
        differ(differences, "roomLimit", found.roomLimit(), expected.roomLimit());
        differ(differences, "linkLimit", found.linkLimit(), expected.linkLimit());
        differ(differences, "timerLimit", found.timerLimit(), expected.timerLimit());
        differ(differences, "seatLimit", found.seatLimit(), expected.seatLimit());
        differ(differences, "phaseGroups", found.phaseGroups(), expected.phaseGroups());
        differ(differences, "loopLimits", found.loopLimits(), expected.loopLimits());
        differ(differences, "types", found.types(), expected.types());
        if (!differences.isEmpty())
        {
            throw new JournalException(disk.path(JournalNames.segment(loop, 0)) + ": the journal of loop " + loop +
                " was written with other settings: " + String.join("; ", differences) +
                ". Use those, another directory, or acceptOtherSettings(true)");
        }
    }

    private static void differ(
        final List<String> differences, final String name, final Object found, final Object expected)
    {
        if (!Objects.equals(found, expected))
        {
            differences.add(name + " was " + found + ", is " + expected);
        }
    }
}
