package io.escapement.client;

import java.util.ArrayList;
import org.agrona.collections.Long2ObjectHashMap;

/** The seats of a trunk by room. */
final class ClientSeats
{
    private final Long2ObjectHashMap<RoomSeats> seatsByRoomMap = new Long2ObjectHashMap<>();
    private Resender resender;

    /** Keeps the messages of seats, and forgets the messages of removed seats. Null without a resender. */
    void resender(final Resender value)
    {
        resender = value;
    }

    /** The seats of a room, or null if this trunk has no seat there. */
    RoomSeats of(final long roomId)
    {
        return seatsByRoomMap.get(roomId);
    }

    /**
     * Read the first seat of a room into the cache.
     *
     * @return a number that depends on it. Otherwise the read could be optimised away.
     */
    int prefetch(final long roomId)
    {
        final RoomSeats seats = seatsByRoomMap.get(roomId);
        return null == seats ? 0 : seats.at(0).generation();
    }

    /** The rooms in which this trunk has seats. */
    Iterable<RoomSeats> rooms()
    {
        return seatsByRoomMap.values();
    }

    ClientSeat find(final long roomId, final int index, final int generation)
    {
        final RoomSeats seats = of(roomId);
        final ClientSeat seat = null == seats ? null : seats.find(index);
        return null != seat && seat.generation() == generation ? seat : null;
    }

    ClientSeat findOrAdd(
        final long roomId,
        final int loop,
        final int index,
        final int generation,
        final long playerId,
        final boolean isSpectator)
    {
        final ClientSeat known = find(roomId, index, generation);
        if (null != known)
        {
            return known;
        }
        RoomSeats seats = of(roomId);
        if (null == seats)
        {
            seats = new RoomSeats();
            seatsByRoomMap.put(roomId, seats);
        }
        final ClientSeat seat = new ClientSeat(roomId, loop, index, generation, playerId);
        seat.isSpectator(isSpectator);
        final ClientSeat previous = seats.ofPlayer(playerId);
        if (null != previous)
        {
            // The engine freed it while the trunk was lost, and the Left did not arrive.
            seat.attachment(previous.attachment());
            seats.remove(previous);
            forgetMessages(previous);
        }
        forgetMessages(seats.find(index));
        seats.put(seat);
        return seat;
    }

    private void forgetMessages(final ClientSeat seat)
    {
        if (null != resender && null != seat)
        {
            resender.forget(seat);
        }
    }

    void remove(final ClientSeat seat)
    {
        forgetMessages(seat);
        final RoomSeats seats = of(seat.roomId());
        if (null != seats)
        {
            seats.remove(seat);
            if (0 == seats.size())
            {
                seatsByRoomMap.remove(seat.roomId());
            }
        }
    }

    /** All seats, in a new list. */
    ArrayList<ClientSeat> all()
    {
        final ArrayList<ClientSeat> all = new ArrayList<>();
        for (final RoomSeats seats : seatsByRoomMap.values())
        {
            for (int i = 0; i < seats.size(); i++)
            {
                all.add(seats.at(i));
            }
        }
        return all;
    }
}
