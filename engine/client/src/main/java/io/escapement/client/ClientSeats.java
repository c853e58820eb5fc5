package io.escapement.client;

import java.util.ArrayList;
import java.util.Arrays;
import org.agrona.collections.Long2ObjectHashMap;

/** The seats of a trunk by room and index. */
final class ClientSeats
{
    private static final ClientSeat[] NONE = {};

    private final Long2ObjectHashMap<ClientSeat[]> seatsByRoomMap = new Long2ObjectHashMap<>();

    /** The seats of a room by index, null where this trunk has none. */
    ClientSeat[] of(final long roomId)
    {
        final ClientSeat[] seats = seatsByRoomMap.get(roomId);
        return null == seats ? NONE : seats;
    }

    ClientSeat find(final long roomId, final int index, final int generation)
    {
        final ClientSeat[] seats = of(roomId);
        final ClientSeat seat = index >= 0 && index < seats.length ? seats[index] : null;
        return null != seat && seat.generation() == generation ? seat : null;
    }

    ClientSeat findOrAdd(
        final long roomId, final int loop, final int index, final int generation, final long playerId)
    {
        final ClientSeat known = find(roomId, index, generation);
        if (null != known)
        {
            return known;
        }
        ClientSeat[] seats = of(roomId);
        if (index >= seats.length)
        {
            seats = Arrays.copyOf(seats, Math.max(index + 1, 2 * seats.length));
            seatsByRoomMap.put(roomId, seats);
        }
        final ClientSeat seat = new ClientSeat(roomId, loop, index, generation, playerId);
        final ClientSeat previous = ofPlayer(seats, playerId);
        if (null != previous)
        {
            // The engine freed it while the trunk was lost, and the Left did not arrive.
            seat.attachment(previous.attachment());
            seats[previous.index()] = null;
        }
        seats[index] = seat;
        return seat;
    }

    private static ClientSeat ofPlayer(final ClientSeat[] seats, final long playerId)
    {
        for (final ClientSeat seat : seats)
        {
            if (null != seat && 0 != playerId && seat.playerId() == playerId)
            {
                return seat;
            }
        }
        return null;
    }

    void remove(final ClientSeat seat)
    {
        final ClientSeat[] seats = of(seat.roomId());
        if (seat.index() < seats.length && seats[seat.index()] == seat)
        {
            seats[seat.index()] = null;
            for (final ClientSeat other : seats)
            {
                if (null != other)
                {
                    return;
                }
            }
            seatsByRoomMap.remove(seat.roomId());
        }
    }

    /** All seats, in a new list. */
    ArrayList<ClientSeat> all()
    {
        final ArrayList<ClientSeat> all = new ArrayList<>();
        for (final ClientSeat[] seats : seatsByRoomMap.values())
        {
            for (final ClientSeat seat : seats)
            {
                if (null != seat)
                {
                    all.add(seat);
                }
            }
        }
        return all;
    }
}
