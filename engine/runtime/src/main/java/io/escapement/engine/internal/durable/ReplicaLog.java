package io.escapement.engine.internal.durable;

import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.ProposalDecoder;
import io.escapement.engine.spi.ReplicatedLog;
import io.escapement.rooms.output.RecordSink;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableDirectByteBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;

/**
 * The part of one loop in a {@link ReplicatedLog}, as its {@link CommitLog}. The log's thread passes on committed
 * messages and changes of the role through a ring, so that the loop sees them in the order of the log.
 */
public final class ReplicaLog implements CommitLog
{
    /** A step that the loop must take before it may read on. */
    public enum Event
    {
        /** No event. */
        NONE,
        /** This node leads, in {@link #eventValue()} as the incarnation. */
        LEADING,
        /** Member {@link #eventValue()} leads, or the leader is unknown. */
        FOLLOWING,
        /** The log's thread waits for {@link #snapshot}. */
        SNAPSHOT
    }

    /** Length of the ring. An eighth of it is the longest message. */
    public static final int RING_LENGTH = 4 * 1_024 * 1_024;
    /** The longest message, in bytes. */
    public static final int MAX_LENGTH = RING_LENGTH / 8 - 64;

    /** Of {@link #failedBehind()}: the cause of the failure was not a committed message, or there is no failure. */
    public static final long NOWHERE = -1;

    private static final int UNDER_WAY_LIMIT = 64;
    private static final long PARK_NS = 50_000;
    private static final Event[] EVENTS = Event.values();
    private static final MessageHandler IGNORE = (type, buffer, index, length) -> { };

    private final OneToOneRingBuffer ring = new OneToOneRingBuffer(new UnsafeBuffer(BufferUtil.allocateDirectAligned(
        RING_LENGTH + RingBufferDescriptor.TRAILER_LENGTH, BitUtil.CACHE_LINE_LENGTH)));
    private final Runnable wakeup;
    private final UnsafeBuffer eventBytes = new UnsafeBuffer(new byte[Integer.BYTES]);
    private final ControlledMessageHandler onMessage = this::onMessage;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final ProposalDecoder proposal = new ProposalDecoder();
    private final AtomicLong late = new AtomicLong();
    private final ExpandableDirectByteBuffer snapshot = new ExpandableDirectByteBuffer();
    private ReplicatedLog.Proposer proposer;
    private ProposalHandler handler;
    private Event event = Event.NONE;
    private int eventValue;
    private long proposed;
    private long polled;
    private long polledBefore;
    private long committedNs;
    private int snapshotLength;
    private UnsafeBuffer settings;
    private boolean areSettingsDue;
    private volatile long failedBehind = NOWHERE;
    private volatile boolean isSnapshotTaken;
    private volatile boolean isClosed;
    private volatile Throwable failure;

    /**
     * Make one.
     *
     * @param wakeup unparks the loop. Called in any thread.
     */
    public ReplicaLog(final Runnable wakeup)
    {
        this.wakeup = wakeup;
    }

    /**
     * The way to the log, before the loop uses it.
     *
     * @param value of this loop.
     */
    public void proposer(final ReplicatedLog.Proposer value)
    {
        proposer = value;
    }

    /**
     * Set the message that a leader proposes before its first turn. It is not passed back to the loop.
     *
     * @param message for all nodes.
     */
    public void settings(final byte[] message)
    {
        settings = new UnsafeBuffer(message);
    }

    /**
     * Pass on a committed proposal, unless it is late. In the log's thread. Waits for free space.
     *
     * @param incarnation of the term in which it entered the log.
     * @param buffer      with the proposal.
     * @param offset      of its message header, which was verified.
     * @param length      in bytes.
     */
    public void commit(final int incarnation, final DirectBuffer buffer, final int offset, final int length)
    {
        if (proposal.wrapAndApplyHeader(buffer, offset, header).incarnation() != incarnation)
        {
            // Its leader had not noticed the new term. If it ran, the HostResumed of that term would have no
            // predecessor.
            late.setRelease(late.getPlain() + 1);
            return;
        }
        put(Event.NONE, buffer, offset, length);
    }

    /** Pass on a change of the role. In the log's thread. Waits for free space. */
    public void change(final Event change, final int value)
    {
        eventBytes.putInt(0, value);
        put(change, eventBytes, 0, Integer.BYTES);
    }

    /** Have the loop write its state, in its thread. In the log's thread. */
    public void beginSnapshot()
    {
        isSnapshotTaken = false;
        change(Event.SNAPSHOT, 0);
    }

