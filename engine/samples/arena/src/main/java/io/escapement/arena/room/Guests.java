package io.escapement.arena.room;

import io.escapement.arena.codecs.GuestDecoder;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import org.agrona.concurrent.UnsafeBuffer;

/** Players that the lobby has admitted and that have not joined yet. */
final class Guests
{
    /** The reservation of the seat, and a second for the messages between lobby and arena. */
    static final long EXPIRY_NS = ArenaRoom.RESERVATION_NS + 1_000_000_000L;

    /** Twice the seats, because expired reservations may still occupy a slot. */
    private static final int LIMIT = 32;

    final CharacterTable table = new CharacterTable(LIMIT);
    private final long[] expiresAtNs = new long[LIMIT];

    void put(final GuestDecoder guest, final UnsafeBuffer scratch, final long nowNs)
    {
        final long playerId = guest.playerId();
        final int slot = slotFor(playerId, nowNs);
        final long characterId = guest.characterId();
        final long kills = guest.kills();
        final long deaths = guest.deaths();
        final int length = guest.getName(scratch, 0, scratch.capacity());
        table.put(slot, playerId, characterId, kills, deaths, scratch, 0, length);
        expiresAtNs[slot] = nowNs + EXPIRY_NS;
    }

    /** The slot of a player who may join now, or -1. */
    int slotOf(final long playerId, final long nowNs)
    {
        final int slot = table.slotOf(playerId);
        return slot >= 0 && expiresAtNs[slot] > nowNs ? slot : -1;
    }

    void write(final StateWriter writer)
    {
        table.write(writer);
        for (final long expiresAt : expiresAtNs)
        {
            writer.putLong(expiresAt);
        }
    }

    void read(final StateReader reader)
    {
        table.read(reader);
        for (int i = 0; i < LIMIT; i++)
        {
            expiresAtNs[i] = reader.getLong();
        }
    }

    /**
     * The player's own slot, otherwise the first free or expired slot. If there is no such slot, the next to expire.
     */
    private int slotFor(final long playerId, final long nowNs)
    {
        final int own = table.slotOf(playerId);
        if (own >= 0)
        {
            return own;
        }
        int first = 0;
        for (int i = 0; i < LIMIT; i++)
        {
            if (!table.isTaken(i) || expiresAtNs[i] <= nowNs)
            {
                return i;
            }
            first = expiresAtNs[i] < expiresAtNs[first] ? i : first;
        }
        return first;
    }
}
