package io.escapement.arena.lobby;

import io.escapement.arena.common.RateLimit;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;

/** The state of each seat in the lobby: messages received, requests in flight, and rate limits. */
final class LobbySeats
{
    private static final int SEATS = LobbyRoom.SEATS;
    /** Most requests of a seat in flight. */
    private static final int REQUESTS_OF_SEAT = 4;

    private final int[] openRequests = new int[SEATS];
    private final long[] received = new long[SEATS];
    private final RateLimit inputs = new RateLimit(SEATS, 20, 40);
    private final RateLimit chats = new RateLimit(SEATS, 1, 3);
    private final RateLimit passwords = new RateLimit(SEATS, 1, 5);
    private final RateLimit floodNotices = new RateLimit(SEATS, 1, 1);
    /** Every chat message goes to everyone, so all players together have a limit too. */
    private final RateLimit allChats = new RateLimit(1, 50, 100);

    /** For another player on the seat. */
    void reset(final Seat seat)
    {
        final int index = seat.index();
        openRequests[index] = 0;
        received[index] = 0;
        inputs.reset(index);
        chats.reset(index);
        passwords.reset(index);
        floodNotices.reset(index);
    }

    /** Count a message. False if it exceeds the seat's rate. */
    boolean onMessage(final Seat seat, final long nowNs)
    {
        received[seat.index()]++;
        return inputs.take(seat.index(), nowNs);
    }

    /** Number of messages that the seat has sent. */
    long received(final Seat seat)
    {
        return received[seat.index()];
    }

    /** Whether a FLOOD may be sent to the seat; the rest is only counted. */
    boolean mayNotifyFlood(final Seat seat, final long nowNs)
    {
        return floodNotices.take(seat.index(), nowNs);
    }

    boolean mayChat(final Seat seat, final long nowNs)
    {
        return chats.take(seat.index(), nowNs) && allChats.take(0, nowNs);
    }

    boolean mayTryPassword(final Seat seat, final long nowNs)
    {
        return passwords.take(seat.index(), nowNs);
    }

    boolean mayRequest(final Seat seat)
    {
        return openRequests[seat.index()] < REQUESTS_OF_SEAT;
    }

    void onRequest(final Seat seat)
    {
        openRequests[seat.index()]++;
    }

    void onReply(final Seat seat)
    {
        openRequests[seat.index()]--;
    }

    void write(final StateWriter writer)
    {
        for (int i = 0; i < SEATS; i++)
        {
            writer.putInt(openRequests[i]);
            writer.putLong(received[i]);
        }
        inputs.write(writer);
        chats.write(writer);
        passwords.write(writer);
        floodNotices.write(writer);
        allChats.write(writer);
    }

    void read(final StateReader reader)
    {
        for (int i = 0; i < SEATS; i++)
        {
            openRequests[i] = reader.getInt();
            received[i] = reader.getLong();
        }
        inputs.read(reader);
        chats.read(reader);
        passwords.read(reader);
        floodNotices.read(reader);
        allChats.read(reader);
    }
}
