package io.escapement.arena;

import io.escapement.rooms.Room;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A room's requests for characters. Those of one account are done in order: the account is the order key. */
final class CharacterRequests
{
    /** Requests of one turn are told apart by their count. */
    private static final int COUNT_BITS = 10;
    private static final long NS_PER_MS = 1_000_000;
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private final Room room;
    private final long keyHigh;
    private final CharacterStore store;
    private final CharacterAnswer answer = new CharacterAnswer();
    private final UnsafeBuffer request = new UnsafeBuffer(new byte[Room.MAX_REQUEST_LENGTH]);

    private long countedNs = -1;
    private int countOfTurn;

    CharacterRequests(final Room room, final CharacterStore store)
    {
        this.room = room;
        // Room ids begin anew with each host, whose time of origin does not.
        keyHigh = MIX * (room.epochMs() - room.nowNs() / NS_PER_MS) + room.roomId();
        this.store = store;
    }

    long list(final long accountId)
    {
        return ask(accountId, store.list(request, accountId));
    }

    long create(final long accountId, final DirectBuffer name, final int offset, final int length)
    {
        return ask(accountId, store.create(request, accountId, keyHigh, nextKey(), name, offset, length));
    }

    long delete(final long accountId, final long characterId)
    {
        return ask(accountId, store.delete(request, accountId, keyHigh, nextKey(), characterId));
    }

    long save(final long accountId, final CharacterProgress progress)
    {
        return ask(accountId, store.save(request, accountId, progress));
    }

    /** 0 when it was done: then {@link #answer()} has what it was. Otherwise a code. */
    int read(final int kind, final int status, final DirectBuffer buffer, final int offset, final int length)
    {
        answer.clear();
        return store.read(kind, status, buffer, offset, length, answer);
    }

    CharacterAnswer answer()
    {
        return answer;
    }

    /** Names what is asked, the room and its host, for ever. */
    long keyHigh()
    {
        return keyHigh;
    }

    private long nextKey()
    {
        final long nowNs = room.nowNs();
        countOfTurn = nowNs == countedNs ? countOfTurn + 1 : 0;
        countedNs = nowNs;
        return nowNs << COUNT_BITS | countOfTurn;
    }

    private long ask(final long accountId, final int length)
    {
        return room.async(store.serviceId(), accountId, request, 0, length);
    }
}
