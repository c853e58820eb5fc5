package io.escapement.rooms.internal;

import io.escapement.rooms.Audience;
import io.escapement.rooms.output.Outputs;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** The messages that the logic of a room sends to its seats: finds the seats of an audience, and appends or claims. */
final class RoomSender
{
    private static final int MASK_SEATS = Long.SIZE;

    private final RoomInstance room;
    private final RoomIdentity identity;
    private final RoomServices services;
    private final Everyone everyone = new Everyone();
    private GroupState claimGroup;

    RoomSender(final RoomInstance room, final RoomIdentity identity, final RoomServices services)
    {
        this.room = room;
        this.identity = identity;
        this.services = services;
    }

    Everyone everyone()
    {
        return everyone;
    }

    /** Whether the last claim was for a group that no mask can express. */
    boolean hasGroupClaim()
    {
        return null != claimGroup;
    }

    void commit(final int length)
    {
        final RoomOutput output = room.output();
        if (output.commit(length))
        {
            if (length > 0)
            {
                room.output().sent();
            }
            return;
        }

        if (null != claimGroup)
        {
            sendToEach(output.claimClass(), claimGroup, services.scratch, 0, length);
            return;
        }
        if (output.isClaimOverLimit())
        {
            room.overLimit(output.claimClass(), output.claimAudience(), output.claimSelector());
        }
    }

    private GroupState ownGroup(final Audience audience)
    {
        if (!(audience instanceof GroupState) || !((GroupState)audience).belongsTo(identity))
        {
            throw new IllegalArgumentException(null == audience ?
                "the audience is null" : "the audience belongs to another room: " + audience);
        }
        return (GroupState)audience;
    }

    /** The four kinds of audience are final classes, so this is a chain of type checks without a virtual call. */
    void send(
        final int outputClass,
        final Audience audience,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        if (audience instanceof SeatState)
        {
            sendTo(outputClass, receiver(outputClass, (SeatState)audience), buffer, offset, length);
        }
        else if (everyone == audience)
        {
            append(outputClass, Outputs.ALL, 0, buffer, offset, length);
        }
        else if (audience instanceof EveryoneBut)
        {
            final SeatState except = room.seats().own(((EveryoneBut)audience).except());
            append(outputClass, Outputs.ALL_EXCEPT, except.index(), buffer, offset, length);
        }
        else
        {
            sendTo(outputClass, ownGroup(audience), buffer, offset, length);
        }
    }

    MutableDirectBuffer claim(final int outputClass, final Audience audience, final int maxLength)
    {
        if (audience instanceof SeatState)
        {
            final SeatState seat = receiver(outputClass, (SeatState)audience);
            return claim(outputClass, Outputs.ONE, seat.selector(), maxLength, seat.isPresent());
        }
        if (everyone == audience)
        {
            return claim(outputClass, Outputs.ALL, 0, maxLength, true);
        }
        if (audience instanceof EveryoneBut)
        {
            final SeatState except = room.seats().own(((EveryoneBut)audience).except());
            return claim(outputClass, Outputs.ALL_EXCEPT, except.index(), maxLength, true);
        }
        return claimFor(outputClass, ownGroup(audience), maxLength);
    }

    private SeatState receiver(final int outputClass, final SeatState seat)
    {
        if (Outputs.EVENT == outputClass && seat.isSpectator())
        {
            throw new IllegalArgumentException(seat + " is a spectator's, which gets no events: send it state");
        }
        return room.seats().own(seat);
    }

    /** The seats of a group that get messages of a class. */
    private long mask(final int outputClass, final GroupState group)
    {
        final int players = identity.limits().seats();
        return Outputs.EVENT == outputClass && players < MASK_SEATS ?
            group.mask() & ((1L << players) - 1) : group.mask();
    }

    private void append(
        final int outputClass,
        final int audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        if (room.output().append(outputClass, audience, selector, buffer, offset, length))
        {
            room.output().sent();
        }
        else
        {
            room.overLimit(outputClass, audience, selector);
        }
    }

    private void sendTo(
        final int outputClass, final SeatState seat, final DirectBuffer buffer, final int offset, final int length)
    {
        if (seat.isPresent())
        {
            append(outputClass, Outputs.ONE, seat.selector(), buffer, offset, length);
        }
    }

    private void sendTo(
        final int outputClass, final GroupState group, final DirectBuffer buffer, final int offset, final int length)
    {
        if (room.seats().limit() <= MASK_SEATS)
        {
            append(outputClass, Outputs.MASK, mask(outputClass, group), buffer, offset, length);
        }
        else
        {
            sendToEach(outputClass, group, buffer, offset, length);
        }
    }

    private void sendToEach(
        final int outputClass, final GroupState group, final DirectBuffer buffer, final int offset, final int length)
    {
        final int limit = Outputs.EVENT == outputClass ? identity.limits().seats() : room.seats().limit();
        for (int i = 0; i < limit; i++)
        {
            if (group.has(i))
            {
                sendTo(outputClass, room.seats().at(i), buffer, offset, length);
            }
        }
    }

    private MutableDirectBuffer claimFor(final int outputClass, final GroupState group, final int maxLength)
    {
        final boolean isMask = room.seats().limit() <= MASK_SEATS;
        final MutableDirectBuffer buffer = claim(
            outputClass, Outputs.MASK, isMask ? mask(outputClass, group) : 0, maxLength, isMask);
        claimGroup = isMask ? null : group;
        return buffer;
    }

    private MutableDirectBuffer claim(
        final int outputClass, final int audience, final long selector, final int maxLength, final boolean isKept)
    {
        claimGroup = null;
        return room.output().claim(outputClass, audience, selector, maxLength, isKept);
    }
}
