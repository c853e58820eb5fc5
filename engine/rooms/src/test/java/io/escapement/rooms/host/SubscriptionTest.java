package io.escapement.rooms.host;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.output.ByteSink;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A room that subscribed to the directory is subscribed again after a restore, and no other room is. */
class SubscriptionTest
{
    private static final int TYPE = 1;

    private final List<Quiet> logics = new ArrayList<>();
    private final RecordedOutputs outputs = new RecordedOutputs();

    @Test
    void shouldSubscribeAgainAfterARestore()
    {
        final HostRig rig = new HostRig(RoomType.of(TYPE, "lobby", 1, this::newLogic));
        rig.turn(1, () ->
        {
            for (long room = 1; room <= 3; room++)
            {
                rig.open(room, TYPE);
            }
            logics.get(1).onSignal = () -> logics.get(1).room.subscribeToDirectory();
            rig.command(rig.encoder.signal(rig.buffer, 0, 2, 0, 0, rig.payload, 0, 8));
        });
        final ByteSink snapshot = new ByteSink();
        rig.host.snapshot(snapshot);

        final RoomHost first = restore(rig, snapshot);
        HostRig.announce(first, false);
        assertEquals(List.of(), subscribed(), "a directory that lives has the subscription");
        HostRig.announce(first, true);
        assertEquals(List.of(2L), subscribed());

        final ByteSink next = new ByteSink();
        first.snapshot(next);
        HostRig.announce(restore(rig, next), true);
        assertEquals(List.of(2L), subscribed());
    }

    private Quiet newLogic()
    {
        final Quiet logic = new Quiet();
        logics.add(logic);
        return logic;
    }

    private RoomHost restore(final HostRig rig, final ByteSink snapshot)
    {
        return RoomHost.restore(rig.context().outputs(outputs), snapshot.buffer(), 0, snapshot.length());
    }

    /** Rooms that were subscribed since the last call. */
    private List<Long> subscribed()
    {
        return outputs.take(RecordedOutputs.Kind.EDGE, (output) ->
        {
            assertEquals(0, RoomCommands.validateCommand(
                new UnsafeBuffer(output.bytes()), 0, output.bytes().length));
            return RecordedOutputs.toEdge(output);
        }).stream().filter((entry) -> 0 != entry.roomId()).map((entry) ->
        {
            assertEquals(DirectoryChange.RESET, entry.change());
            return entry.roomId();
        }).toList();
    }
}
