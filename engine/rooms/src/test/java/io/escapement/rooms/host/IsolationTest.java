package io.escapement.rooms.host;

import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.DirectoryEntry;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.output.NoOutputs;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** One of 256 rooms misbehaves in every possible way, which must not affect the others. */
class IsolationTest
{
    private static final int ROOMS = 256;
    private static final int BAD_ROOM = 128;
    private static final int SEATS = 4;
    private static final int TURNS = 60;

    enum Mischief
    {
        NONE, ON_OPEN, ON_JOIN_REQUEST, ON_JOIN, ON_AWAY, ON_BACK, ON_LEAVE, ON_MESSAGE, ON_SIGNAL, ON_REPLY, ON_TIMER,
        ON_FRAME, ON_STATE_LOST, ON_DRAIN, ON_DIRECTORY, ON_CLOSE, STACK, ALL_TIMERS, ALL_OUTPUT, ALL_REQUESTS,
        ALL_GROUPS, NO_LOGIC
    }

    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
    private final UnsafeBuffer payload = new UnsafeBuffer(new byte[32]);
    private final RecordedEvents events = new RecordedEvents();
    private boolean hasActed;

    @ParameterizedTest
    @EnumSource(Mischief.class)
    void shouldNotAffectTheOtherRooms(final Mischief mischief)
    {
        final RoomHost quiet = run(Mischief.NONE);
        assertEquals(List.of(), events.failures);
        hasActed = false;
        final RoomHost host = run(mischief);
        for (int room = 1; room <= ROOMS; room++)
        {
            if (BAD_ROOM != room)
            {
                assertEquals(quiet.stateHash(room), host.stateHash(room), "room " + room + " beside " + mischief);
            }
        }
        assertTrue(events.failedRooms.stream().allMatch((roomId) -> BAD_ROOM == roomId), events.failures::toString);
        final boolean hasFailed = !events.failedRooms.isEmpty();
        assertTrue(Mischief.NONE == mischief || hasActed || hasFailed, mischief + " never happened");
        if (mischief.name().startsWith("ON_"))
        {
            assertTrue(hasFailed, "the room did not fail");
            assertEquals(0, host.stateHash(BAD_ROOM), "the room is still open");
        }
    }

    private RoomHost run(final Mischief mischief)
    {
        final RoomHost host = new RoomHost(new HostContext().outputs(new NoOutputs())
            .listener(events)
            .roomType(type(1, Mischief.NONE)).roomType(type(2, mischief)));
        host.beginTurn(0);
        command(host, encoder.linkUp(buffer, 0, 1, 1));
        for (int room = 1; room <= ROOMS; room++)
        {
            command(host, encoder.openRoom(
                buffer, 0, room, room, 0, 0, BAD_ROOM == room ? 2 : 1, payload, 0, 0));
        }
        host.endTurn();
        for (int turn = 1; turn <= TURNS; turn++)
        {
            host.beginTurn(turn * 5_000_000L);
            for (int room = 1; room <= ROOMS; room++)
            {
                roomCommands(host, room, turn);
            }
            if (turn == 20)
            {
                command(host, encoder.linkDown(buffer, 0, 1));
            }
            if (turn == 22)
            {
                command(host, encoder.linkResumed(buffer, 0, 1, 1, 1));
            }
            if (turn == 50)
            {
                command(host, encoder.drain(buffer, 0, 1_000_000_000));
            }
            host.endTurn();
        }
        // Close the room that fails in onClose; all others stay open for the comparison.
        host.beginTurn(1_000_000_000);
        if (Mischief.ON_CLOSE == mischief)
        {
            command(host, encoder.closeRoom(buffer, 0, BAD_ROOM));
        }
        host.endTurn();
        return host;
    }

    private void roomCommands(final RoomHost host, final int room, final int turn)
    {
        if (turn <= SEATS)
        {
            command(host, encoder.join(buffer, 0, room, turn, turn, 1, payload, 0, 0));
        }
        else if (turn % 3 == 0)
        {
            command(host, encoder.message(buffer, 0, room, turn, turn % SEATS, 1, 1, payload, 0, 16));
        }
        else if (turn % 7 == 0)
        {
            command(host, encoder.signal(buffer, 0, room, 5, 5, payload, 0, 8));
            command(host, encoder.reply(buffer, 0, room, 1 + turn / 7, 0, payload, 0, 8));
            command(host, encoder.stateLost(buffer, 0, room, 1, 1));
            command(host, encoder.directoryEntry(
                buffer, 0, room, 9, 1, 1, 1, 0, DirectoryChange.OPENED, payload, 0, 0));
        }
        else if (turn == 40)
        {
            command(host, encoder.leave(buffer, 0, room, 0, 1, 1));
        }
    }

