package io.escapement.client;

import java.util.Arrays;

/** The seats of a trunk in one room by rising index, without gaps: a trunk often has few of a room's seats. */
final class RoomSeats
{
    private ClientSeat[] seats = new ClientSeat[1];
    private int size;

    int size()
    {
        return size;
    }

    ClientSeat at(final int position)
    {
        return seats[position];
    }

    /** The seat of an index, or null. */
    ClientSeat find(final int index)
    {
        final int position = position(index);
        return position < size && seats[position].index() == index ? seats[position] : null;
    }

    /** The seat of a player, or null. */
    ClientSeat ofPlayer(final long playerId)
    {
        for (int i = 0; i < size; i++)
        {
            if (0 != playerId && seats[i].playerId() == playerId)
            {
                return seats[i];
            }
        }
        return null;
    }

    /** Add a seat. It replaces one of the same index. */
    void put(final ClientSeat seat)
    {
        final int position = position(seat.index());
        if (position == size || seats[position].index() != seat.index())
        {
            if (size == seats.length)
            {
                seats = Arrays.copyOf(seats, 2 * size);
            }
            System.arraycopy(seats, position, seats, position + 1, size - position);
            size++;
        }
        seats[position] = seat;
    }

    void remove(final ClientSeat seat)
    {
        final int position = position(seat.index());
        if (position < size && seats[position] == seat)
        {
            size--;
            System.arraycopy(seats, position + 1, seats, position, size - position);
            seats[size] = null;
        }
    }

    /** The position of the first seat whose index is not lower. */
    private int position(final int index)
    {
        int low = 0;
        int high = size;
        while (low < high)
        {
            final int middle = (low + high) >>> 1;
            if (seats[middle].index() < index)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }
        return low;
    }
}
