package io.escapement.rooms.host;

import io.escapement.rooms.RoomType;
import io.escapement.rooms.loop.LoopLimits;
import io.escapement.rooms.loop.LoopState;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.testsupport.Allocations;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static io.escapement.rooms.host.Sender.own;
import static io.escapement.rooms.host.Sender.roomId;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Steady traffic between rooms, loops and services allocates nothing. */
class LoopAllocationTest
{
    private static final int TURNS = 5_000;

    private final HostRig rig = Sender.rig(List.of());
    private final UnsafeBuffer inner = new UnsafeBuffer(new byte[256]);
    private final LoopState.Receiver receiver = (buffer, offset, length) -> true;
    private long sent;
    private long arrived;
    private long nowNs;

    @Test
    void shouldNotAllocateInSteadyState()
    {
        rig.use(new RoomHost(new HostContext().outputs(NoOutputs.NONE)
            .loopState(new LoopLimits(Sender.LOOP, Sender.LOOPS, 16, LoopLimits.MIN_QUEUE_LENGTH))
            .roomType(RoomType.of(1, "forwarder", 1, Forwarder::new))));
        rig.turn(() ->
        {
            rig.open(own(1), 0, 0);
            rig.open(own(2), 0, 0);
        });
        nowNs = 10;
        turns();
        assertEquals(0, Allocations.least(6, this::turns));
        assertEquals(0, rig.host.loopState().openRequests());
    }

    private void turns()
    {
        for (int i = 0; i < TURNS; i++)
        {
            turn();
        }
    }

    /** A signal to each room, one to another loop, a request and its answer, and a message of another loop. */
    private void turn()
    {
        final LoopState state = rig.host.loopState();
        rig.beginTurn(++nowNs);
        rig.host.runReturns();
        rig.command(rig.encoder.signal(rig.buffer, 0, own(1), 0, 0, rig.payload, 0, 16));
        rig.command(rig.encoder.taken(rig.buffer, 0, sent, 2));
        final int length = rig.encoder.signal(inner, 0, own(2), roomId(0, 1), 5, rig.payload, 0, 8);
        rig.command(rig.encoder.loopCommand(rig.buffer, 0, ++arrived, 0, inner, 0, length));
        // Three correlation ids in each turn: two signals, then the request.
        sent++;
        rig.command(rig.encoder.reply(rig.buffer, 0, own(1), 3 * sent, 0, rig.payload, 0, 8));
        rig.endTurn();
        state.sendMessages(2, receiver);
        state.sendTaken(0, receiver);
        state.sendRequests(receiver);
    }

    private static final class Forwarder extends Quiet
    {
        @Override
        public void onSignal(final long from, final DirectBuffer buffer, final int offset, final int length)
        {
            if (0 == from)
            {
                room.signal(own(2), buffer, offset, 8);
                room.signal(roomId(2, 1), buffer, offset, 8);
                room.async(1, 1, buffer, offset, 8);
            }
        }
    }
}