    private void command(final RoomHost host, final int length)
    {
        host.onCommand(buffer, 0, length);
    }

    private RoomType type(final int id, final Mischief mischief)
    {
        return RoomType.of(id, "room" + id, 1, () -> make(mischief)).seats(SEATS).timers(4).requests(8).groups(2)
            .outputLimit(1_024);
    }

    private RoomLogic make(final Mischief mischief)
    {
        if (Mischief.NO_LOGIC == mischief)
        {
            throw new IllegalStateException("no logic today");
        }
        return new Player(mischief);
    }

    private final class Player implements RoomLogic
    {
        private final Mischief mischief;
        private final UnsafeBuffer out = new UnsafeBuffer(new byte[512]);
        private Room room;
        private long count;

        Player(final Mischief mischief)
        {
            this.mischief = mischief;
        }

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            act(Mischief.ON_OPEN);
            room.frameRate(60);
            room.every(9_000_000, 1, 1);
        }

        @Override
        public int onJoinRequest(final long playerId, final DirectBuffer args, final int offset, final int length)
        {
            act(Mischief.ON_JOIN_REQUEST);
            return ACCEPT;
        }

        @Override
        public void onJoin(final Seat seat)
        {
            act(Mischief.ON_JOIN);
        }

        @Override
        public void onAway(final Seat seat)
        {
            act(Mischief.ON_AWAY);
        }

        @Override
        public void onBack(final Seat seat)
        {
            act(Mischief.ON_BACK);
        }

        @Override
        public void onLeave(final Seat seat, final LeaveReason reason)
        {
            act(Mischief.ON_LEAVE);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer message, final int offset, final int length)
        {
            act(Mischief.ON_MESSAGE);
            room.async(1, 1, out, 0, 8);
            room.sendEvent(room.everyone(), out, 0, 16);
            useUp();
        }

        @Override
        public void onSignal(final long from, final DirectBuffer message, final int offset, final int length)
        {
            act(Mischief.ON_SIGNAL);
        }

        @Override
        public void onReply(
            final long id, final int status, final DirectBuffer message, final int offset, final int length)
        {
            act(Mischief.ON_REPLY);
        }

        @Override
        public void onTimer(final long handle, final int kind, final long tag)
        {
            act(Mischief.ON_TIMER);
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            act(Mischief.ON_FRAME);
        }

        @Override
        public void onStateLost(final Seat seat)
        {
            act(Mischief.ON_STATE_LOST);
        }

        @Override
        public void onDrain(final Room drained, final long deadlineNs)
        {
            act(Mischief.ON_DRAIN);
        }

        @Override
        public void onDirectory(final DirectoryEntry entry)
        {
            act(Mischief.ON_DIRECTORY);
        }

        @Override
        public void onClose(final CloseReason reason)
        {
            act(Mischief.ON_CLOSE);
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            writer.putLong(count);
        }

        private void act(final Mischief place)
        {
            count = count * 31 + place.ordinal();
            if (place == mischief)
            {
                throw new IllegalStateException("on purpose in " + place);
            }
        }

        private void useUp()
        {
            switch (mischief)
            {
                case STACK -> recurse(1);
                case ALL_TIMERS ->
                {
                    for (int i = 0; i < 100; i++)
                    {
                        hasActed |= Room.NO_TIMER == room.after(1_000_000, 2, i);
                    }
                }
                case ALL_OUTPUT ->
                {
                    for (int i = 0; i < 100; i++)
                    {
                        room.sendEvent(room.everyone(), out, 0, 500);
                        room.sendState(room.everyone(), out, 0, 500);
                    }
                    hasActed = true;
                }
                case ALL_REQUESTS ->
                {
                    for (int i = 0; i < 40; i++)
                    {
                        room.async(1, 1, out, 0, 500);
                    }
                    hasActed = true;
                }
                case ALL_GROUPS ->
                {
                    for (int i = 0; i < 3; i++)
                    {
                        room.newGroup();
                    }
                }
                default -> count++;
            }
        }

        private long recurse(final long depth)
        {
            return recurse(depth + 1) + 1;
        }
    }
}