    /** Pass on the state that the loop writes. In the log's thread. Waits for the loop. */
    public void awaitSnapshot(final RecordSink sink)
    {
        while (!isSnapshotTaken)
        {
            if (isOver())
            {
                throw new IllegalStateException("the loop has ended and writes no snapshot");
            }
            LockSupport.parkNanos(PARK_NS);
        }
        sink.append(snapshot, 0, snapshotLength);
    }

    /** Number of committed proposals that were dropped because their term was over. Any thread. */
    public long late()
    {
        return late.getAcquire();
    }

    /** The log or the loop has failed. Any thread. The first cause stays. */
    public synchronized void fail(final Throwable cause)
    {
        failure = null == failure ? cause : failure;
        // An idle loop waits only for this.
        wakeup.run();
    }

    /** The loop has failed because of the committed message after this proposal, or because of the proposal itself. */
    public void failBehind(final long proposal)
    {
        failedBehind = proposal;
    }

    /** Where the loop has failed, or {@link #NOWHERE}. Any thread. */
    public long failedBehind()
    {
        return failedBehind;
    }

    /** Whether an entry is ready to poll. */
    public boolean isEmpty()
    {
        return 0 == ring.size();
    }

    /** The event that {@link #poll} has reached. It does not pass on messages before {@link #endEvent()}. */
    public Event event()
    {
        return event;
    }

    /** Incarnation or member of the event. */
    public int eventValue()
    {
        return eventValue;
    }

    /** The event was handled. */
    public void endEvent()
    {
        event = Event.NONE;
        ring.read(IGNORE, 1);
    }

    /** Write the state that the event asks for. */
    public void snapshot(final Consumer<RecordSink> writer)
    {
        snapshotLength = 0;
        writer.accept((buffer, offset, length) ->
        {
            snapshot.putBytes(snapshotLength, buffer, offset, length);
            snapshotLength += length;
        });
        isSnapshotTaken = true;
    }

    /** The node leads: open the way to the log. */
    public void open()
    {
        forget();
        areSettingsDue = null != settings;
        proposer.open();
    }

    /** The node no longer leads: its proposals may be committed or not. */
    public void forget()
    {
        proposed = 0;
        polled = 0;
        proposer.close();
    }

    /** Keep the way to the log open, at the time of a duty cycle. Returns the work done. */
    public int work(final long nowNs)
    {
        if (0 == underWay() || polled != polledBefore)
        {
            polledBefore = polled;
            committedNs = nowNs;
        }
        else if (nowNs - committedNs > proposer.commitTimeoutNs())
        {
            fail(new IllegalStateException("the log has committed nothing for " +
                TimeUnit.NANOSECONDS.toSeconds(nowNs - committedNs) + " s: does a majority of the nodes run?"));
        }
        return proposer.work(nowNs);
    }

    @Override
    public long propose(final DirectBuffer buffer, final int offset, final int length)
    {
        if (null != failure)
        {
            return FAILED;
        }
        if (areSettingsDue && proposer.propose(settings, 0, settings.capacity()) >= 0)
        {
            areSettingsDue = false;
        }
        if (areSettingsDue || underWay() >= UNDER_WAY_LIMIT || proposer.propose(buffer, offset, length) < 0)
        {
            return BACK_PRESSURED;
        }
        return ++proposed;
    }

    @Override
    public int poll(final ProposalHandler proposalHandler, final int limit)
    {
        if (Event.NONE != event)
        {
            return 0;
        }
        handler = proposalHandler;
        final long before = polled;
        ring.controlledRead(onMessage, limit);
        return (int)(polled - before);
    }

    @Override
    public int maxProposalLength()
    {
        return Math.min(MAX_LENGTH, proposer.maxLength());
    }

    @Override
    public int underWay()
    {
        return (int)Math.max(0, proposed - polled);
    }

    @Override
    public long proposedPosition()
    {
        return proposed;
    }

    @Override
    public long committedPosition()
    {
        return polled;
    }

    @Override
    public Throwable failure()
    {
        return failure;
    }

    @Override
    public void close()
    {
        isClosed = true;
    }

    private ControlledMessageHandler.Action onMessage(
        final int type, final MutableDirectBuffer buffer, final int index, final int length)
    {
        final Event next = EVENTS[type - 1];
        if (Event.NONE != next)
        {
            event = next;
            eventValue = buffer.getInt(index);
            return ControlledMessageHandler.Action.ABORT;
        }
        polled++;
        handler.onProposal(polled, buffer, index, length);
        return ControlledMessageHandler.Action.CONTINUE;
    }

    private void put(final Event type, final DirectBuffer buffer, final int offset, final int length)
    {
        while (!isOver() && !ring.write(type.ordinal() + 1, buffer, offset, length))
        {
            wakeup.run();
            LockSupport.parkNanos(PARK_NS);
        }
        wakeup.run();
    }

    private boolean isOver()
    {
        return isClosed || null != failure;
    }
}
