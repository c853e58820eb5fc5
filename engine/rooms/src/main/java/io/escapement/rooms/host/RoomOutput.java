package io.escapement.rooms.host;

import io.escapement.rooms.AwayReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.output.Outputs;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The messages of a room that have not been flushed: a fixed buffer, each message after its class and audience. An
 * audience is resolved when it is flushed. The room flushes before every change of its seats. Therefore the result is
 * the same as at the time of sending. Also decides when to flush, by the policy of the room's type.
 */
final class RoomOutput
{
    private static final int LENGTH = 0;
    private static final int CLASS_AND_AUDIENCE = 4;
    private static final int SELECTOR = 8;
    private static final int HEADER_LENGTH = 16;
    /**
     * Delay until a logic that lost the state it sent in answer to a loss is notified again. A snapshot may never fit,
     * and such a room must not run in every tick.
     */
    private static final long NOTIFY_AGAIN_NS = 10_000_000;

    private final UnsafeBuffer buffer;
    private final UnsafeBuffer claim;
    private final RoomIdentity room;
    private final long roomId;
    private final SeatTable seats;
    private final RoomServices services;
    private final OutputProxy proxy;
    private final RoomInstance owner;
    private final RoomType.Flush flushPolicy;
    private boolean hasFrames;
    private int position;
    private int mark;
    private long markedCallback;
    /** Whether a flush is due: at a node of the wheel, in the host's list, or after the frame. */
    private boolean isDirty;
    private int flushNode = EngineTimer.NO_NODE;
    /** Whether the room is in the host's list of rooms to flush. */
    private boolean isListed;
    /** Whether a state to any of the seats had no space. The next flush of the room notifies its logic. */
    private boolean hasLostState;
    /**
     * An event had no space. The events after it must not reach the seats that miss it. Therefore no event has space
     * until a flush.
     */
    private boolean hasLostEvent;
    private boolean isNotifying;
    private boolean isClaimed;
    private boolean isClaimKept;
    /** Whether the open claim had receivers and no space. A seat that is away is no receiver. */
    private boolean isClaimOverLimit;
    /** Bytes of messages flushed to links. It is not state: a restored room counts from 0. */
    private long sentBytes;
    private int claimClassAndAudience;
    private long claimSelector;

    RoomOutput(
        final RoomIdentity room, final SeatTable seats, final RoomServices services, final RoomInstance owner)
    {
        this.room = room;
        this.seats = seats;
        this.services = services;
        this.owner = owner;
        roomId = room.roomId();
        flushPolicy = room.type().flush();
        proxy = services.proxy;
        claim = services.claim;
        buffer = new UnsafeBuffer(new byte[BitUtil.align(room.limits().output(), Long.BYTES)]);
    }

    boolean isDirty()
    {
        return isDirty;
    }

    /** Schedule a flush after a message was sent. A room with frames and flush policy FRAME flushes after its frame. */
    void sent()
    {
        if (isDirty || isNotifying)
        {
            return;
        }

        isDirty = true;
        if (RoomType.Flush.INTERVAL == flushPolicy)
        {
            if (EngineTimer.NO_NODE == flushNode)
            {
                scheduleFlush(room.type().flushIntervalNs());
            }
        }
        else if (RoomType.Flush.TURN == flushPolicy || !hasFrames)
        {
            list();
        }
    }

    /** The host takes the room out of its list, to flush it. */
    void unlist()
    {
        isListed = false;
    }

    private void list()
    {
        if (!isListed)
        {
            isListed = true;
            services.dirtyRooms.add(owner);
        }
    }

    void onFrames(final boolean running)
    {
        hasFrames = running;
        if (!running && (isDirty || hasLostState))
        {
            // No frame will flush the room any more.
            list();
        }
    }

    void onFlushTimer()
    {
        flushNode = EngineTimer.NO_NODE;
    }

    void flush()
    {
        // The timer stays when the logic waits for the notice of a lost state.
        if (EngineTimer.NO_NODE != flushNode && !hasLostState)
        {
            cancelTimer();
            isDirty &= RoomType.Flush.INTERVAL != flushPolicy;
        }
        if (0 != position)
        {
            flush(services.output);
        }
        if (hasLostEvent)
        {
            putAway();
        }
    }

    /** The seats that miss an event go away after the last event that they receive. Their logic is notified later. */
    private void putAway()
    {
        hasLostEvent = false;
        int i = seats.nextMarked(SeatMarks.LOST_EVENT, SeatMarks.LOST_EVENT, 0);
        while (i >= 0)
        {
            final SeatState seat = seats.at(i);
            if (seat.isPresent())
            {
                seats.removePresent(seat);
                seat.goAwayUnnoticed();
                proxy.away(seat.link(), roomId, seat, AwayReason.EVENT_LOST);
            }
            i = seats.nextMarked(SeatMarks.LOST_EVENT, SeatMarks.LOST_EVENT, i + 1);
        }
    }

