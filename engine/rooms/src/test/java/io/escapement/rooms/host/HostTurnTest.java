package io.escapement.rooms.host;

import io.escapement.codecs.room.DirectoryEntryDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.NoOutputs;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** The reports of a host: of its turns, and of its rooms to a directory. */
class HostTurnTest
{
    private static final int TYPE = 1;
    private static final long MS = 1_000_000;

    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
    private final List<String> events = new ArrayList<>();
    private final List<Quiet> logics = new ArrayList<>();
    private RoomHost host = new RoomHost(context());

    @Test
    void shouldListTheOpenRoomsInTheOrderInWhichTheyOpened()
    {
        turn(5 * MS, () ->
        {
            open(5);
            open(3);
            open(9);
        });
        assertArrayEquals(new long[]{5, 3, 9}, host.openRoomIds());
        turn(6 * MS, () ->
        {
            run(encoder.closeRoom(buffer, 0, 3));
            open(4);
            run(encoder.closeRoom(buffer, 0, 9));
        });
        assertArrayEquals(new long[]{5, 4}, host.openRoomIds());
        turn(7 * MS, () ->
        {
            run(encoder.closeRoom(buffer, 0, 5));
            run(encoder.closeRoom(buffer, 0, 4));
        });
        assertArrayEquals(new long[0], host.openRoomIds());
        assertEquals(7 * MS, host.nowNs());
        assertEquals(3, host.turn());
    }

    @Test
    void shouldShowTheRoomThatRuns()
    {
        final List<Long> running = new ArrayList<>();
        turn(1, () -> open(5));
        act(5, (room) -> running.add(host.runningRoomId()));
        assertEquals(List.of(5L), running);
        assertEquals(0, host.runningRoomId());
    }

    /** Rooms 1 and 5 share a phase, whose frames are at 4.17 ms and each 16.67 ms later; room 2 has the next phase. */
    @Test
    void shouldReportTheFramesOfEachPhase()
    {
        turn(1, () ->
        {
            open(1);
            open(5);
            open(2);
        });
        for (final long room : new long[]{1, 5, 2})
        {
            act(room, (within) -> within.frameRate(60));
        }
        events.clear();
        turn(2 * MS, this::nothing);
        assertEquals(List.of("flush"), events);
        events.clear();
        turn(5 * MS, this::nothing);
        assertEquals(List.of("flush", "flush", "60 Hz, phase 1, at 4166666: 2 ran, 0 missed"), events);
        events.clear();
        turn(100 * MS, this::nothing);
        assertEquals(List.of("flush",
            "flush", "60 Hz, phase 2, at 91666666: 1 ran, 5 missed",
            "flush", "60 Hz, phase 1, at 87499999: 2 ran, 8 missed"), events);
    }

    @Test
    void shouldAnnounceRoomsSeatsAndLabelsAfterARestore()
    {
        turn(1, () ->
        {
            open(1);
            open(2);
            run(encoder.linkUp(buffer, 0, 1, 0));
            run(encoder.join(buffer, 0, 2, 7, 1, 0, buffer, 0, 0));
            run(encoder.reserve(buffer, 0, 2, 8, 1_000 * MS, 0, 0));
        });
        final UnsafeBuffer label = new UnsafeBuffer("arena".getBytes(StandardCharsets.US_ASCII));
        act(2, (room) ->
        {
            room.label(0, label, 0, 5);
            room.label(3, label, 1, 4);
            room.label(4, label, 0, 5);
            room.label(4, label, 0, 0);
            room.label(15, label, 0, 1);
        });
        restore();
        events.clear();
        HostRig.announce(host, false);
        assertEquals(List.of(
            "OPENED 1 type 1 seats 0 of 4 label 0=",
            "OCCUPANCY 1 type 0 seats 0 of 0 label 0=",
            "OPENED 2 type 1 seats 0 of 4 label 0=",
            "OCCUPANCY 2 type 0 seats 2 of 0 label 0=",
            "LABEL 2 type 0 seats 0 of 0 label 0=arena",
            "LABEL 2 type 0 seats 0 of 0 label 3=rena",
            "LABEL 2 type 0 seats 0 of 0 label 15=a"), events);
    }

    @Test
    void shouldRestoreAHostWithoutATurn()
    {
        final long hash = host.stateHash();
        restore();
        assertEquals(hash, host.stateHash());
        assertEquals(0, host.turn());
        assertEquals(0, host.openRooms());
    }

    @Test
    void shouldStillDrainAfterARestore()
    {
        turn(1, () -> run(encoder.drain(buffer, 0, MS)));
        restore();
        turn(2, () -> assertEquals(RefusalCode.DRAINING.value(),
            host.onCommand(buffer, 0, encoder.openRoom(buffer, 0, 1, 1, 0, 0, TYPE, buffer, 0, 0))));
        assertEquals(2, host.turn());
    }

    private void restore()
    {
        final ByteSink snapshot = new ByteSink();
        host.snapshot(snapshot);
        host = RoomHost.restore(context(), snapshot.buffer(), 0, snapshot.length());
    }

    private void turn(final long nowNs, final Runnable commands)
    {
        host.beginTurn(nowNs);
        commands.run();
        host.endTurn();
    }

    private void open(final long roomId)
    {
        run(encoder.openRoom(buffer, 0, roomId, 1, 0, 0, TYPE, buffer, 0, 0));
    }

    private void act(final long roomId, final Consumer<Room> act)
    {
        for (final Quiet logic : logics)
        {
            logic.onSignal = () -> act.accept(logic.room);
        }
        turn(1, () -> run(encoder.signal(buffer, 0, roomId, 0, 0, buffer, 0, 0)));
    }

    private void run(final int length)
    {
        assertEquals(0, host.onCommand(buffer, 0, length));
    }

    private void nothing()
    {
    }

    private HostContext context()
    {
        return new HostContext().outputs(new Noting()).listener(new RecordedEvents(events)).roomLimit(4).phaseGroups(4)
            .roomType(RoomType.of(TYPE, "noting", 1, this::newLogic).seats(4));
    }

    private Quiet newLogic()
    {
        final Quiet logic = new Quiet();
        logics.add(logic);
        return logic;
    }

    private final class Noting extends NoOutputs
    {
        private final MessageHeaderDecoder header = new MessageHeaderDecoder();
        private final DirectoryEntryDecoder entry = new DirectoryEntryDecoder();

        @Override
        public void toEdge(final DirectBuffer source, final int offset, final int length)
        {
            entry.wrapAndApplyHeader(source, offset, header);
            final String room = entry.change() + " " + entry.subjectRoomId() + " type " + entry.typeId() +
                " seats " + entry.seatsTaken() + " of " + entry.seatLimit() + " label " + entry.labelKey() + "=";
            final byte[] value = new byte[entry.valueLength()];
            entry.getValue(value, 0, value.length);
            events.add(room + new String(value, StandardCharsets.US_ASCII));
        }

        @Override
        public void flush()
        {
            events.add("flush");
        }
    }
}
