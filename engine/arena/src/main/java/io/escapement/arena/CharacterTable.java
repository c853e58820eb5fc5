package io.escapement.arena;

import io.escapement.arena.protocol.ArenaMessages;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Players and their characters, by place. */
final class CharacterTable
{
    static final long NOBODY = 0;

    final long[] characterIds;
    final long[] kills;
    final long[] deaths;
    final UnsafeBuffer names;
    final int[] nameLengths;
    private final long[] playerIds;
    private final boolean[] taken;

    CharacterTable(final int places)
    {
        playerIds = new long[places];
        taken = new boolean[places];
        characterIds = new long[places];
        kills = new long[places];
        deaths = new long[places];
        nameLengths = new int[places];
        names = new UnsafeBuffer(new byte[places * ArenaMessages.NAME_LIMIT]);
    }

    int places()
    {
        return taken.length;
    }

    boolean isTaken(final int place)
    {
        return taken[place];
    }

    long playerId(final int place)
    {
        return playerIds[place];
    }

    int nameOffset(final int place)
    {
        return place * ArenaMessages.NAME_LIMIT;
    }

    int count()
    {
        int count = 0;
        for (final boolean isTaken : taken)
        {
            count += isTaken ? 1 : 0;
        }
        return count;
    }

    /** The place of a player, or -1. */
    int placeOf(final long playerId)
    {
        for (int place = 0; place < taken.length; place++)
        {
            if (taken[place] && playerIds[place] == playerId)
            {
                return place;
            }
        }
        return -1;
    }

    void put(
        final int place,
        final long playerId,
        final long characterId,
        final long killed,
        final long died,
        final DirectBuffer name,
        final int offset,
        final int length)
    {
        taken[place] = true;
        playerIds[place] = playerId;
        characterIds[place] = characterId;
        kills[place] = killed;
        deaths[place] = died;
        nameLengths[place] = Math.min(length, ArenaMessages.NAME_LIMIT);
        names.putBytes(nameOffset(place), name, offset, nameLengths[place]);
    }

    void clear(final int place)
    {
        taken[place] = false;
        playerIds[place] = NOBODY;
        characterIds[place] = 0;
        kills[place] = 0;
        deaths[place] = 0;
        nameLengths[place] = 0;
    }

    void write(final StateWriter writer)
    {
        for (int place = 0; place < taken.length; place++)
        {
            writer.putBoolean(taken[place]);
            writer.putLong(playerIds[place]);
            writer.putLong(characterIds[place]);
            writer.putLong(kills[place]);
            writer.putLong(deaths[place]);
            writer.putBytes(names, nameOffset(place), nameLengths[place]);
        }
    }

    void read(final StateReader reader)
    {
        for (int place = 0; place < taken.length; place++)
        {
            taken[place] = reader.getBoolean();
            playerIds[place] = reader.getLong();
            characterIds[place] = reader.getLong();
            kills[place] = reader.getLong();
            deaths[place] = reader.getLong();
            nameLengths[place] = reader.getBytes(names, nameOffset(place));
        }
    }
}
