package io.escapement.arena;

import io.escapement.arena.codecs.GuestDecoder;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import org.agrona.concurrent.UnsafeBuffer;

/** Players whom the lobby has let in and who have not joined yet. Each is kept a little longer than its reservation. */
final class Guests
{
    /** As long as the reservation, and a second for its way. */
    static final long KEPT_NS = LobbyEntrance.RESERVATION_NS + 1_000_000_000L;

    /** Twice the seats: reservations that ran out may still be on the list. */
    private static final int LIMIT = 32;

    final CharacterTable table = new CharacterTable(LIMIT);
    private final long[] untilNs = new long[LIMIT];

    void put(final GuestDecoder guest, final UnsafeBuffer scratch, final long nowNs)
    {
        int place = table.placeOf(guest.playerId());
        for (int i = 0; i < LIMIT && place < 0; i++)
        {
            place = !table.isTaken(i) || untilNs[i] <= nowNs ? i : -1;
        }
        if (place < 0)
        {
            place = first();
        }
        final long playerId = guest.playerId();
        final long characterId = guest.characterId();
        final long kills = guest.kills();
        final long deaths = guest.deaths();
        final int length = guest.getName(scratch, 0, scratch.capacity());
        table.put(place, playerId, characterId, kills, deaths, scratch, 0, length);
        untilNs[place] = nowNs + KEPT_NS;
    }

    /** The place of a player who may come in now, or -1. */
    int placeOf(final long playerId, final long nowNs)
    {
        final int place = table.placeOf(playerId);
        return place >= 0 && untilNs[place] > nowNs ? place : -1;
    }

    void write(final StateWriter writer)
    {
        table.write(writer);
        for (final long until : untilNs)
        {
            writer.putLong(until);
        }
    }

    void read(final StateReader reader)
    {
        table.read(reader);
        for (int i = 0; i < LIMIT; i++)
        {
            untilNs[i] = reader.getLong();
        }
    }

    /** Who would be off the list first makes place. */
    private int first()
    {
        int first = 0;
        for (int i = 1; i < LIMIT; i++)
        {
            first = untilNs[i] < untilNs[first] ? i : first;
        }
        return first;
    }
}
