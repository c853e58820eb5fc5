package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.rooms.RoomType;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A program that sends everything before it reads an answer. The answers are longer than the trunk's queue. */
class BurstTest
{
    private static final int TYPE = 1;
    private static final int MESSAGES = 20_000;
    private static final int LENGTH = 64;
    private static final int QUEUE_LENGTH = 128 * 1_024;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
    private int sent;

    @Test
    void shouldGetAllAnswersOfABurst()
    {
        final EngineContext context = new EngineContext().loops(1).driverContext(TestTrunk.driverContext())
            .roomType(RoomType.of(TYPE, "echo", 1, EchoRoom::new));
        context.trunks().queueLength(QUEUE_LENGTH).queueMemory(QUEUE_LENGTH);
        try (TestEngine engine = new TestEngine(context); TestHost host = new TestHost(engine.driverContext());
            TestTrunk trunk = TestTrunk.on(host, TestTrunk.context(engine)))
        {
            final long roomId = engine.engine().openRoom(TYPE).roomId();
            engine.await("the trunk", () -> host.poll() + trunk.poll(), () -> trunk.tryJoin(roomId, 1));
            engine.await("a seat", () -> host.poll() + trunk.poll(), () -> 1 == trunk.joined.size());
            final ClientSeat seat = trunk.joined.get(0);
            engine.await("the burst", host::poll, () -> hasSent(trunk, seat));
            assertTrue(trunk.isUp, "code " + trunk.downCode);
            engine.await("every answer", () -> host.poll() + trunk.poll(),
                () -> MESSAGES == trunk.events);
            assertEquals(List.of(), trunk.refusals);
            assertEquals(0, engine.engine().counter("escapement loop 0: events lost with their trunk"));
        }
    }

    private boolean hasSent(final TestTrunk trunk, final ClientSeat seat)
    {
        while (sent < MESSAGES && SendStatus.SENT == trunk.client().send(seat, message, 0, LENGTH))
        {
            sent++;
        }
        trunk.client().flush();
        return MESSAGES == sent;
    }
}
