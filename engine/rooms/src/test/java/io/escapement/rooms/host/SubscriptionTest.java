package io.escapement.rooms.host;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.DirectoryEntryDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.NoOutputs;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A room that subscribed to the directory is subscribed again after a restore, and no other room is. */
class SubscriptionTest
{
    private static final int TYPE = 1;

    private final List<Quiet> logics = new ArrayList<>();
    private final List<Long> subscribed = new ArrayList<>();
    private int resets;

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
        first.announce();
        assertEquals(List.of(), subscribed, "a directory that lives has the subscription");
        first.subscribeAgain();
        assertEquals(List.of(2L), subscribed);

        final ByteSink next = new ByteSink();
        first.snapshot(next);
        restore(rig, next).subscribeAgain();
        assertEquals(List.of(2L, 2L), subscribed);
    }

    private Quiet newLogic()
    {
        final Quiet logic = new Quiet();
        logics.add(logic);
        return logic;
    }

    private RoomHost restore(final HostRig rig, final ByteSink snapshot)
    {
        return RoomHost.restore(rig.context().outputs(new Subscriptions()), snapshot.buffer(), 0, snapshot.length());
    }

    private final class Subscriptions extends NoOutputs
    {
        @Override
        public void toEdge(final DirectBuffer buffer, final int offset, final int length)
        {
            assertEquals(0, RoomCommands.validateCommand(buffer, offset, length));
            final MessageHeaderDecoder header = new MessageHeaderDecoder();
            final DirectoryEntryDecoder entry = new DirectoryEntryDecoder().wrapAndApplyHeader(buffer, offset, header);
            if (0 != entry.roomId())
            {
                assertEquals(DirectoryChange.RESET, entry.change());
                subscribed.add(entry.roomId());
            }
        }
    }
}
