package io.escapement.client;

import java.util.Arrays;

/** The seats of a trunk in one room by rising index, without gaps: a trunk often has few of a room's seats. */
final class RoomSeats
{
    private ClientSeat[] seats = new ClientSeat[1];
    private int size;
    /** Number of the last state that arrived on the feed. */
    private short feedNumber;
    private boolean hasFeedNumber;
    /** Gaps of the feed before the last state that proved that no other was lost before it. */
    private int clearedGaps;
    private boolean isStateLost;

    int size()
    {
        return size;
    }

    ClientSeat at(final int position)
    {
        return seats[position];
    }

    /** A state arrived on the feed, after a number of packets had been missing. False if a state was lost before it. */
    boolean onFeedState(final short number, final int gaps)
    {
        // If packets were lost, it is unknown whether a state was lost before the first.
        if (hasFeedNumber ? (short)(feedNumber + 1) != number : clearedGaps < gaps)
        {
            isStateLost = true;
        }
        else
        {
            clearedGaps = gaps;
        }
        hasFeedNumber = true;
        feedNumber = number;
        return !isStateLost;
    }

    /** A state for all seats arrived on the trunk. It does not prove anything about a room on the feed. */
    void onTrunkState(final int gaps)
    {
        clearedGaps = hasFeedNumber ? clearedGaps : gaps;
    }

    /** A state may have arrived on the feed before its seat. */
    void onStateLost()
    {
        isStateLost = true;
    }

    /** A seat has arrived, some time after a number of gaps. */
    void onPresent(final int oldGaps)
    {
        clearedGaps = hasFeedNumber ? clearedGaps : Math.max(clearedGaps, oldGaps);
    }

    /** The trunk does not receive the feed any more. */
    void onFeedLeft()
    {
        hasFeedNumber = false;
        clearedGaps = 0;
        isStateLost = false;
    }

    /** Whether a state was lost, or may have been lost in one of the gaps. */
    boolean mayMissState(final int gaps)
    {
        return isStateLost || clearedGaps < gaps;
    }

    /** The loss of a state was reported for all seats. */
    void onReported(final int gaps)
    {
        isStateLost = false;
        clearedGaps = gaps;
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

    /** Add a seat. It replaces a seat of the same index. */
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

    /** The position of the first seat with an index that is not lower. */
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
