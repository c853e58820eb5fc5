package io.escapement.rooms.scenario;

import io.escapement.rooms.host.RecordedHost;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.log.LogWriter;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.CapturedOutputs;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.replay.LoggedTurns;
import io.escapement.rooms.replay.ProposalException;
import io.escapement.rooms.replay.Replay;
import io.escapement.testsupport.Tests;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ReplayTest
{
    private static final int RUNS = 10;
    private static final long SEED = 20_261_121;

    static LogFile reader(final ByteSink log)
    {
        return LogFile.open(log.buffer(), 0, log.length());
    }

    static LoggedTurns turns(final Scenario scenario)
    {
        return new LoggedTurns(reader(scenario.log));
    }

    @Test
    void shouldProduceTheSameStateAndOutputWithEmptyTurnsInserted()
    {
        final Scenario scenario = Scenario.run(SEED, Tests.isFull() ? 1_000_000 : 30_000);
        for (int run = 0; run < RUNS; run++)
        {
            final Fingerprint again = rerun(scenario, new SplittableRandom(run));
            assertEquals(scenario.fingerprint.stateHashes, again.stateHashes, scenario + ", run " + run);
            assertEquals(scenario.fingerprint.sha256(), again.sha256(), scenario + ", run " + run);
        }
    }

    @Test
    void shouldReplayItsLogWithoutADifference()
    {
        final Scenario scenario = Scenario.run(SEED + 1, 20_000);
        final Replay replay = new Replay(
            reader(scenario.log), Scenario.context().outputs(new CapturedOutputs())).run();
        assertTrue(replay.isSame(), replay.difference());
        assertEquals(scenario.host.turn(), replay.turns());
        assertTrue(replay.compared() > scenario.host.turn(), replay.compared() + " compared");
        assertEquals(scenario.host.stateHash(), replay.host().stateHash());
    }

    @Test
    void shouldRecordTheSameLogAgain()
    {
        final Scenario scenario = Scenario.run(SEED + 2, 10_000);
        final ByteSink again = new ByteSink();
        try (RecordedHost recorded = new RecordedHost(Scenario.context().outputs(new CapturedOutputs()), again))
        {
            final LoggedTurns log = turns(scenario);
            while (log.next())
            {
                recorded.beginTurn(log.proposal.nowNs());
                log.forEachOther(recorded::onCommand, recorded::runReturns);
                recorded.endTurn();
                if (log.hasStateHash())
                {
                    recorded.logStateHash();
                }
            }
        }
        assertArrayEquals(scenario.log.toArray(), again.toArray());
    }

    /** Every record of it is whole, so that the runner has to find it. */
    @Test
    void shouldRefuseALogThatLacksAProposal()
    {
        final LogFile log = reader(Scenario.run(SEED + 3, 500).log);
        final ByteSink gap = new ByteSink();
        final LogWriter writer = new LogWriter(gap, log.config());
        for (int message = 0; log.next(); message++)
        {
            if (3 != message)
            {
                writer.append(log.buffer(), log.offset(), log.length());
            }
        }
        writer.end();
        final Replay replay = new Replay(reader(gap), Scenario.context().outputs(new CapturedOutputs()));
        assertEquals(ProposalException.Reason.GAP, assertThrows(ProposalException.class, replay::run).reason());
    }

    @Test
    void shouldFindHashesOfATurnThatHasNotRun()
    {
        final ByteSink ahead = new ByteSink();
        final LogWriter writer = new LogWriter(ahead, Scenario.context().header());
        writer.appendHashes(1, 0, 0);
        writer.end();
        final Replay replay = new Replay(reader(ahead), Scenario.context().outputs(new CapturedOutputs())).run();
        assertFalse(replay.isSame());
        assertTrue(replay.difference().contains("the log has turn 1"), replay.difference());
    }

    private static Fingerprint rerun(final Scenario scenario, final SplittableRandom random)
    {
        final Fingerprint fingerprint = new Fingerprint();
        final RoomHost host = new RoomHost(Scenario.context().outputs(NoOutputs.NONE).hashOutput());
        final UnsafeBuffer moved = new UnsafeBuffer(new byte[8_192]);
        final LoggedTurns log = turns(scenario);
        long nextDeadlineNs = Long.MAX_VALUE;
        long nowNs = 0;
        while (log.next())
        {
            // Turns in which nothing is due, as many as fit before this one.
            final long quietUntilNs = Math.min(nextDeadlineNs - 1, log.proposal.nowNs());
            while (nowNs < quietUntilNs && random.nextBoolean())
            {
                nowNs += 1 + random.nextLong(quietUntilNs - nowNs);
                host.beginTurn(nowNs);
                host.endTurn();
            }
            nowNs = log.proposal.nowNs();
            host.beginTurn(nowNs);
            log.forEachCommand((buffer, offset, length) ->
            {
                final int at = random.nextInt(4_096);
                moved.putBytes(at, buffer, offset, length);
                if (!host.onReturn(moved, at, length))
                {
                    host.onCommand(moved, at, length);
                }
            });
            nextDeadlineNs = host.endTurn();
            host.proposal(log.turn());
            assertEquals(log.turn(), host.turn());
            fingerprint.output(host.turn(), host.outputHash());
            // The last one is not on the way.
            if (log.hasStateHash() && 0 == host.turn() % Scenario.HASH_EVERY)
            {
                fingerprint.stateHash(host.turn(), host.stateHash());
            }
        }
        return fingerprint;
    }
}
