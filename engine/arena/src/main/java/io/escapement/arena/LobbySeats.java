package io.escapement.arena;

import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;

/** What the lobby keeps of each seat: how much was heard of it, what it waits for, and how much more it may do. */
final class LobbySeats
{
    private static final int SEATS = ArenaTypes.LOBBY_SEATS;
    /** A client that waits for its answers never has more. */
    private static final int REQUESTS_OF_SEAT = 4;

    private final int[] openRequests = new int[SEATS];
    private final long[] heard = new long[SEATS];
    private final RateLimit inputs = new RateLimit(SEATS, 20, 40);
    private final RateLimit chats = new RateLimit(SEATS, 1, 3);
    private final RateLimit passwords = new RateLimit(SEATS, 1, 5);
    private final RateLimit floodsTold = new RateLimit(SEATS, 1, 1);
    /** Every text goes to everybody, so all players together have a limit too. */
    private final RateLimit allChats = new RateLimit(1, 50, 100);

    /** Another player will have the seat. */
    void reset(final Seat seat)
    {
        final int index = seat.index();
        openRequests[index] = 0;
        heard[index] = 0;
        inputs.reset(index);
        chats.reset(index);
        passwords.reset(index);
        floodsTold.reset(index);
    }

    /** A message came. Whether it may be read. */
    boolean hear(final Seat seat, final long nowNs)
    {
        heard[seat.index()]++;
        return inputs.take(seat.index(), nowNs);
    }

    /** How many messages came. */
    long heard(final Seat seat)
    {
        return heard[seat.index()];
    }

    /** Whether it is to be told that it sends too much. */
    boolean mayBeToldOfFlood(final Seat seat, final long nowNs)
    {
        return floodsTold.take(seat.index(), nowNs);
    }

    boolean mayChat(final Seat seat, final long nowNs)
    {
        return chats.take(seat.index(), nowNs) && allChats.take(0, nowNs);
    }

    boolean mayTryPassword(final Seat seat, final long nowNs)
    {
        return passwords.take(seat.index(), nowNs);
    }

    boolean mayAsk(final Seat seat)
    {
        return openRequests[seat.index()] < REQUESTS_OF_SEAT;
    }

    void asked(final Seat seat)
    {
        openRequests[seat.index()]++;
    }

    void answered(final Seat seat)
    {
        openRequests[seat.index()]--;
    }

    void write(final StateWriter writer)
    {
        for (int i = 0; i < SEATS; i++)
        {
            writer.putInt(openRequests[i]);
            writer.putLong(heard[i]);
        }
        inputs.write(writer);
        chats.write(writer);
        passwords.write(writer);
        floodsTold.write(writer);
        allChats.write(writer);
    }

    void read(final StateReader reader)
    {
        for (int i = 0; i < SEATS; i++)
        {
            openRequests[i] = reader.getInt();
            heard[i] = reader.getLong();
        }
        inputs.read(reader);
        chats.read(reader);
        passwords.read(reader);
        floodsTold.read(reader);
        allChats.read(reader);
    }
}
