package io.escapement.rooms;

import org.agrona.DirectBuffer;

/** Orders to a room of the corpus that need no state of its logic. */
final class CorpusCalls
{
    /** Of each of many messages, which are more than the output of a room can take. */
    static final int FLOOD_LENGTH = 512;

    private CorpusCalls()
    {
    }

    static void send(
        final Room room,
        final Audience audience,
        final DirectBuffer bytes,
        final CorpusOrder order,
        final int y,
        final int z)
    {
        switch (order)
        {
            case EVENT -> room.sendEvent(audience, bytes, 0, y);
            case STATE -> room.sendState(audience, bytes, 0, y);
            case CLAIM_EVENT ->
            {
                room.claimEvent(audience, y).setMemory(0, y, (byte)z);
                room.commit(y / 2);
            }
            case CLAIM_STATE ->
            {
                room.claimState(audience, y).setMemory(0, y, (byte)z);
                if (0 == z % 2)
                {
                    // Otherwise the claim is discarded.
                    room.commit(y);
                }
            }
            case FLOOD_EVENTS ->
            {
                for (int i = 0; i < y; i++)
                {
                    room.sendEvent(audience, bytes, 0, FLOOD_LENGTH);
                }
            }
            case FLOOD_STATES ->
            {
                for (int i = 0; i < y; i++)
                {
                    room.sendState(audience, bytes, 0, FLOOD_LENGTH);
                }
            }
            default ->
            {
                // Nothing.
            }
        }
    }

    static void manage(
        final Room room, final CorpusOrder order, final Seat from, final int x, final int y, final int z)
    {
        switch (order)
        {
            case KICK ->
            {
                final Seat seat = room.seat(x % (room.seatLimit() + room.spectatorLimit()));
                if (null != seat && 0 == y)
                {
                    room.kick(seat);
                }
                else if (null != seat)
                {
                    room.kick(seat, RoomLogic.FIRST_APPLICATION_CODE + y);
                }
            }
            case CLOSE ->
            {
                if (0 == y)
                {
                    room.close();
                }
                else
                {
                    room.close(RoomLogic.FIRST_APPLICATION_CODE + y);
                }
            }
            case CLOSE_WHEN_EMPTY -> room.closeWhenEmpty((1 + z) * CorpusRoom.UNIT_NS);
            case LOCK -> room.lock(0 != x);
            default ->
            {
                if (null != from)
                {
                    room.refuse(from, RoomLogic.FIRST_APPLICATION_CODE + y);
                }
            }
        }
    }

    static void group(
        final Room room, final SeatGroup group, final CorpusObserver observer, final int x, final int y)
    {
        final Seat seat = room.seat(y % room.seatLimit());
        if (null == seat || 0 == x)
        {
            group.clear();
        }
        else if (1 == x)
        {
            group.remove(seat);
        }
        else
        {
            group.add(seat);
        }
        observer.saw("group", group.isEmpty() ? 1 : 0);
    }

    static void draw(final Room room, final CorpusObserver observer, final int z)
    {
        final RoomRandom random = room.random();
        final int[] order = {1, 2, 3, 4, 5};
        random.shuffle(order, order.length);
        observer.saw("draw", order[0], order[1], random.nextInt(1 + z), random.nextInt(-5, 6),
            random.fork().nextLong(), Double.doubleToLongBits(random.nextDouble()));
    }
}
