package io.escapement.arena.common;

import io.escapement.rooms.Room;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A room's requests to the character service. Requests of an account run in order, because the account is the order
 * key.
 */
public final class CharacterRequests
{
    /** Numbers the requests of one turn within an idempotency key. */
    private static final int COUNT_BITS = 10;
    private static final long NS_PER_MS = 1_000_000;
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    private final Room room;
    private final CharacterStore store;
    private final CharacterAnswer answer = new CharacterAnswer();
    private final UnsafeBuffer request = new UnsafeBuffer(new byte[Room.MAX_REQUEST_LENGTH]);

    private long keyHigh;
    private long lastKeyNs = -1;
    private int keysOfTurn;

    /** @param store that encodes the requests. */
    public CharacterRequests(final Room room, final CharacterStore store)
    {
        this.room = room;
        // Each host numbers its rooms from 1, but no two hosts have the same time of origin. A host's time of origin
        // changes when it is restarted or another node leads. The key is therefore state of the room.
        keyHigh = MIX * (room.epochMs() - room.nowNs() / NS_PER_MS) + room.roomId();
        this.store = store;
    }

    /** Ask for the characters of an account. Each request returns its correlation id. */
    public long list(final long accountId)
    {
        return send(accountId, store.list(request, accountId));
    }

    /** Create a character. */
    public long create(final long accountId, final DirectBuffer name, final int offset, final int length)
    {
        return send(accountId, store.create(request, accountId, keyHigh, nextKeyLow(), name, offset, length));
    }

    /** Delete a character. */
    public long delete(final long accountId, final long characterId)
    {
        return send(accountId, store.delete(request, accountId, keyHigh, nextKeyLow(), characterId));
    }

    /** Ask for the characters with most kills, and the place of the account's best. */
    public long leaders(final long accountId)
    {
        return send(accountId, store.leaders(request, accountId));
    }

    /** Save a character's progress. */
    public long save(final long accountId, final CharacterProgress progress)
    {
        return send(accountId, store.save(request, accountId, progress));
    }

    /** Decode the answer to a request of this kind: 0 if {@link #answer()} has the result, otherwise an ArenaCode. */
    public int read(final int kind, final int status, final DirectBuffer buffer, final int offset, final int length)
    {
        answer.clear();
        return store.read(kind, status, buffer, offset, length, answer);
    }

    /** The last answer that was read. */
    public CharacterAnswer answer()
    {
        return answer;
    }

    /** First half of an idempotency key: it identifies this room among all rooms of all hosts. */
    public long keyHigh()
    {
        return keyHigh;
    }

    /** Write the state that the next keys depend on. */
    public void write(final StateWriter writer)
    {
        writer.putLong(keyHigh);
        writer.putLong(lastKeyNs);
        writer.putInt(keysOfTurn);
    }

    /** Continue the keys. */
    public void read(final StateReader reader)
    {
        keyHigh = reader.getLong();
        lastKeyNs = reader.getLong();
        keysOfTurn = reader.getInt();
    }

    private long nextKeyLow()
    {
        final long nowNs = room.nowNs();
        keysOfTurn = nowNs == lastKeyNs ? keysOfTurn + 1 : 0;
        lastKeyNs = nowNs;
        return nowNs << COUNT_BITS | keysOfTurn;
    }

    private long send(final long accountId, final int length)
    {
        return room.async(store.serviceId(), accountId, request, 0, length);
    }
}
