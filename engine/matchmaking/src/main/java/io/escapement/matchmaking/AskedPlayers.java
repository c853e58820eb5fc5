package io.escapement.matchmaking;

import io.escapement.rooms.Room;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import org.agrona.collections.Long2LongHashMap;

/**
 * The players that other rooms have asked a match for. They have no seat in the matchmaker. Their numbers start after
 * the numbers of the seats. The seats' own players are also found here.
 */
final class AskedPlayers
{
    static final int NONE = -1;

    private static final long FREE = 0;

    private final Room room;
    private final int seats;
    private final long[] askIds;
    private final long[] playerIds;
    private final Long2LongHashMap numberByPlayerIdMap;
    private int count;

    AskedPlayers(final Room room, final int limit)
    {
        this.room = room;
        seats = room.seatLimit();
        askIds = new long[limit];
        playerIds = new long[limit];
        // It does not grow: at most half of it is in use.
        numberByPlayerIdMap = new Long2LongHashMap(2 * limit + 1, 0.65f, NONE);
    }

    /** Numbers of the players with seats and the asked ones together. */
    int numbers()
    {
        return seats + askIds.length;
    }

    boolean isFull()
    {
        return count == askIds.length;
    }

    boolean isAsked(final int number)
    {
        return number >= seats;
    }

    /** The number of an asked player, or {@link #NONE}. */
    int of(final long playerId)
    {
        return (int)numberByPlayerIdMap.get(playerId);
    }

    long playerId(final int number)
    {
        return isAsked(number) ? playerIds[number - seats] : room.seat(number).playerId();
    }

    /** Returns the number of the player. There must be a free one. */
    int add(final long playerId, final long askId)
    {
        int index = 0;
        while (FREE != askIds[index])
        {
            index++;
        }
        put(index, playerId, askId);
        return seats + index;
    }

    /** Returns the id of the question, which is to be answered. */
    long remove(final int number)
    {
        final int index = number - seats;
        final long askId = askIds[index];
        askIds[index] = FREE;
        numberByPlayerIdMap.remove(playerIds[index]);
        count--;
        return askId;
    }

    void write(final StateWriter writer)
    {
        for (int index = 0; index < askIds.length; index++)
        {
            if (FREE != askIds[index])
            {
                writer.putInt(index);
                writer.putLong(playerIds[index]);
                writer.putLong(askIds[index]);
            }
        }
        writer.putInt(NONE);
    }

    void read(final StateReader reader)
    {
        for (int index = reader.getInt(); NONE != index; index = reader.getInt())
        {
            final long playerId = reader.getLong();
            put(index, playerId, reader.getLong());
        }
    }

    private void put(final int index, final long playerId, final long askId)
    {
        askIds[index] = askId;
        playerIds[index] = playerId;
        numberByPlayerIdMap.put(playerId, seats + index);
        count++;
    }
}
