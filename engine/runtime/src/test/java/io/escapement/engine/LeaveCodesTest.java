package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkListener;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Codes of the application on their way from a player to a room, and from a room to its players. */
class LeaveCodesTest
{
    private static final int TYPE = 1;
    private static final int SURRENDER = 9;
    private static final int GAME_OVER = RoomLogic.FIRST_APPLICATION_CODE + 1;

    private final ConcurrentLinkedQueue<Integer> codes = new ConcurrentLinkedQueue<>();
    private final List<String> left = new ArrayList<>();

    @Test
    void shouldCarryCodesThroughATrunk()
    {
        final EngineContext context =
            new EngineContext().loops(1).roomType(RoomType.of(TYPE, "codes", 1, Surrendering::new));
        try (TestEngine engine = new TestEngine(context); TestTrunk trunk = TestTrunk.over(engine))
        {
            trunk.forwardTo(new TrunkListener()
            {
                @Override
                public void onLeft(final ClientSeat seat, final int reason, final int code)
                {
                    left.add(LeaveReason.values()[reason] + " " + code);
                }
            });
            final long roomId = engine.engine().openRoom(TYPE).roomId();
            final ClientSeat loser = trunk.join(engine, roomId, 7);
            trunk.join(engine, roomId, 8);
            engine.await("a leave", trunk, () -> SendStatus.SENT == trunk.client().leave(loser, SURRENDER));
            engine.await("the end", trunk, () -> 2 == left.size());
            assertEquals(List.of("LEFT " + SURRENDER, "ROOM_CLOSED " + GAME_OVER), left);
            assertEquals(List.of(SURRENDER, GAME_OVER), List.copyOf(codes));
        }
    }

    @Test
    void shouldCarryTheCodesOfOperatorsAndPrograms()
    {
        final EngineContext context =
            new EngineContext().loops(1).roomType(RoomType.of(TYPE, "codes", 1, Noting::new));
        try (TestEngine engine = new TestEngine(context); TestTrunk trunk = TestTrunk.over(engine))
        {
            trunk.forwardTo(new TrunkListener()
            {
                @Override
                public void onLeft(final ClientSeat seat, final int reason, final int code)
                {
                    left.add(LeaveReason.values()[reason] + " " + code);
                }
            });
            final RoomHandle room = engine.engine().openRoom(TYPE);
            final EngineOperator operator = engine.engine().operator();
            for (int player = 1; player <= 5; player++)
            {
                trunk.join(engine, room.roomId(), player);
            }
            assertTrue(operator.kick(room.roomId(), 1, 2_001));
            assertTrue(operator.kick(room.roomId(), 2));
            assertTrue(room.kick(3, 2_003));
            assertTrue(room.kick(4));
            assertTrue(room.close(2_005));
            final RoomHandle other = engine.engine().openRoom(TYPE);
            trunk.join(engine, other.roomId(), 6);
            assertTrue(operator.closeRoom(other.roomId(), 2_006));
            engine.await("the end", trunk, () -> 6 == left.size());
            assertEquals(List.of("KICKED 2001", "KICKED 0", "KICKED 2003", "KICKED 0", "ROOM_CLOSED 2005",
                "ROOM_CLOSED 2006"), left);
            assertEquals(List.of(2_001, 0, 2_003, 0, 2_005, 2_006), List.copyOf(codes));
            for (final int wrong : new int[]{-1, 0, 1_023, 65_535})
            {
                assertThrows(IllegalArgumentException.class, () -> operator.kick(1, 1, wrong));
                assertThrows(IllegalArgumentException.class, () -> operator.closeRoom(1, wrong));
                assertThrows(IllegalArgumentException.class, () -> room.kick(1, wrong));
                assertThrows(IllegalArgumentException.class, () -> room.close(wrong));
            }
        }
    }

    private final class Noting implements RoomLogic
    {
        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
        }

        @Override
        public void onLeave(final Seat seat, final LeaveReason reason, final int code)
        {
            codes.add(code);
        }
    }

    private final class Surrendering implements RoomLogic
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
        }

        @Override
        public void onLeave(final Seat seat, final LeaveReason reason, final int code)
        {
            codes.add(code);
            room.close(GAME_OVER);
        }
    }
}
