package io.escapement.matchmaking;

import io.escapement.rooms.Room;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import org.agrona.collections.Long2LongHashMap;

/** The players for whom the service has been asked for a rating, and their future parties. */
final class RatingRequests
{
    static final int NONE = -1;

    private final long[] correlationOf;
    private final long[] partyId;
    private final int[] partySize;
    private final Long2LongHashMap seatByCorrelationMap;

    RatingRequests(final int seats)
    {
        correlationOf = new long[seats];
        partyId = new long[seats];
        partySize = new int[seats];
        // It does not grow: a room has no more requests open.
        seatByCorrelationMap = new Long2LongHashMap(2 * Matchmaker.REQUESTS, 0.65f, NONE);
    }

    boolean isOpen(final int seat)
    {
        return Room.NO_REQUEST != correlationOf[seat];
    }

    void add(final int seat, final long party, final int size, final long correlationId)
    {
        correlationOf[seat] = correlationId;
        partyId[seat] = party;
        partySize[seat] = size;
        seatByCorrelationMap.put(correlationId, seat);
    }

    /** Remove the answered request. Returns its seat, or {@link #NONE}. */
    int remove(final long correlationId)
    {
        final int seat = (int)seatByCorrelationMap.remove(correlationId);
        if (NONE != seat)
        {
            correlationOf[seat] = Room.NO_REQUEST;
        }
        return seat;
    }

    /** Forget the request of a seat. Its answer will be ignored. */
    void cancel(final int seat)
    {
        seatByCorrelationMap.remove(correlationOf[seat]);
        correlationOf[seat] = Room.NO_REQUEST;
    }

    long partyId(final int seat)
    {
        return partyId[seat];
    }

    int partySize(final int seat)
    {
        return partySize[seat];
    }

    void write(final StateWriter writer)
    {
        for (int seat = 0; seat < correlationOf.length; seat++)
        {
            if (isOpen(seat))
            {
                writer.putInt(seat);
                writer.putLong(correlationOf[seat]);
                writer.putLong(partyId[seat]);
                writer.putInt(partySize[seat]);
            }
        }
        writer.putInt(NONE);
    }

    void read(final StateReader reader)
    {
        for (int seat = reader.getInt(); NONE != seat; seat = reader.getInt())
        {
            final long correlationId = reader.getLong();
            final long party = reader.getLong();
            add(seat, party, reader.getInt(), correlationId);
        }
    }
}
