package io.escapement.engine;

import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkListener;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

class EchoTest
{
    private static final int MESSAGES = 10_000;

    @Test
    void shouldGiveEachMessageBackInOrder()
    {
        final List<Long> got = new ArrayList<>();
        final TrunkListener listener = new TrunkListener()
        {
            @Override
            public void onEvent(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
            {
                got.add(buffer.getLong(offset));
            }
        };
        try (TestEngine engine = new TestEngine(new EngineContext().roomType(EchoRoom.type()));
            TestTrunk trunk = TestTrunk.over(engine).forwardTo(listener))
        {
            final long roomId = engine.engine().openRoom(1).roomId();
            final ClientSeat seat = trunk.join(engine, roomId, 7);
            final UnsafeBuffer message = new UnsafeBuffer(new byte[64]);
            final long[] sent = new long[1];
            engine.await("every echo", trunk, () ->
            {
                message.putLong(0, sent[0]);
                if (sent[0] < MESSAGES && SendStatus.SENT == trunk.client().send(seat, message, 0, 64))
                {
                    sent[0]++;
                }
                return MESSAGES == got.size();
            });
            for (int i = 0; i < MESSAGES; i++)
            {
                assertEquals(i, got.get(i));
            }
            assertEquals(List.of(), trunk.refusals);
        }
    }
}
