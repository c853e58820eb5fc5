package io.escapement.rooms.host;

import io.escapement.rooms.Room;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What a room sent and its host has not yet put out: a fixed buffer of messages, each with its class and audience
 * before it. Who is in an audience is found out when it is flushed; the host flushes before every change of who sits
 * where, so that this is the same as when it was sent.
 */
final class RoomOutput
{
    private static final int LENGTH = 0;
    private static final int CLASS_AND_AUDIENCE = 4;
    private static final int SELECTOR = 8;
    private static final int HEADER_LENGTH = 16;

    private final UnsafeBuffer buffer;
    private final UnsafeBuffer claim = new UnsafeBuffer(0, 0);
    private final RoomInstance room;
    private final SeatTable seats;
    private int position;
    private int mark;
    private long markedCallback;
    private boolean isClaimed;
    private boolean isClaimKept;
    private int claimClassAndAudience;
    private long claimSelector;

    RoomOutput(final RoomInstance room, final SeatTable seats, final int limit)
    {
        this.room = room;
        this.seats = seats;
        buffer = new UnsafeBuffer(new byte[BitUtil.align(limit, Long.BYTES)]);
    }

    boolean isEmpty()
    {
        return 0 == position;
    }

    long lookAhead()
    {
        return position + mark + (null == room ? 1 : 0);
    }

    long lookAheadBytes()
    {
        return buffer.getByte(Math.min(position, buffer.capacity() - 1));
    }

    /** Take back everything that a callback sent. */
    void rollback(final long callback)
    {
        if (markedCallback == callback)
        {
            position = mark;
        }
        dropClaim();
    }

    /**
     * Copy a message in.
     *
     * @return false when it does not fit.
     */
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
        if (!fits(length))
        {
            return false;
        }

        buffer.putBytes(position + HEADER_LENGTH, source, offset, length);
        putHeader(outputClass | (audience << Byte.SIZE), selector, length);
        return true;
    }

    /** Hand out a place to write into: the message's own, or a scratch of the host when the message won't fit. */
    MutableDirectBuffer claim(
        final int outputClass,
        final int audience,
        final long selector,
        final int maxLength,
        final UnsafeBuffer scratch,
        final boolean isKept)
    {
        checkLength(maxLength);
        checkNoClaim();
        markCallback();
        isClaimed = true;
        room.host.claimed = this;
        isClaimKept = isKept && fits(maxLength);
        claimClassAndAudience = outputClass | (audience << Byte.SIZE);
        claimSelector = selector;
        if (isClaimKept)
        {
            claim.wrap(buffer, position + HEADER_LENGTH, maxLength);
        }
        else
        {
            claim.wrap(scratch, 0, maxLength);
        }
        // What stood here before is no part of the room's state: left in, it would differ after a restore, and tell one
        // player what was for another.
        claim.setMemory(0, maxLength, (byte)0);
        return claim;
    }

    /**
     * End a claim.
     *
     * @return true when there is nothing more to do: the message is kept, or the claim was taken back.
     */
    boolean commit(final int length)
    {
        if (!isClaimed)
        {
            throw new IllegalStateException("commit without a claim");
        }
        if (length < 0 || length > claim.capacity())
        {
            throw new IllegalArgumentException(
                "commit of " + length + " bytes, claimed were " + claim.capacity());
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

    /** A callback that returned without its commit has taken the claim back. */
    void dropClaim()
    {
        isClaimed = false;
        room.host.claimed = null;
    }

    void flush(final Outputs outputs)
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
                if (SeatState.PRESENT == seat.state)
                {
                    outputs.message(
                        seat.link, room.roomId(), outputClass, audience, selector, buffer, body, length);
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
                            link, room.roomId(), outputClass, audience, selector, buffer, body, length);
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

    void read(final StateReader reader)
    {
        position = reader.getBytes(buffer, 0);
    }

    private boolean isAnyOnLink(final long mask, final int link)
    {
        long rest = mask;
        while (0 != rest)
        {
            final SeatState seat = seats.at(Long.numberOfTrailingZeros(rest));
            if (SeatState.PRESENT == seat.state && seat.link == link)
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
        // The padding is written too, so that a buffer that goes into a hash holds nothing of earlier messages.
        for (int i = end; i < position; i++)
        {
            buffer.putByte(i, (byte)0);
        }
    }

    /** Where the output stood when this callback first sent: callbacks that send nothing do not come here. */
    private void markCallback()
    {
        if (room.calls.count() != markedCallback)
        {
            markedCallback = room.calls.count();
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
