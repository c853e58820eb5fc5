package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkListener;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A spectator through a trunk, beside a player of the same trunk. */
class WatchTest
{
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[8]);

    @Test
    void shouldWatchThroughATrunk()
    {
        try (TestEngine engine = new TestEngine(new EngineContext()
            .roomType(RoomType.of(1, "stage", 1, Stage::new).seats(1).spectators(1))))
        {
            final long roomId = engine.engine().openRoom(1).roomId();
            try (TestTrunk trunk = TestTrunk.over(engine))
            {
                final ClientSeat player = trunk.join(engine, roomId, 1);
                watch(engine, trunk, roomId, 2);
                engine.await("the spectator", trunk, () -> 2 == trunk.joined.size());
                final ClientSeat spectator = trunk.joined.get(1);
                assertTrue(spectator.isSpectator());
                assertFalse(player.isSpectator());
                assertEquals(1, spectator.index());
                final List<String> got = new ArrayList<>();
                trunk.forwardTo(notes(got));
                assertEquals(SendStatus.SENT, trunk.client().send(player, buffer, 0, 1));
                trunk.client().flush();
                engine.await("the messages", trunk, () -> 3 == got.size());
                assertEquals(List.of("event 1", "state 1", "state 2"), got.stream().sorted().toList());
                trunk.client().send(spectator, buffer, 0, 1);
                trunk.client().flush();
                engine.await("the refusal", trunk, () -> 1 == trunk.refusals.size());
                watch(engine, trunk, roomId, 3);
                engine.await("the refusal of one more", trunk, () -> 2 == trunk.refusals.size());
                assertEquals(List.of(RefusalCode.SPECTATOR.value(), RefusalCode.ROOM_FULL.value()), trunk.refusals);
            }
            assertEquals(List.of(), engine.errors());
        }
    }

    private static TrunkListener notes(final List<String> got)
    {
        return new TrunkListener()
        {
            @Override
            public void onEvent(
                final ClientSeat seat, final DirectBuffer source, final int offset, final int length)
            {
                got.add("event " + seat.playerId());
            }

            @Override
            public void onState(
                final ClientSeat seat, final DirectBuffer source, final int offset, final int length)
            {
                got.add("state " + seat.playerId());
            }
        };
    }

    private static void watch(
        final TestEngine engine, final TestTrunk trunk, final long roomId, final long playerId)
    {
        engine.await("the request", trunk, () -> SendStatus.SENT == trunk.client().watch(
            playerId, roomId, playerId, TestTrunk.NO_TOKEN, NOTHING, 0, 0));
        trunk.client().flush();
    }

    /** Answers each message by an event and a state to everyone. */
    private static final class Stage implements RoomLogic
    {
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer source, final int offset, final int length)
        {
            room.sendEvent(room.everyone(), source, offset, length);
            room.sendState(room.everyone(), source, offset, length);
        }
    }
}
