package io.escapement.rooms.bench;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.SchemaWalk;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.DirectoryEntryDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.ReloadDecoder;
import io.escapement.codecs.room.ReloadEncoder;
import io.escapement.codecs.room.RequestDecoder;
import io.escapement.codecs.room.TakenDecoder;
import io.escapement.codecs.trunk.AcceptedDecoder;
import io.escapement.codecs.trunk.FeedBeginsDecoder;
import io.escapement.codecs.trunk.TurnDecoder;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.internal.loop.LoopLedger;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.log.LogWriter;
import io.escapement.rooms.log.ProposalWriter;
import io.escapement.rooms.loop.LoopLimits;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.CapturedOutputs;
import io.escapement.rooms.output.Outputs;
import io.escapement.rooms.replay.RoomCut;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Every id of the schemas, and two that they do not have, through every dispatcher of the module. An id that the rules
 * have and a dispatcher does not list fails here, because the ranges of the schema say what a dispatcher must list.
 */
class DispatchersTest
{
    private static final int NOT_A_COMMAND = RefusalCode.NOT_A_COMMAND.value();
    private static final int UNKNOWN_TEMPLATE = RefusalCode.UNKNOWN_TEMPLATE.value();
    private static final RoomType PLAIN = RoomType.of(1, "plain", 1, () -> new Plain(new ArrayList<>()));
    private static final int MAX_ID = 65_535;

    private final SchemaWalk room = new SchemaWalk("room.xml");
    private final SchemaWalk trunk = new SchemaWalk("trunk.xml");

    @Test
    void shouldRunEveryCommandAndRefuseTheRest()
    {
        for (final int id : room.everyId())
        {
            final Recorded recorded = new Recorded();
            final int code = recorded.run(room.message(id));
            if (isCommand(id))
            {
                assertEquals(0, recorded.host.refusals(NOT_A_COMMAND), "template " + id);
                assertEquals(0, recorded.host.refusals(UNKNOWN_TEMPLATE), "template " + id);
                continue;
            }
            assertEquals(room.has(id, 1, MAX_ID) ? NOT_A_COMMAND : UNKNOWN_TEMPLATE, code, "template " + id);
            assertEquals(1, recorded.host.refusals(code), "template " + id);
            assertEquals(recorded.hashBefore, recorded.host.stateHash(), "template " + id);
            assertEquals(0, recorded.host.turn(), "recorded: template " + id);
            assertEquals(0, recorded.outputs.length(), "output: template " + id);
        }
    }

    @Test
    void shouldKnowWhomEveryCommandOfALogConcerns()
    {
        for (final int id : room.everyId())
        {
            if (isCommand(id))
            {
                final UnsafeBuffer command = new UnsafeBuffer(room.message(id));
                if (ReloadDecoder.TEMPLATE_ID == id)
                {
                    // A replay refuses to reload what is not registered.
                    new ReloadEncoder().wrap(command, MessageHeaderDecoder.ENCODED_LENGTH).typeId(1).toVersion(1);
                }
                final ProposalWriter proposal = new ProposalWriter(0);
                proposal.add(command, 0, command.capacity());
                final ByteSink whole = new ByteSink();
                final LogWriter log = new LogWriter(whole, context().header());
                log.append(proposal.buffer(), 0, proposal.finish(0, 1, 0, 0, 0));
                log.end();
                final ByteSink own = new ByteSink();
                new RoomCut(LogFile.open(whole.buffer(), 0, whole.length()), 0, DispatchersTest::context, own).run();
                assertEquals(TakenDecoder.TEMPLATE_ID == id ? 0 : 1,
                    LogFile.openUnfinished(own.buffer(), 0, own.length()).proposals(), "template " + id);
            }
        }
    }

    @Test
    void shouldRefuseOutputToALinkThatIsNone()
    {
        // The loop sends Accepted, Turn and FeedBegins itself, from no room's output.
        final Set<Integer> own =
            Set.of(AcceptedDecoder.TEMPLATE_ID, TurnDecoder.TEMPLATE_ID, FeedBeginsDecoder.TEMPLATE_ID);
        final Outputs bench = new BenchRouter(RoomBench.of(PLAIN));
        trunk.walk((id) -> trunk.has(id, TrunkMessages.FIRST_LOOP_MESSAGE, MAX_ID) && !own.contains(id),
            (message, length) -> bench.toLink(1, message, 0, length));
    }

    @Test
    void shouldRefuseOutputToARoomThatIsNone()
    {
        room.walk(room::isBetweenRooms, (message, length) ->
            new LoopLedger(new LoopLimits(0, 2, 16, 8_192)).send(1, message, 0, length));
    }

    @Test
    void shouldRefuseOutputToTheEdgeThatIsNone()
    {
        final IntPredicate isListed = (id) -> DirectoryEntryDecoder.TEMPLATE_ID == id ||
            RequestDecoder.TEMPLATE_ID != id &&
            room.has(id, RoomCommands.FIRST_REQUEST_TEMPLATE_ID, RoomCommands.FIRST_LOG_TEMPLATE_ID);
        final Outputs bench = new BenchRouter(RoomBench.of(PLAIN));
        room.walk(isListed, (message, length) -> bench.toEdge(message, 0, length));
    }

    @Test
    void shouldRefuseWhatARoomSendsToTheProgramThatIsNoAnswer()
    {
        final List<Integer> statuses = new ArrayList<>();
        final RoomBench bench = RoomBench.of(RoomType.of(1, "plain", 1, () -> new Plain(statuses)));
        bench.join(7).send(new UnsafeBuffer(new byte[8]), 0, 8);
        bench.runFor(1_000_000);
        assertEquals(List.of(RefusalCode.UNKNOWN_ROOM.value()), statuses);
    }

    private static HostContext context()
    {
        return new HostContext().roomType(PLAIN).outputs(new CapturedOutputs());
    }

    private boolean isCommand(final int id)
    {
        return room.has(id, 1, RoomCommands.FIRST_REQUEST_TEMPLATE_ID);
    }

    /** A recording host that runs one command. */
    private static final class Recorded
    {
        final CapturedOutputs outputs = new CapturedOutputs();
        final RoomHost host;
        final long hashBefore;

        Recorded()
        {
            host = new RoomHost(context().outputs(outputs).hashOutput());
            hashBefore = host.stateHash();
        }

        int run(final byte[] message)
        {
            host.beginTurn(0);
            final int code = host.onCommand(new UnsafeBuffer(message), 0, message.length);
            host.endTurn();
            return code;
        }
    }

    /** Signals room 0, which is the program and no room. */
    private static final class Plain implements RoomLogic
    {
        private final List<Integer> statuses;
        private Room room;

        Plain(final List<Integer> statuses)
        {
            this.statuses = statuses;
        }

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            room.signal(0, buffer, offset, length);
        }

        @Override
        public void onReply(
            final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
        {
            statuses.add(status);
        }
    }
}
