package io.escapement.engine.internal.durable;

import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.rooms.host.HostImage;
import io.escapement.rooms.log.LogRecords;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * The journal of one loop as its {@link CommitLog}. A message is copied into the tail once, sealed there, and passed on
 * where it lies.
 */
public final class JournalLog implements CommitLog, LogSnapshots
{
    private static final int TEMPLATE_ID_OFFSET = MessageHeaderDecoder.templateIdEncodingOffset();
    private static final int TEMPLATE_ID_MASK = 0xFFFF;

    private final Tail tail;
    private final UnsafeBuffer ring;
    private final JournalWriter writer;
    private final SnapshotStore snapshots;
    private final AtomicReference<Throwable> failure;
    private final DirectBuffer segmentTemplate;
    private final int segmentStartLength;
    private final int segmentLength;
    private final int proposalLimit;
    private final int underWayLength;
    private final boolean isSynced;
    private final boolean isTailKept;
    private final Runnable onClose;
    private final LogRecords records = new LogRecords();
    private long segmentStart;
    private long nextNumber;
    private int lastCheck;
    /** End of the last record. */
    private long proposed;
    /** Start of the record that poll passes on next. */
    private long polled;
    /**
     * Everything before this was written when it was last read, and may be overwritten. Records that poll has not
     * passed on, or is passing on, are safe, because they are half of the ring at most.
     */
    private long free;
    private int underWay;
    private boolean isClosed;
    private long closedSynced;

    /** Where the journal continues. */
    record Start(long position, long nextNumber, int lastCheck)
    {
    }

    JournalLog(
        final JournalSettings options,
        final Tail tail,
        final JournalWriter writer,
        final SnapshotStore snapshots,
        final AtomicReference<Throwable> failure,
        final DirectBuffer segmentTemplate,
        final Start start,
        final Runnable onClose)
    {
        this.tail = tail;
        this.writer = writer;
        this.snapshots = snapshots;
        this.failure = failure;
        this.segmentTemplate = segmentTemplate;
        this.onClose = onClose;
        ring = tail.ring();
        segmentStartLength = SegmentHeader.length(segmentTemplate);
        if (segmentStartLength > tail.recordLimit())
        {
            throw new JournalException("durability.tailLength: " + tail.ringLength() +
                ": an eighth of it must hold the host's settings, " + segmentStartLength + " bytes");
        }
        segmentLength = options.segmentLength();
        proposalLimit = options.proposalLimit();
        underWayLength = options.underWayLength();
        isSynced = options.isSynced();
        isTailKept = null != options.tailDirectory();
        nextNumber = start.nextNumber();
        lastCheck = start.lastCheck();
        segmentStart = start.position();
        proposed = start.position();
        polled = start.position();
        free = start.position();
    }

    /** Begin the first segment of this incarnation, before any thread uses the log. */
    void begin()
    {
        beginSegment();
        while (writer.write() > 0)
        {
            // A segment's start is short. It may still be two pieces, before and after the ring's end.
        }
        writer.syncNow();
        if (null != failure.get())
        {
            throw new JournalException("the journal cannot be written: " + failure.get().getMessage(), failure.get());
        }
    }

    @Override
    public long propose(final DirectBuffer buffer, final int offset, final int length)
    {
        if (null != failure.get() || isClosed)
        {
            return FAILED;
        }
        final int recordLength = LogRecords.recordLength(length);
        if (length < MessageHeaderDecoder.ENCODED_LENGTH || recordLength > tail.recordLimit())
        {
            throw new IllegalArgumentException("message of " + length + " bytes, expected " +
                MessageHeaderDecoder.ENCODED_LENGTH + " to " + maxProposalLength());
        }
        if (underWay > 0 && (underWay >= proposalLimit || proposed + recordLength - polled > underWayLength))
        {
            return BACK_PRESSURED;
        }
        if (proposed + recordLength - segmentStart > segmentLength)
        {
            if (!mayBeginSegment(recordLength))
            {
                return null == failure.get() ? BACK_PRESSURED : FAILED;
            }
            beginSegment();
        }
        else if (!isFree(recordLength))
        {
            return BACK_PRESSURED;
        }

        final int index = tail.index(proposed);
        ring.putBytes(index + LogRecords.HEADER_LENGTH, buffer, offset, length);
        seal(index, kindOf(buffer, offset), length);
        nextNumber++;
        underWay++;
        return isTailKept || writeNow() ? proposed : FAILED;
    }

    @Override
    public int poll(final ProposalHandler handler, final int limit)
    {
        final long committed = committedPosition();
        int count = 0;
        while (count < limit && polled < committed)
        {
            if (polled == segmentStart)
            {
                polled += segmentStartLength;
                continue;
            }
            final int index = tail.index(polled);
            final int bodyLength = LogRecords.bodyLength(ring, index);
            final long end = polled + LogRecords.recordLength(bodyLength);
            if (end > committed)
            {
                break;
            }
            polled = end;
            underWay--;
            count++;
            handler.onProposal(end, ring, index + LogRecords.HEADER_LENGTH, bodyLength);
        }
        return count;
    }

