package io.escapement.arena.lobby;

import io.escapement.arena.common.RateLimit;
import io.escapement.rooms.Room;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.nio.ByteOrder;

/** The data of each seat in the lobby: messages received, requests in flight, and rate limits. */
final class LobbySeats
{
    /** Most requests of a seat in flight. */
    private static final int REQUESTS_OF_SEAT = 4;

    private static final int RECEIVED = 0;
    private static final int OPEN_REQUESTS = RECEIVED + Long.BYTES;
    private static final RateLimit INPUTS = new RateLimit(OPEN_REQUESTS + Long.BYTES, 20, 40);
    private static final RateLimit CHATS = new RateLimit(OPEN_REQUESTS + 2 * Long.BYTES, 1, 3);
    private static final RateLimit PASSWORDS = new RateLimit(OPEN_REQUESTS + 3 * Long.BYTES, 1, 5);
    private static final RateLimit FLOOD_NOTICES = new RateLimit(OPEN_REQUESTS + 4 * Long.BYTES, 1, 1);
    private static final RateLimit LEADERS = new RateLimit(OPEN_REQUESTS + 5 * Long.BYTES, 1, 3);
    private static final int CHAT_SHARE = OPEN_REQUESTS + 6 * Long.BYTES;

    /** Bytes of each seat. */
    static final int DATA_LENGTH = CHAT_SHARE + ChatBudget.DATA_LENGTH;

    private final ChatBudget budget = new ChatBudget(CHAT_SHARE);
    private final Room room;

    LobbySeats(final Room room)
    {
        this.room = room;
    }

    /** Count a message. False if it exceeds the seat's rate. */
    boolean onMessage(final Seat seat)
    {
        add(seat, RECEIVED, 1);
        return INPUTS.take(room.data(seat), room.nowNs());
    }

    /** Number of messages that the seat has sent. */
    long received(final Seat seat)
    {
        return add(seat, RECEIVED, 0);
    }

    /** Whether a FLOOD may be sent to the seat. The rest is only counted. */
    boolean mayNotifyFlood(final Seat seat)
    {
        return FLOOD_NOTICES.take(room.data(seat), room.nowNs());
    }

    boolean mayChat(final Seat seat)
    {
        return CHATS.take(room.data(seat), room.nowNs()) &&
            budget.take(room.data(seat), room.nowNs(), room.seatsPresent());
    }

    boolean mayTryPassword(final Seat seat)
    {
        return PASSWORDS.take(room.data(seat), room.nowNs());
    }

    boolean mayListLeaders(final Seat seat)
    {
        return LEADERS.take(room.data(seat), room.nowNs());
    }

    boolean mayRequest(final Seat seat)
    {
        return add(seat, OPEN_REQUESTS, 0) < REQUESTS_OF_SEAT;
    }

    void onRequest(final Seat seat)
    {
        add(seat, OPEN_REQUESTS, 1);
    }

    void onReply(final Seat seat)
    {
        add(seat, OPEN_REQUESTS, -1);
    }

    void write(final StateWriter writer)
    {
        budget.write(writer);
    }

    void read(final StateReader reader)
    {
        budget.read(reader);
    }

    /** Returns the sum. */
    private long add(final Seat seat, final int offset, final long number)
    {
        final long sum = room.data(seat).getLong(offset, ByteOrder.LITTLE_ENDIAN) + number;
        room.data(seat).putLong(offset, sum, ByteOrder.LITTLE_ENDIAN);
        return sum;
    }
}
