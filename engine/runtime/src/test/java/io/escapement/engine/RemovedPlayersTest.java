package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.rooms.RoomType;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** An operator removes players from an engine that the test steps. */
class RemovedPlayersTest
{
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);
    private static final int ANN = 7;
    private static final int BEN = 8;

    @Test
    void shouldFreeAllSeatsOfAPlayerAndVoidItsToken()
    {
        try (TestEngine engine = launched(); TestTrunk trunk = TestTrunk.over(engine))
        {
            final long first = open(engine);
            // More rooms than a loop looks at in one part, and the other loop too.
            for (int i = 0; i < 2 * EngineOperator.SCAN_LIMIT; i++)
            {
                open(engine);
            }
            final long last = open(engine);
            final long beforeLast = open(engine);
            final byte[] ofAnn = logIn(engine, trunk, ANN);
            final byte[] ofBen = logIn(engine, trunk, BEN);
            for (final long roomId : new long[]{first, last, beforeLast})
            {
                join(engine, trunk, roomId, ANN, ofAnn);
            }
            join(engine, trunk, first, BEN, ofBen);
            final ClientSeat seatOfBen = trunk.joined.get(3);

            assertTrue(engine.engine().operator().removePlayers(ANN, 99));
            engine.await("three seats to be freed", trunk, () -> 3 == trunk.left.size());
            assertEquals(List.of((long)ANN, (long)ANN, (long)ANN),
                trunk.left.stream().map(ClientSeat::playerId).toList());
            assertTrue(seatOfBen.isPresent());

            engine.await("to be sent", trunk, () -> tryJoin(trunk, first, ANN, ofAnn));
            engine.await("a refusal", trunk, () -> !trunk.refusals.isEmpty());
            assertEquals(List.of(TrunkCode.BAD_PLAYER_TOKEN.value()), trunk.refusals);
            join(engine, trunk, last, BEN, ofBen);

            final byte[] next = logIn(engine, trunk, ANN);
            join(engine, trunk, first, ANN, next);
            assertEquals(3, trunk.left.size());
        }
    }

    private static TestEngine launched()
    {
        final EngineContext context = new EngineContext().loops(2)
            .loopLimits(2 * EngineOperator.SCAN_LIMIT, 40_000, 40_000)
            .roomType(RoomType.of(1, "echo", 1, EchoRoom::new).seats(4).timers(1).ephemeral());
        context.trunks().secret(TestTrunk.SECRET, false)
            .logInService((trunkId, credentials, reply) -> reply.onReply(0, credentials[0]));
        return new TestEngine(context);
    }

    private static long open(final TestEngine engine)
    {
        final long roomId = engine.engine().openRoom(1).roomId();
        // The inboxes hold a part of the rooms.
        engine.turn();
        return roomId;
    }

    private static byte[] logIn(final TestEngine engine, final TestTrunk trunk, final int playerId)
    {
        final int before = trunk.tokens.size();
        engine.await("to be sent", trunk, () ->
            SendStatus.SENT == trunk.client().logIn(playerId, new byte[]{(byte)playerId}));
        engine.await("a token", trunk, () -> trunk.tokens.size() > before);
        return trunk.tokens.get(before);
    }

    private static void join(
        final TestEngine engine, final TestTrunk trunk, final long roomId, final long playerId, final byte[] token)
    {
        final int before = trunk.joined.size();
        engine.await("to be sent", trunk, () -> tryJoin(trunk, roomId, playerId, token));
        engine.await("a seat", trunk, () -> trunk.joined.size() > before);
    }

    private static boolean tryJoin(final TestTrunk trunk, final long roomId, final long playerId, final byte[] token)
    {
        return SendStatus.SENT == trunk.client().join(playerId, roomId, playerId, token, NOTHING, 0, 0);
    }
}