    @Override
    public int maxProposalLength()
    {
        return tail.recordLimit() - LogRecords.HEADER_LENGTH;
    }

    @Override
    public int underWay()
    {
        return underWay;
    }

    @Override
    public long proposedPosition()
    {
        return proposed;
    }

    @Override
    public long committedPosition()
    {
        if (isClosed)
        {
            // The tail's memory is no longer mapped. Messages are not passed on from there.
            return polled;
        }
        if (isSynced)
        {
            return tail.synced();
        }
        return isTailKept ? proposed : tail.written();
    }

    @Override
    public Throwable failure()
    {
        return failure.get();
    }

    /** Position up to which the journal is on the disk. */
    public long syncedPosition()
    {
        return isClosed ? closedSynced : tail.synced();
    }

    /** Position up to which the loop has proposed. Any thread, until this is closed. */
    public long storedPosition()
    {
        return tail.stored();
    }

    /** Position up to which the journal is in its files. Any thread, until this is closed. */
    public long writtenPosition()
    {
        return tail.written();
    }

    /** Number of the message that is proposed next. Messages of a loop are numbered from 1, over all incarnations. */
    public long nextNumber()
    {
        return nextNumber;
    }

    /**
     * Begin a snapshot of the state after all messages that were passed on, in the loop's thread and outside of a
     * handler. More messages may be passed on while it is filled.
     *
     * @return the image to fill, or null while an earlier image is being written.
     */
    @Override
    public HostImage beginSnapshot()
    {
        return snapshots.begin(polled);
    }

    /** Hand over the started image, complete. The journal's thread writes it to the disk. */
    @Override
    public void endSnapshot()
    {
        snapshots.end();
    }

    @Override
    public void abandonSnapshot()
    {
        snapshots.abandon();
    }

    @Override
    public long completedSnapshots()
    {
        return snapshots.completed();
    }

    @Override
    public long failedSnapshots()
    {
        return snapshots.failed();
    }

    /** Position of the newest complete and verified snapshot, negative before the first. Any thread. */
    public long snapshotPosition()
    {
        return snapshots.newest();
    }

    /**
     * Sync the rest, write the end record and delete the tail. After a failure files and tail stay as they are. Neither
     * the loop nor the journal's thread may use this log any more. If either thread cannot be stopped, leave the log to
     * the next start.
     */
    @Override
    public void close()
    {
        if (isClosed)
        {
            return;
        }
        isClosed = true;
        snapshots.close();
        try
        {
            writeAll();
            if (null == failure.get())
            {
                // Proves to the next start that every byte before it was on the disk.
                seal(tail.index(proposed), LogRecords.END_KIND, 0);
                writeAll();
            }
            writer.close(null == failure.get() ? proposed : -1);
        }
        catch (final IOException ex)
        {
            writer.fail(ex);
        }
        finally
        {
            closedSynced = tail.synced();
            onClose.run();
        }
    }

    private void writeAll()
    {
        while (writer.write() > 0)
        {
            // A chunk a call.
        }
        writer.syncNow();
    }

    // Writes one piece per call, or two if the record crosses the ring's end.
    private boolean writeNow()
    {
        while (writer.write() > 0)
        {
            // Until all of it is written.
        }
        return null == failure.get();
    }

    private boolean mayBeginSegment(final int recordLength)
    {
        if (!isTailKept && !writer.isSpareReady())
        {
            final Throwable fault = writer.spareFault();
            if (null != fault)
            {
                writer.fail(fault);
            }
            return false;
        }
        // The writer looks for one segment's start at a time.
        return tail.written() > segmentStart && isFree(segmentStartLength + recordLength);
    }

    private void beginSegment()
    {
        final int index = tail.index(proposed);
        SegmentHeader.put(
            segmentTemplate, records, ring, index, proposed, tail.synced(), nextNumber, lastCheck);
        segmentStart = proposed;
        tail.segment(proposed);
        lastCheck = LogRecords.checksum(ring, index + LogRecords.FILE_HEADER_LENGTH);
        publish(index, segmentStartLength);
    }

    private void seal(final int index, final int kind, final int length)
    {
        final UnsafeBuffer ring = this.ring;
        final int recordLength = records.seal(ring, index, kind, length, tail.synced(), proposed);
        lastCheck = LogRecords.checksum(ring, index);
        publish(index, recordLength);
    }

    private void publish(final int index, final int length)
    {
        final int over = index + length - tail.ringLength();
        if (over > 0)
        {
            ring.putBytes(0, ring, tail.ringLength(), over);
        }
        proposed += length;
        tail.stored(proposed);
    }

    private boolean isFree(final int length)
    {
        final long end = proposed + length - tail.ringLength();
        if (end > free)
        {
            free = tail.written();
        }
        return end <= free;
    }

    private static int kindOf(final DirectBuffer buffer, final int offset)
    {
        final int kind = buffer.getShort(offset + TEMPLATE_ID_OFFSET, LITTLE_ENDIAN) & TEMPLATE_ID_MASK;
        if (SegmentHeader.KIND == kind || kind <= LogRecords.END_KIND)
        {
            throw new IllegalArgumentException("a message of template " + kind + " cannot be proposed");
        }
        return kind;
    }
}
