package io.escapement.rooms.scenario;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.FailedAtDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.ProposalWriter;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.CapturedOutputs;
import io.escapement.rooms.output.RecordSink;
import io.escapement.rooms.replay.LoggedTurns;
import io.escapement.rooms.replay.ProposalRunner;
import io.escapement.testsupport.Tests;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The same commands in the turns of a host, and in proposals that are committed and then run. */
class ProposalTwinTest
{
    private static final long SEED = 20_261_148;
    private static final int COMMANDS = Tests.isFull() ? 400_000 : 15_000;
    private static final int SEEDS = Tests.isFull() ? 8 : 2;
    private static final int SNAPSHOT_EVERY = 400;
    private static final int UNDER_WAY = 4;

    private record Proposal(byte[] bytes, int returns, LongArrayList failures)
    {
    }

    private final ProposalWriter writer = new ProposalWriter(0);
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final FailedAtDecoder failedAt = new FailedAtDecoder();

    @Test
    void shouldComputeTheSameAsTurns()
    {
        int whole = 0;
        for (long seed = SEED; seed < SEED + SEEDS; seed++)
        {
            final Scenario scenario = Scenario.run(seed, COMMANDS);
            final CapturedOutputs expected = new CapturedOutputs();
            final RoomHost host = new RoomHost(context().outputs(expected).hashOutput());
            final CapturedOutputs outputs = new CapturedOutputs();
            final ProposalRunner runner = new ProposalRunner(context().outputs(outputs));
            final LoggedTurns log = ReplayTest.turns(scenario);
            host.beginTurn(0);
            resume(host::onCommand);
            host.endTurn();
            run(runner, propose(runner, 1, 0, 0, ProposalTwinTest::resume));
            long returns = 0;
            while (0 == runner.host().failures() && log.next())
            {
                expected.reset();
                outputs.reset();
                returns += log.proposal.returns();
                assertTrue(log.run(host));
                run(runner, propose(runner, runner.lastProposal() + 1, log.proposal.nowNs(), 0, afterReturns(log)));
                host.proposal(runner.lastProposal());
                final String name = scenario + ", turn " + log.turn();
                assertEquals(host.outputHash(), runner.outputHash(), name);
                assertEquals(host.turn(), runner.host().turn(), name);
                assertEquals(bytes(expected), bytes(outputs), name);
                if (0 == log.turn() % 100)
                {
                    assertEquals(host.stateHash(), runner.host().stateHash(), name);
                }
            }
            assertEquals(host.stateHash(), runner.host().stateHash(), scenario.toString());
            whole += runner.host().failures() > 0 ? 0 : 1;
            assertTrue(runner.host().failures() > 0 || returns > 50, "only " + returns + " returns, " + scenario);
            assertTrue(runner.compared() > host.turn() / 2, runner.compared() + " compared, " + scenario);
        }
        assertTrue(2 * whole >= SEEDS, whole + " of " + SEEDS + " seeds were compared to the end");
    }

    /** Up to four proposals are under way. A follower, and a node that restarts from snapshots, compute the same. */
    @Test
    void shouldComputeTheSameOnEveryNodeWithProposalsUnderWay()
    {
        final Scenario scenario = Scenario.run(SEED + 100, COMMANDS);
        final SplittableRandom random = new SplittableRandom(SEED);
        final ProposalRunner leader = new ProposalRunner(context().outputs(new CapturedOutputs()));
        final ProposalRunner follower = new ProposalRunner(context().outputs(new CapturedOutputs()));
        ProposalRunner restarted = new ProposalRunner(context().outputs(new CapturedOutputs()));
        final LoggedTurns log = ReplayTest.turns(scenario);
        final Deque<Proposal> underWay = new ArrayDeque<>();
        int most = 0;
        long returns = 0;
        underWay.add(propose(leader, 1, 0, 0, ProposalTwinTest::resume));
        for (long number = 2; log.next(); number++)
        {
            final int proposed = underWay.stream().mapToInt(Proposal::returns).sum();
            underWay.add(propose(leader, number, log.proposal.nowNs(), proposed, afterReturns(log)));
            returns += underWay.getLast().returns;
            most = Math.max(most, underWay.size());
            for (int left = random.nextInt(UNDER_WAY); underWay.size() > left;)
            {
                final Proposal proposal = underWay.remove();
                run(leader, proposal);
                run(follower, proposal);
                run(restarted, proposal);
                if (0 == leader.lastProposal() % SNAPSHOT_EVERY)
                {
                    final ByteSink snapshot = new ByteSink();
                    restarted.host().snapshot(snapshot);
                    restarted = ProposalRunner.restore(context().outputs(new CapturedOutputs()),
                        snapshot.buffer(), 0, snapshot.length());
                }
            }
        }
        assertEquals(leader.outputHash(), follower.outputHash());
        assertEquals(leader.host().stateHash(), follower.host().stateHash());
        assertEquals(leader.outputHash(), restarted.outputHash());
        assertEquals(leader.host().stateHash(), restarted.host().stateHash());
        assertEquals(UNDER_WAY, most);
        assertTrue(returns > 50, "only " + returns + " returns, " + scenario);
        assertTrue(follower.compared() > 100, follower.compared() + " compared");
    }

    private static void run(final ProposalRunner runner, final Proposal proposal)
    {
        for (int i = 0; i < proposal.failures.size(); i += 2)
        {
            runner.failAt(
                runner.lastProposal() + 1, proposal.failures.getLong(i), proposal.failures.getLong(i + 1));
        }
        assertTrue(runner.run(new UnsafeBuffer(proposal.bytes), 0, proposal.bytes.length));
    }

    private Proposal propose(
        final ProposalRunner runner,
        final long number,
        final long nowNs,
        final int returnsUnderWay,
        final Consumer<RecordSink> commands)
    {
        final LongArrayList failures = new LongArrayList();
        writer.clear();
        // The first of an incarnation begins with its HostResumed, and takes no returns.
        if (1 != number)
        {
            runner.host().loopState().readReturns(returnsUnderWay, (buffer, offset, length) ->
            {
                writer.addReturn(buffer, offset, length);
                return true;
            });
        }
        commands.accept((buffer, offset, length) ->
        {
            if (FailedAtDecoder.TEMPLATE_ID == SchemaRules.templateId(buffer, offset))
            {
                failedAt.wrapAndApplyHeader(buffer, offset, header);
                failures.addLong(failedAt.roomId());
                failures.addLong(failedAt.callback());
            }
            else
            {
                writer.add(buffer, offset, length);
            }
        });
        final byte[] bytes = new byte[writer.finish(1, number, nowNs, runner.host().turn(), runner.outputHash())];
        writer.buffer().getBytes(0, bytes);
        return new Proposal(bytes, writer.returns(), failures);
    }

    private static void resume(final RecordSink handler)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
        handler.append(buffer, 0, new RoomEncoder().hostResumed(buffer, 0, 1_700_000_000_000L, 1, 0));
    }

    /** The commands of a turn that follow its returns, which a proposal takes from the state of the loop. */
    private static Consumer<RecordSink> afterReturns(final LoggedTurns log)
    {
        return (handler) -> log.forEachOther(handler, () -> { });
    }

    private static UnsafeBuffer bytes(final CapturedOutputs outputs)
    {
        return new UnsafeBuffer(outputs.buffer(), 0, outputs.length());
    }

    private static HostContext context()
    {
        return Scenario.context();
    }
}
