package io.escapement.rooms.sync;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.trunk.JoinedDecoder;
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.HostRig;
import io.escapement.rooms.host.RecordedOutputs.Kind;
import io.escapement.rooms.host.RecordedOutputs.Output;
import io.escapement.rooms.output.Outputs;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A {@link SyncRoom}, a link for each player, and the STATE that each of them receives. */
final class SyncPlayers
{
    private static final long FRAME_NS = 1_000_000_000L / SyncRoom.RATE_HZ;

    final HostRig rig;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final JoinedDecoder joined = new JoinedDecoder();
    private final int[] seats;
    private final int[] generations;
    private final List<List<byte[]>> received = new ArrayList<>();

    SyncPlayers(final RoomType type, final int players)
    {
        rig = new HostRig(type).withLinks(players);
        seats = new int[players];
        generations = new int[players];
        for (int player = 0; player < players; player++)
        {
            received.add(new ArrayList<>());
        }
    }

    /** Take a seat, or return to it. */
    void join(final int player)
    {
        run(rig.encoder.join(rig.buffer, 0, HostRig.ROOM, 1 + player, 1, player, rig.payload, 0, 0));
        for (final Output output : rig.outputs.take(Kind.LINK, (taken) -> taken))
        {
            final UnsafeBuffer bytes = new UnsafeBuffer(output.bytes());
            if (JoinedDecoder.TEMPLATE_ID == SchemaRules.templateId(bytes, 0))
            {
                joined.wrapAndApplyHeader(bytes, 0, header);
                seats[player] = joined.seatIndex();
                generations[player] = joined.generation();
            }
        }
    }

    void leave(final int player)
    {
        run(rig.encoder.leave(rig.buffer, 0, HostRig.ROOM, seats[player], generations[player], player));
    }

    void away(final int player)
    {
        run(rig.encoder.seatDown(rig.buffer, 0, HostRig.ROOM, seats[player], generations[player], player));
    }

    void stateLost(final int player)
    {
        run(rig.encoder.stateLost(rig.buffer, 0, HostRig.ROOM, seats[player], generations[player]));
    }

    void apply(final Op op)
    {
        assertEquals(0, rig.signal(op.encode(rig.payload)));
    }

    void frame()
    {
        rig.pass(FRAME_NS);
    }

    int seat(final int player)
    {
        return seats[player];
    }

    /** Messages that a player has received, for the test to clear. */
    List<byte[]> received(final int player)
    {
        rig.outputs.take(Kind.MESSAGE, (output) -> output).forEach((output) ->
        {
            assertEquals(Outputs.STATE, output.outputClass());
            received.get(output.link()).add(output.bytes());
        });
        return received.get(player);
    }

    private void run(final int length)
    {
        assertEquals(0, rig.command(length));
    }
}
