package io.escapement.rooms.internal;

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
 * The messages of a room that have not been flushed: a fixed buffer, each message behind its class and audience. An
 * audience is resolved when it is flushed; the room flushes before every change of its seats, so the result is the same
 * as at the time of sending. Also decides when to flush, by the policy of the room's type.
 */
final class RoomOutput implements OpenClaim.Claimable
{
    private static final int LENGTH = 0;
    private static final int CLASS_AND_AUDIENCE = 4;
    private static final int SELECTOR = 8;
    private static final int HEADER_LENGTH = 16;

    private final UnsafeBuffer buffer;
    private final UnsafeBuffer claim = new UnsafeBuffer(0, 0);
    private final RoomIdentity room;
    private final long roomId;
    private final SeatTable seats;
    private final RoomServices services;
    private final OutputProxy proxy;
    private final DirtyRooms.Dirty owner;
    private final RoomType.Flush flushPolicy;
    private boolean hasFrames;
    private int position;
    private int mark;
    private long markedCallback;
    /** Whether a flush is due: at a node of the wheel, in the host's list, or after the frame. */
    private boolean isDirty;
    private int flushNode = TimerIds.NO_NODE;
    private boolean isClaimed;
    private boolean isClaimKept;
    private int claimClassAndAudience;
    private long claimSelector;

    RoomOutput(
        final RoomIdentity room, final SeatTable seats, final RoomServices services, final DirtyRooms.Dirty owner)
    {
        this.room = room;
        this.seats = seats;
        this.services = services;
        this.owner = owner;
        roomId = room.roomId();
        flushPolicy = room.type().flush();
        proxy = services.outputOf(room.type());
        buffer = new UnsafeBuffer(new byte[BitUtil.align(room.limits().output(), Long.BYTES)]);
    }

    boolean isDirty()
    {
        return isDirty;
    }

    /** Schedule a flush after a message was sent; a room with frames and flush policy FRAME flushes after its frame. */
    void sent()
    {
        if (isDirty)
        {
            return;
        }

        isDirty = true;
        if (RoomType.Flush.INTERVAL == flushPolicy)
        {
            flushNode = services.wheel.schedule(services.time.deadlineIn(room.type().flushIntervalNs()),
                services.time.nowNs(), room.slot(), TimerIds.FLUSH);
        }
        else if (RoomType.Flush.TURN == flushPolicy || !hasFrames)
        {
            services.dirtyRooms.add(owner);
        }
    }

    void onFramesStarted()
    {
        hasFrames = true;
    }

    /** No frame will flush the room any more. */
    void onFramesStopped()
    {
        hasFrames = false;
        if (isDirty)
        {
            services.dirtyRooms.add(owner);
        }
    }

    void onFlushTimer()
    {
        flushNode = TimerIds.NO_NODE;
    }

    void flush()
    {
        if (TimerIds.NO_NODE != flushNode)
        {
            services.wheel.cancel(flushNode);
            flushNode = TimerIds.NO_NODE;
            isDirty = false;
        }
        if (0 != position)
        {
            flush(proxy.outputs());
        }
    }

    void clean()
    {
        isDirty = false;
    }

    /** Length of the messages that wait. */
    int length()
    {
        return position;
    }

    /** First byte behind the messages: the next message goes there. */
    byte nextByte()
    {
        return buffer.getByte(Math.min(position, buffer.capacity() - 1));
    }

    /** Discard everything that a callback sent. */
    void rollback(final long callback)
    {
        if (markedCallback == callback)
        {
            position = mark;
        }
        dropClaim();
    }

    /** Append a message of a callback; false if it does not fit. */
    boolean append(
        final long callback,
        final int outputClass,
        final int audience,
        final long selector,
        final DirectBuffer source,
        final int offset,
        final int length)
    {
        checkLength(length);
        checkNoClaim();
        markCallback(callback);
        if (!fits(length))
        {
            return false;
        }

        buffer.putBytes(position + HEADER_LENGTH, source, offset, length);
        putHeader(outputClass | (audience << Byte.SIZE), selector, length);
        return true;
    }

    /** Hand out a buffer to write to: the message's place, or the host's scratch if the message is not kept. */
    MutableDirectBuffer claim(
        final long callback,
        final int outputClass,
        final int audience,
        final long selector,
        final int maxLength,
        final boolean isKept)
    {
        checkLength(maxLength);
        checkNoClaim();
        markCallback(callback);
        isClaimed = true;
        services.claim.open(this);
        isClaimKept = isKept && fits(maxLength);
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
        // leak to a player what was sent to another.
        claim.setMemory(0, maxLength, (byte)0);
        return claim;
    }

    /** End a claim; true if nothing remains to be done, because the message is kept or the claim was taken back. */
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

    DirectBuffer claimed()
    {
        return claim;
    }

    @Override
    public void dropClaim()
    {
        isClaimed = false;
        services.claim.close();
    }

    private void flush(final Outputs outputs)
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
                    outputs.message(
                        seat.link(), roomId, outputClass, audience, selector, buffer, body, length);
                }
            }
            else
            {
                for (int i = 0, links = seats.linkCount(); i < links; i++)
                {
                    final int link = seats.linkAt(i);
                    if (Outputs.MASK != audience || isAnyOnLink(selector, link))
                    {
                        outputs.message(
                            link, roomId, outputClass, audience, selector, buffer, body, length);
                    }
                }
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
    }

    int flushNode()
    {
        return flushNode;
    }

    void restoredNode(final int node)
    {
        flushNode = node;
    }

    private boolean isAnyOnLink(final long mask, final int link)
    {
        long rest = mask;
        while (0 != rest)
        {
            final SeatState seat = seats.at(Long.numberOfTrailingZeros(rest));
            if (seat.isPresent() && seat.link() == link)
            {
                return true;
            }
            rest &= rest - 1;
        }
        return false;
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
    private void markCallback(final long callback)
    {
        if (callback != markedCallback)
        {
            markedCallback = callback;
            mark = position;
        }
    }

    private boolean fits(final int length)
    {
        return position + HEADER_LENGTH + BitUtil.align(length, Long.BYTES) <= buffer.capacity();
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
