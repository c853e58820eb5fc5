package io.escapement.lobby;

import io.escapement.rooms.Room;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;

/** The rooms that were requested and are not open yet. Players who ask for such a room also wait for it. */
final class Openings
{
    static final int LIMIT = 64;
    static final int NONE = -1;

    private final long[] correlationIds = new long[LIMIT];
    private final int[] typeIds = new int[LIMIT];
    private final long[] playerIds = new long[LIMIT];
    private final int[] waiting = new int[LIMIT];
    private final LobbyLabels[] labels = new LobbyLabels[LIMIT];
    private int count;

    Openings()
    {
        for (int i = 0; i < LIMIT; i++)
        {
            labels[i] = new LobbyLabels();
        }
    }

    int count()
    {
        return count;
    }

    boolean isFull()
    {
        return LIMIT == count;
    }

    int typeId(final int opening)
    {
        return typeIds[opening];
    }

    long playerId(final int opening)
    {
        return playerIds[opening];
    }

    LobbyLabels labels(final int opening)
    {
        return labels[opening];
    }

    int ofType(final int typeId)
    {
        int openings = 0;
        for (int i = 0; i < LIMIT; i++)
        {
            openings += Room.NO_REQUEST != correlationIds[i] && typeId == typeIds[i] ? 1 : 0;
        }
        return openings;
    }

    int ofPlayer(final long playerId)
    {
        int openings = 0;
        for (int i = 0; i < LIMIT; i++)
        {
            openings += Room.NO_REQUEST != correlationIds[i] && playerId == playerIds[i] ? 1 : 0;
        }
        return openings;
    }

    /** The opening with that request, or {@link #NONE}. {@link Room#NO_REQUEST} is a free place. */
    int of(final long correlationId)
    {
        int opening = LIMIT - 1;
        while (opening >= 0 && correlationId != correlationIds[opening])
        {
            opening--;
        }
        return opening;
    }

    /** The opening of a room that has the labels, and a seat for another player. {@link #NONE} without such a room. */
    int find(final int typeId, final LobbyLabels wanted, final int seats)
    {
        int opening = LIMIT - 1;
        while (opening >= 0 && (Room.NO_REQUEST == correlationIds[opening] || typeId != typeIds[opening] ||
            waiting[opening] >= seats || !wanted.areIn(labels[opening])))
        {
            opening--;
        }
        return opening;
    }

    int add(final long correlationId, final int typeId, final LobbyLabels wanted, final long playerId)
    {
        final int opening = of(Room.NO_REQUEST);
        correlationIds[opening] = correlationId;
        typeIds[opening] = typeId;
        playerIds[opening] = playerId;
        waiting[opening] = 0;
        labels[opening].set(wanted);
        count++;
        return opening;
    }

    void addWaiting(final int opening, final int players)
    {
        waiting[opening] += players;
    }

    void remove(final int opening)
    {
        correlationIds[opening] = Room.NO_REQUEST;
        count--;
    }

    void write(final StateWriter writer)
    {
        for (int i = 0; i < LIMIT; i++)
        {
            if (Room.NO_REQUEST != correlationIds[i])
            {
                writer.putInt(i);
                writer.putLong(correlationIds[i]);
                writer.putInt(typeIds[i]);
                writer.putLong(playerIds[i]);
                writer.putInt(waiting[i]);
                labels[i].write(writer);
            }
        }
        writer.putInt(NONE);
    }

    void read(final StateReader reader)
    {
        for (int i = reader.getInt(); NONE != i; i = reader.getInt())
        {
            correlationIds[i] = reader.getLong();
            typeIds[i] = reader.getInt();
            playerIds[i] = reader.getLong();
            waiting[i] = reader.getInt();
            labels[i].read(reader);
            count++;
        }
    }
}
