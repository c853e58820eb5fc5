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
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Codes of the application on their way from a player to a room, and from a room to its players. */
@Timeout(30)
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
