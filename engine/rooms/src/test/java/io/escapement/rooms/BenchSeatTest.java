package io.escapement.rooms;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The players of a bench: where they sit, what reaches them, and which refusals are theirs. */
class BenchSeatTest
{
    private static final UnsafeBuffer NONE = new UnsafeBuffer(new byte[0]);

    private final RoomType type = RoomType.of(1, "echo", 1, Echo::new).seats(2);
    private final RoomBench bench = RoomBench.of(type);
    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[256]);

    @Test
    void shouldReceiveAsBytesAndAsTexts()
    {
        final BenchSeat ann = bench.join(1);
        assertEquals(0, ann.send("one"));
        assertEquals(0, ann.send(new UnsafeBuffer("-two-".getBytes()), 1, 3));
        assertEquals(List.of("one", "two"), ann.texts());
        assertArrayEquals("two".getBytes(), ann.received().get(1));
        assertEquals(List.of(), ann.refusals());
    }

    @Test
    void shouldRefuseThePlayerThatFindsNoSeat()
    {
        final BenchSeat ann = bench.join(1);
        final BenchSeat bob = bench.join(2);
        final BenchSeat cat = bench.join(3);
        assertEquals(List.of(0, 1, -1), List.of(ann.index(), bob.index(), cat.index()));
        assertTrue(ann.isPresent() && bob.isPresent());
        assertFalse(cat.isPresent());
        assertEquals(List.of(RefusalCode.ROOM_FULL.value()), cat.refusals());
        assertEquals(List.of(), bob.refusals());
    }

    @Test
    void shouldGiveTheSeatOfAPlayerThatLeftToTheNext()
    {
        final BenchSeat ann = bench.join(1);
        final BenchSeat bob = bench.join(2);
        assertEquals(0, ann.leave());
        assertFalse(ann.isPresent());
        assertTrue(bob.isPresent());
        assertEquals(RefusalCode.STALE_SEAT.value(), ann.leave());
        final BenchSeat cat = bench.join(3);
        assertEquals(0, cat.index());
        bob.send("to 0");
        assertEquals(List.of("to 0"), cat.texts());
        assertEquals(List.of(), ann.texts());
        assertEquals(RefusalCode.STALE_SEAT.value(), ann.send("late"));
        assertEquals(List.of(RefusalCode.STALE_SEAT.value()), ann.refusals());
        assertEquals(List.of(), cat.refusals());
    }

    @Test
    void shouldNotReachAPlayerThatWasKicked()
    {
        final BenchSeat ann = bench.join(1);
        final BenchSeat bob = bench.join(2);
        bob.send("kick 0");
        assertFalse(ann.isPresent());
        assertTrue(bob.isPresent());
        bob.send("hello");
        assertEquals(List.of(), ann.texts());
        assertEquals(List.of("hello"), bob.texts());
    }

    @Test
    void shouldKeepTwoRoomsOfOneLinkApart()
    {
        final long other = bench.open(type, NONE, 0, 0);
        final BenchSeat here = bench.join(1);
        final BenchSeat there = here.join(other);
        assertEquals(0, there.index());
        here.send("here");
        there.send("there");
        assertEquals(List.of("here"), here.texts());
        assertEquals(List.of("there"), there.texts());
        assertEquals(0, bench.command(command, 0, encoder.closeRoom(command, 0, other)));
        assertEquals(RefusalCode.UNKNOWN_ROOM.value(),
            bench.command(command, 0, encoder.closeRoom(command, 0, other)));
        assertTrue(here.isPresent());
        assertFalse(there.isPresent());
        assertEquals(RefusalCode.UNKNOWN_ROOM.value(), there.send("late"));
        assertEquals(List.of(RefusalCode.UNKNOWN_ROOM.value()), there.refusals());
        assertEquals(List.of(), here.refusals());
        here.disconnect();
        assertFalse(here.isPresent());
    }

    @Test
    void shouldContinueASequenceThroughAnotherLink()
    {
        final BenchSeat first = bench.join(1);
        first.send("one");
        first.send("two");
        final BenchSeat second = bench.join(1);
        assertFalse(first.isPresent());
        assertTrue(second.isPresent());
        assertEquals(0, second.index());
        assertEquals(0, second.send("three"));
        assertEquals(List.of("one", "two"), first.texts());
        assertEquals(List.of("three"), second.texts());
        bench.replayAndCompare();
    }

    @Test
    void shouldContinueASequenceAfterItsTrunkResumed()
    {
        final BenchSeat ann = bench.join(1);
        final BenchSeat bob = bench.join(2);
        ann.send("one");
        ann.disconnect();
        bob.send("two");
        // Of the two links, Ann's is 0.
        assertEquals(0, bench.command(command, 0, encoder.linkResumed(command, 0, 0, 5, 0)));
        assertTrue(ann.isPresent());
        assertEquals(0, ann.send("three"));
        assertEquals(List.of("one", "three"), ann.texts());
        assertEquals(List.of("one", "two", "three"), bob.texts());
        assertEquals(0, bob.send("four"));
        bench.replayAndCompare();
    }

    @Test
    void shouldKeepEventsAndStatesApart()
    {
        final BenchSeat ann = bench.join(1);
        ann.send("one");
        ann.send("state");
        ann.send("two");
        assertEquals(List.of("one", "state", "two"), ann.texts());
        assertEquals(List.of("one", "two"), ann.events().stream().map(String::new).toList());
        assertEquals(List.of("state"), ann.states().stream().map(String::new).toList());
    }

    @Test
    void shouldKeepTheReasonAndTheCodeOfALeave()
    {
        final BenchSeat ann = bench.join(1);
        final BenchSeat bob = bench.join(2);
        assertNull(ann.leaveReason());
        assertEquals(0, ann.leave(77));
        assertEquals(List.of("left 77"), bob.texts());
        assertEquals(LeaveReason.LEFT, ann.leaveReason());
        assertEquals(77, ann.leaveCode());
        final BenchSeat cat = bench.join(3);
        bob.send("kick 0");
        assertEquals(LeaveReason.KICKED, cat.leaveReason());
        assertEquals(RoomLogic.FIRST_APPLICATION_CODE + 1, cat.leaveCode());
        assertEquals(0, bob.leave());
        assertEquals(LeaveReason.LEFT, bob.leaveReason());
        assertEquals(0, bob.leaveCode());
        bench.replayAndCompare();
    }

    /** Sends each message to everyone. Some words it obeys: a kick, an event to one seat, and a state. */
    private static final class Echo implements RoomLogic
    {
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            switch (buffer.getStringWithoutLengthAscii(offset, length))
            {
                case "kick 0" -> room.kick(room.seat(0), FIRST_APPLICATION_CODE + 1);
                case "state" -> room.sendState(room.everyone(), buffer, offset, length);
                case "to 0" -> room.sendEvent(room.seat(0), buffer, offset, length);
                default -> room.sendEvent(room.everyone(), buffer, offset, length);
            }
        }

        @Override
        public void onLeave(final Seat seat, final LeaveReason reason, final int code)
        {
            if (LeaveReason.LEFT == reason && 0 != code)
            {
                final byte[] text = ("left " + code).getBytes();
                room.sendEvent(room.everyone(), new UnsafeBuffer(text), 0, text.length);
            }
        }
    }
}
