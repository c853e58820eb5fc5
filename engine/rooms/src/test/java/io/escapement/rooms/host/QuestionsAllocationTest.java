package io.escapement.rooms.host;

import io.escapement.rooms.RoomType;
import io.escapement.rooms.loop.LoopLimits;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.testsupport.Allocations;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static io.escapement.rooms.host.Sender.own;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Questions and their answers, at once and later, allocate nothing. */
class QuestionsAllocationTest
{
    private static final int TURNS = 5_000;
    private static final long TIMEOUT_NS = 1_000_000_000L;

    private final HostRig rig = Sender.rig(List.of());
    private long answers;
    private long nowNs;

    @Test
    void shouldNotAllocateInSteadyState()
    {
        rig.use(new RoomHost(new HostContext().outputs(NoOutputs.NONE)
            .loopState(new LoopLimits(Sender.LOOP, Sender.LOOPS, 16, LoopLimits.MIN_QUEUE_LENGTH))
            .roomType(RoomType.of(1, "polite", 1, Polite::new).questions(4))));
        rig.turn(() ->
        {
            rig.open(own(1), 0, 0);
            rig.open(own(2), 0, 0);
        });
        nowNs = 10;
        turns();
        assertEquals(0, Allocations.least(6, this::turns));
        assertTrue(answers > TURNS, answers + " answers");
    }

    private void turns()
    {
        for (int i = 0; i < TURNS; i++)
        {
            nowNs += 1_000;
            rig.beginTurn(nowNs);
            rig.host.runReturns();
            rig.payload.putLong(0, own(2 - (i & 1)));
            rig.command(rig.encoder.signal(rig.buffer, 0, own(1 + (i & 1)), 0, 0, rig.payload, 0, 8));
            rig.endTurn();
        }
    }

    /** Asks the room that a signal names; answers every other question with the next one. */
    private final class Polite extends Quiet
    {
        private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[8]);
        private long kept;

        @Override
        public void onSignal(final long from, final DirectBuffer buffer, final int offset, final int length)
        {
            room.ask(buffer.getLong(offset), TIMEOUT_NS, bytes, 0, 8);
        }

        @Override
        public void onAsk(
            final long askId, final long from, final DirectBuffer buffer, final int offset, final int length)
        {
            if (0 == kept)
            {
                kept = askId;
                return;
            }
            assertTrue(room.answer(kept, 0, bytes, 0, 8));
            assertTrue(room.answer(askId, 0, bytes, 0, 8));
            kept = 0;
        }

        @Override
        public void onReply(
            final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
        {
            answers += 0 == status ? 1 : 0;
        }
    }
}
