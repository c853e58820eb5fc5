package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkListener;
import io.escapement.codecs.trunk.TrunkCode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A trunk that exceeds its rate. */
class RateTest
{
    private static final int BURST = 10;
    private static final int ENTRIES = 20;

    @Test
    void shouldAdmitTheFirstEntriesOfABatchThatExceedsTheBurst()
    {
        final EngineContext context = new EngineContext().roomType(EchoRoom.type()).loops(1);
        context.trunks().rates(10 * BURST, 1_000_000);
        final List<Integer> echoes = new ArrayList<>();
        try (TestEngine engine = new TestEngine(context); TestTrunk trunk = TestTrunk.over(engine))
        {
            trunk.forwardTo(new TrunkListener()
            {
                @Override
                public void onEvent(
                    final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
                {
                    echoes.add(buffer.getInt(offset));
                }
            });
            final ClientSeat seat = trunk.join(engine, engine.engine().openRoom(1).roomId(), 7);
            final long before = engine.engine().counter("escapement edge: entries accepted");
            final UnsafeBuffer message = new UnsafeBuffer(new byte[Integer.BYTES]);
            for (int i = 0; i < ENTRIES; i++)
            {
                message.putInt(0, i);
                assertEquals(SendStatus.SENT, trunk.client().send(seat, message, 0, Integer.BYTES));
            }
            engine.await("replies to all entries", trunk, () -> echoes.size() + trunk.refusals.size() == ENTRIES);
            // The join took a token of the trunk's bucket too.
            assertTrue(echoes.size() >= BURST - 1 && echoes.size() < ENTRIES, "taken: " + echoes);
            assertEquals(IntStream.range(0, echoes.size()).boxed().toList(), echoes, "the first of them");
            assertEquals(Collections.nCopies(trunk.refusals.size(), TrunkCode.RATE_LIMITED.value()), trunk.refusals);
            final long accepted = engine.engine().counter("escapement edge: entries accepted") - before;
            assertEquals(ENTRIES, accepted + engine.engine().counter("escapement edge: refused RATE_LIMITED"));
        }
    }
}
