package io.escapement.arena.room;

import io.escapement.arena.protocol.ArenaMessages;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Players with their characters, a slot for each. */
final class CharacterTable
{
    final long[] characterIds;
    final long[] kills;
    final long[] deaths;
    final UnsafeBuffer names;
    final int[] nameLengths;
    private final long[] playerIds;
    private final boolean[] taken;

    CharacterTable(final int slots)
    {
        playerIds = new long[slots];
        taken = new boolean[slots];
        characterIds = new long[slots];
        kills = new long[slots];
        deaths = new long[slots];
        nameLengths = new int[slots];
        names = new UnsafeBuffer(new byte[slots * ArenaMessages.NAME_LIMIT]);
    }

    boolean isTaken(final int slot)
    {
        return taken[slot];
    }

    long playerId(final int slot)
    {
        return playerIds[slot];
    }

    int nameOffset(final int slot)
    {
        return slot * ArenaMessages.NAME_LIMIT;
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

    /** The slot of a player, or -1. */
    int slotOf(final long playerId)
    {
        for (int slot = 0; slot < taken.length; slot++)
        {
            if (taken[slot] && playerIds[slot] == playerId)
            {
                return slot;
            }
        }
        return -1;
    }

    void put(
        final int slot,
        final long playerId,
        final long characterId,
        final long killed,
        final long died,
        final DirectBuffer name,
        final int offset,
        final int length)
    {
        taken[slot] = true;
        playerIds[slot] = playerId;
        characterIds[slot] = characterId;
        kills[slot] = killed;
        deaths[slot] = died;
        nameLengths[slot] = Math.min(length, ArenaMessages.NAME_LIMIT);
        names.putBytes(nameOffset(slot), name, offset, nameLengths[slot]);
    }

    void clear(final int slot)
    {
        taken[slot] = false;
        playerIds[slot] = 0;
        characterIds[slot] = 0;
        kills[slot] = 0;
        deaths[slot] = 0;
        nameLengths[slot] = 0;
    }

    void write(final StateWriter writer)
    {
        for (int slot = 0; slot < taken.length; slot++)
        {
            writer.putBoolean(taken[slot]);
            writer.putLong(playerIds[slot]);
            writer.putLong(characterIds[slot]);
            writer.putLong(kills[slot]);
            writer.putLong(deaths[slot]);
            writer.putBytes(names, nameOffset(slot), nameLengths[slot]);
        }
    }

    void read(final StateReader reader)
    {
        for (int slot = 0; slot < taken.length; slot++)
        {
            taken[slot] = reader.getBoolean();
            playerIds[slot] = reader.getLong();
            characterIds[slot] = reader.getLong();
            kills[slot] = reader.getLong();
            deaths[slot] = reader.getLong();
            nameLengths[slot] = reader.getBytes(names, nameOffset(slot));
        }
    }
}
