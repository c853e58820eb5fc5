package io.escapement.gateway;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/** A room's states to all connections of a worker, for tests that measure what the worker allocates for them. */
final class Broadcast
{
    static final int PLAYERS = 16;
    static final int STATE_LENGTH = 200;
    private static final long ROOM = 1;

    private final Sessions sessions;
    private final List<FakeEngine.FakeSeat> seats = new ArrayList<>();
    private final UnsafeBuffer state = new UnsafeBuffer("s".repeat(STATE_LENGTH).getBytes(StandardCharsets.US_ASCII));

    /** Give each connection a seat. */
    Broadcast(final Sessions sessions)
    {
        this.sessions = sessions;
        sessions.connections().forEach((connection) ->
        {
            final PlayerSession session = new PlayerSession();
            session.isLoggedIn = true;
            session.connection = connection;
            connection.session(session);
            final FakeEngine.FakeSeat seat = new FakeEngine.FakeSeat(ROOM, seats.size(), seats.size() + 1);
            final Place place = new Place(session, ROOM);
            place.state = Place.State.SEATED;
            place.seat = seat;
            seat.place(place);
            seats.add(seat);
        });
    }

    /** Send states to everyone. */
    void send(final int messages)
    {
        for (int message = 0; message < messages; message++)
        {
            sessions.onRoomMessage(ROOM, true, 0, seats, state, 0, STATE_LENGTH);
        }
    }
}
