package io.escapement.rooms.host;

import io.escapement.codecs.room.MessageHeaderEncoder;
import io.escapement.codecs.room.OpenRoomEncoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A host takes exactly what its limits allow, and takes as much again after rooms have closed. */
class HostLimitsTest
{
    private static final int TYPE = 1;

    private final RoomEncoder encoder = new RoomEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[512]);
    private final RecordedOutputs outputs = new RecordedOutputs();
    private final List<Long> greeted = new ArrayList<>();
    private RoomHost host;

    /** Rooms of 4 seats and 3 timers in a host with space for two of them, bound by one limit at a time. */
    @ParameterizedTest
    @CsvSource({"2, 100, 100", "3, 8, 100", "3, 11, 100", "3, 100, 6", "3, 100, 8"})
    void shouldOpenTwoRoomsAndAsManyAfterTheyHaveClosed(final int rooms, final int seats, final int timers)
    {
        host = new RoomHost(context().roomLimit(rooms).seatLimit(seats).timerLimit(timers));
        for (int round = 0; round < 3; round++)
        {
            host.beginTurn(1 + round);
            assertEquals(0, open(1, 0, 0));
            assertEquals(0, open(2, 0, 0));
            assertEquals(RefusalCode.HOST_FULL.value(), open(3, 0, 0));
            close(1);
            assertEquals(0, open(3, 0, 0));
            assertEquals(RefusalCode.HOST_FULL.value(), open(4, 0, 0));
            close(2);
            close(3);
            host.endTurn();
            assertEquals(0, host.openRooms());
        }
    }

    /** The rest of a limit, after a room of 4 seats and 3 timers, is enough for a smaller one. */
    @Test
    void shouldOpenARoomThatFitsInWhatIsLeft()
    {
        host = new RoomHost(context().roomLimit(9).seatLimit(6).timerLimit(5));
        host.beginTurn(1);
        assertEquals(0, open(1, 0, 0));
        assertEquals(RefusalCode.HOST_FULL.value(), open(2, 3, 2));
        assertEquals(RefusalCode.HOST_FULL.value(), open(2, 2, 3));
        assertEquals(0, open(2, 2, 2));
        assertEquals(RefusalCode.HOST_FULL.value(), open(3, 1, 1));
        host.endTurn();
        assertEquals(2, host.openRooms());
    }

    @ParameterizedTest
    @CsvSource({
        "5, 0, 0, 0", "0, 4, 0, 0", "0, 0, 1025, 0", "0, 0, 0, 3",
        "-1, 0, 0, 0", "0, -1, 0, 0", "0, 0, -1, 0", "0, 0, 0, -1"})
    void shouldRefuseARoomOverTheLimitsOfItsType(
        final int seats, final int timers, final int output, final int requests)
    {
        host = new RoomHost(context());
        host.beginTurn(1);
        assertEquals(RefusalCode.LIMIT_OVER_TYPE.value(), open(1, seats, timers, output, requests));
        assertEquals(0, open(1, 4, 3, 1_024, 2));
        assertEquals(0, open(2, 1, 1, 1, 1));
        host.endTurn();
        assertEquals(2, host.openRooms());
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 4, Integer.MAX_VALUE})
    void shouldRefuseALinkBeyondTheLimit(final int link)
    {
        host = new RoomHost(context().linkLimit(4));
        host.beginTurn(1);
        assertEquals(RefusalCode.BAD_VALUE.value(), command(encoder.linkUp(buffer, 0, 1, link)));
        assertEquals(RefusalCode.UNKNOWN_LINK.value(), command(encoder.linkDown(buffer, 0, link)));
        assertEquals(RefusalCode.UNKNOWN_LINK.value(), command(encoder.linkStateLost(buffer, 0, link)));
        assertEquals(RefusalCode.BAD_VALUE.value(), command(encoder.linkResumed(buffer, 0, 0, link, 0)));
        assertEquals(RefusalCode.BAD_VALUE.value(), command(encoder.linkResumed(buffer, 0, 0, 0, link)));
        host.endTurn();
        assertEquals(0, host.linksUp());
    }

    @Test
    void shouldCapTheRateOfATypeWithinItsLimits()
    {
        host = new RoomHost(context());
        host.beginTurn(1);
        assertEquals(RefusalCode.UNKNOWN_ROOM_TYPE.value(), command(encoder.setRate(buffer, 0, 9, 60)));
        assertEquals(RefusalCode.BAD_VALUE.value(), command(encoder.setRate(buffer, 0, TYPE, -1)));
        assertEquals(RefusalCode.BAD_VALUE.value(), command(encoder.setRate(buffer, 0, TYPE, 1_001)));
        assertEquals(0, command(encoder.setRate(buffer, 0, TYPE, 1_000)));
        assertEquals(0, command(encoder.setRate(buffer, 0, TYPE, 0)));
        host.endTurn();
    }

    @Test
    void shouldCountTheLinksThatAreUp()
    {
        host = new RoomHost(context().linkLimit(4));
        host.beginTurn(1);
        for (int link = 0; link < 4; link++)
        {
            assertEquals(0, command(encoder.linkUp(buffer, 0, 10 + link, link)));
            assertEquals(RefusalCode.LINK_IN_USE.value(), command(encoder.linkUp(buffer, 0, 10 + link, link)));
            assertEquals(link + 1, host.linksUp());
        }
        assertEquals(0, command(encoder.linkDown(buffer, 0, 2)));
        assertEquals(RefusalCode.UNKNOWN_LINK.value(), command(encoder.linkDown(buffer, 0, 2)));
        host.endTurn();
        assertEquals(3, host.linksUp());
    }

    /** Rooms that closed in a turn stay in the list of rooms to flush, which then has more than the host can hold. */
    @Test
    void shouldFlushMoreRoomsInATurnThanCanBeOpenAtOnce()
    {
        host = new RoomHost(context().roomLimit(1));
        host.beginTurn(1);
        assertEquals(0, command(encoder.linkUp(buffer, 0, 1, 0)));
        for (int room = 1; room <= 5; room++)
        {
            assertEquals(0, open(room, 0, 0));
            assertEquals(0, command(encoder.join(buffer, 0, room, 7, room, 0, buffer, 0, 0)));
            if (room < 5)
            {
                close(room);
            }
        }
        assertEquals(4, outputs.messages());
        host.endTurn();
        assertEquals(List.of(1L, 2L, 3L, 4L, 5L), greeted);
        assertEquals(5, outputs.messages());
    }

    /** Every seat, timer, flush and refusal of every room waits at once: the wheel has a node for each. */
    @Test
    void shouldHaveSpaceForAllTimersOfAllRooms()
    {
        host = new RoomHost(new HostContext().outputs(outputs).roomLimit(2).seatLimit(2).timerLimit(2)
            .roomType(RoomType.of(TYPE, "full", 1, Waiting::new)
                .seats(1).timers(1).requests(0).flushEveryNs(1_000_000_000L)));
        host.beginTurn(1);
        for (int room = 1; room <= 2; room++)
        {
            assertEquals(0, open(room, 0, 0));
            assertEquals(0, command(encoder.reserve(buffer, 0, room, 7, 1_000_000_000L, 0, 0)));
        }
        host.endTurn();
        host.beginTurn(20_000_000);
        host.endTurn();
        assertEquals(2, host.openRooms());
        assertEquals(8, host.pendingTimers());
    }

    private HostContext context()
    {
        return new HostContext().outputs(outputs)
            .roomType(RoomType.of(TYPE, "limited", 1, Greeting::new)
                .seats(4).timers(3).outputLimit(1_024).requests(2));
    }

    private int open(final long roomId, final int seats, final int timers)
    {
        return open(roomId, seats, timers, 0, 0);
    }

    private int open(final long roomId, final int seats, final int timers, final int output, final int requests)
    {
        final int length = encoder.openRoom(buffer, 0, roomId, 1, 0, 0, TYPE, buffer, 0, 0);
        new OpenRoomEncoder().wrap(buffer, MessageHeaderEncoder.ENCODED_LENGTH)
            .seatLimit(seats).timerLimit(timers).outputLimit(output).requestLimit(requests);
        return command(length);
    }

    private void close(final long roomId)
    {
        assertEquals(0, command(encoder.closeRoom(buffer, 0, roomId)));
    }

    private int command(final int length)
    {
        return host.onCommand(buffer, 0, length);
    }

    private static final class Waiting extends Quiet
    {
        private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[8]);

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            super.onOpen(opened, args, offset, length);
            room.frameRate(60);
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            room.after(1_000_000_000L, 1, 1);
            room.sendEvent(room.everyone(), bytes, 0, 8);
            // Behind the timers of the turn, so that the refusal waits for the next.
            room.async(1, 1, bytes, 0, 8);
        }
    }

    private final class Greeting extends Quiet
    {
        private final UnsafeBuffer greeting = new UnsafeBuffer(new byte[8]);

        @Override
        public void onJoin(final Seat seat)
        {
            greeted.add(room.roomId());
            room.sendEvent(seat, greeting, 0, 8);
        }
    }
}