    /** If events had no space, flush. Then the seats that miss them are away before the logic sends more. */
    void putLosersAway()
    {
        if (hasLostEvent)
        {
            flush();
        }
    }

    /** An event had no space. */
    void onEventLost()
    {
        hasLostEvent = true;
    }

    boolean hasLostState()
    {
        return hasLostState;
    }

    void hasLostState(final boolean value)
    {
        hasLostState = value;
    }

    /** A state had no space. A flush must follow even if no message waits for it. */
    void onStateLost()
    {
        hasLostState = true;
        sent();
    }

    /** Start the flush that notifies the logic of lost states. Returns whether there are any. */
    boolean beginNotify()
    {
        final boolean hadLostState = hasLostState;
        hasLostState = false;
        isNotifying = true;
        return hadLostState;
    }

    /** All is flushed. A state that was lost in answer to a notice is notified later: by a frame, or by a timer. */
    void endNotify()
    {
        isNotifying = false;
        // The flush has cancelled its timer, and no message sent since has set another.
        isDirty = false;
        if (hasLostState && !(hasFrames && RoomType.Flush.FRAME == flushPolicy))
        {
            scheduleFlush(Math.max(NOTIFY_AGAIN_NS, room.type().flushIntervalNs()));
        }
    }

    void cancelTimer()
    {
        if (EngineTimer.NO_NODE != flushNode)
        {
            services.wheel.cancel(flushNode);
            flushNode = EngineTimer.NO_NODE;
        }
    }

    private void scheduleFlush(final long delayNs)
    {
        flushNode = services.wheel.schedule(
            services.time.deadlineIn(delayNs), services.time.nowNs(), room.slot(), EngineTimer.FLUSH.id());
    }

    /** Bytes of messages that were flushed, once for each link. */
    long sentBytes()
    {
        return sentBytes;
    }

    /** Length of the messages that wait. */
    int length()
    {
        return position;
    }

    /** First byte after the messages: the next message goes there. */
    byte nextByte()
    {
        return buffer.getByte(Math.min(position, buffer.capacity() - 1));
    }

    /** Discard everything that the last callback sent. */
    void rollback()
    {
        if (markedCallback == services.guard.callback())
        {
            position = mark;
        }
        hasLostEvent = false;
        dropClaim();
    }

    /** Append a message of a callback. False if it does not fit. */
    boolean append(
        final int outputClass,
        final int audience,
        final long selector,
        final DirectBuffer source,
        final int offset,
        final int length)
    {
        checkLength(length);
        checkNoClaim();
        markCallback();
        if (!fits(outputClass, length))
        {
            return false;
        }

        buffer.putBytes(position + HEADER_LENGTH, source, offset, length);
        putHeader(outputClass | (audience << Byte.SIZE), selector, length);
        return true;
    }

    /** Hand out a buffer to write to: the message's place, or the host's scratch if the message is not kept. */
    MutableDirectBuffer claim(
        final int outputClass,
        final int audience,
        final long selector,
        final int maxLength,
        final boolean isKept)
    {
        checkLength(maxLength);
        checkNoClaim();
        markCallback();
        isClaimed = true;
        services.openClaim(this);
        isClaimKept = isKept && fits(outputClass, maxLength);
        isClaimOverLimit = isKept && !isClaimKept;
        claimClassAndAudience = outputClass | (audience << Byte.SIZE);
        claimSelector = selector;
        if (isClaimKept)
        {
            claim.wrap(buffer, position + HEADER_LENGTH, maxLength);
        }
        else
        {
            claim.wrap(services.scratch, 0, maxLength);
        }
        // Bytes of earlier messages are not part of the room's state. Left in, they would differ after a restore, and
        // leak another player's messages.
        claim.setMemory(0, maxLength, (byte)0);
        return claim;
    }

    /** End a claim. True if the claim is finished, because the message is kept or the claim was taken back. */
    boolean commit(final int length)
    {
        if (!isClaimed)
        {
            throw new IllegalStateException("commit without a claim");
        }
        if (length < 0 || length > claim.capacity())
        {
            throw new IllegalArgumentException(
                "commit of " + length + " bytes, but only " + claim.capacity() + " were claimed");
        }

        dropClaim();
        if (length > 0 && isClaimKept)
        {
            putHeader(claimClassAndAudience, claimSelector, length);
        }
        return 0 == length || isClaimKept;
    }

    boolean isClaimOverLimit()
    {
        return isClaimOverLimit;
    }

    int claimClass()
    {
        return claimClassAndAudience & 0xFF;
    }

    int claimAudience()
    {
        return claimClassAndAudience >>> Byte.SIZE;
    }

    long claimSelector()
    {
        return claimSelector;
    }

    /** Take the claim back. */
    void dropClaim()
    {
        isClaimed = false;
        services.openClaim(null);
        // A write after the commit must not reach the message.
        services.release(claim);
    }

    private void flush(final HostOutput output)
    {
        final int end = position;
        int at = 0;
        while (at < end)
        {
            final int length = buffer.getInt(at + LENGTH);
            final int classAndAudience = buffer.getInt(at + CLASS_AND_AUDIENCE);
            final long selector = buffer.getLong(at + SELECTOR);
            final int outputClass = classAndAudience & 0xFF;
            final int audience = classAndAudience >>> Byte.SIZE;
            final int body = at + HEADER_LENGTH;
            if (Outputs.ONE == audience)
            {
                final SeatState seat = seats.at((int)selector);
                if (seat.isPresent())
                {
                    sentBytes += length;
                    output.toSeat(seat.link(), roomId, outputClass, selector, buffer, body, length);
                }
            }
            else if (seats.linkCount() > 0)
            {
                sentBytes += (long)length * seats.receivingLinks(outputClass, audience, selector);
                output.toLinks(seats, roomId, outputClass, audience, selector, buffer, body, length);
            }
            at = BitUtil.align(body + length, Long.BYTES);
        }
        position = 0;
    }

    void write(final StateWriter writer)
    {
        writer.putBytes(buffer, 0, position);
    }

    void read(final StateReader reader, final boolean wasDirty)
    {
        position = reader.getBytes(buffer, 0);
        isDirty = wasDirty;
        int at = 0;
        while (at < position)
        {
            final int length = Restored.inRange(buffer.getInt(at + LENGTH), 0,
                Math.min(Room.MAX_MESSAGE_LENGTH, position - at - HEADER_LENGTH), "the length of a message");
            final int classAndAudience = buffer.getInt(at + CLASS_AND_AUDIENCE);
            Restored.inRange(classAndAudience & 0xFF, Outputs.EVENT, Outputs.STATE, "the class of a message");
            checkAudience(classAndAudience >>> Byte.SIZE, buffer.getLong(at + SELECTOR));
            at = BitUtil.align(at + HEADER_LENGTH + length, Long.BYTES);
        }
        Restored.check(at == position, "padding of the messages");
    }

    private void checkAudience(final int audience, final long selector)
    {
        final boolean isPossible = switch (audience)
        {
            case Outputs.ALL -> true;
            case Outputs.ALL_EXCEPT, Outputs.ONE -> null != seats.at((int)selector);
            case Outputs.MASK -> seats.limit() >= Long.SIZE || 0 == selector >>> seats.limit();
            default -> false;
        };
        Restored.check(isPossible, "audience " + audience + " of a message");
    }

    int flushNode()
    {
        return flushNode;
    }

    void restoredNode(final int node)
    {
        flushNode = node;
    }

    private void putHeader(final int classAndAudience, final long selector, final int length)
    {
        buffer.putInt(position + LENGTH, length);
        buffer.putInt(position + CLASS_AND_AUDIENCE, classAndAudience);
        buffer.putLong(position + SELECTOR, selector);
        final int end = position + HEADER_LENGTH + length;
        position = BitUtil.align(end, Long.BYTES);
        // The padding is cleared, because the buffer is hashed and must not hold bytes of earlier messages.
        for (int i = end; i < position; i++)
        {
            buffer.putByte(i, (byte)0);
        }
    }

    /** Remember the position at which a callback first sends. */
    private void markCallback()
    {
        final long callback = services.guard.callback();
        if (callback != markedCallback)
        {
            markedCallback = callback;
            mark = position;
        }
    }

    private boolean fits(final int outputClass, final int length)
    {
        return !(hasLostEvent && Outputs.EVENT == outputClass) &&
            position + HEADER_LENGTH + BitUtil.align(length, Long.BYTES) <= buffer.capacity();
    }

    private void checkNoClaim()
    {
        if (isClaimed)
        {
            throw new IllegalStateException("a claim is open: commit it first");
        }
    }

    private static void checkLength(final int length)
    {
        if (length < 0 || length > Room.MAX_MESSAGE_LENGTH)
        {
            throw new IllegalArgumentException(
                "a message must have 0 to " + Room.MAX_MESSAGE_LENGTH + " bytes: " + length);
        }
    }
}
