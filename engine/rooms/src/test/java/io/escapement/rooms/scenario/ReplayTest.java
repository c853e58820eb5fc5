package io.escapement.rooms.scenario;

import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.TurnLogReader;
import io.escapement.rooms.log.TurnLogWriter;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.CapturedOutputs;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.replay.Replay;
import io.escapement.testsupport.Tests;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ReplayTest
{
    private static final int RUNS = 10;
    private static final long SEED = 20_261_121;

    static TurnLogReader reader(final ByteSink log)
    {
        return TurnLogReader.open(log.buffer(), 0, log.length());
    }

    @Test
    void shouldProduceTheSameStateAndOutputWithEmptyTurnsInserted()
    {
        final Scenario scenario = Scenario.run(SEED, Tests.isFull() ? 1_000_000 : 30_000);
        for (int run = 0; run < RUNS; run++)
        {
            final Fingerprint again = rerun(scenario.log, new SplittableRandom(run));
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
        assertEquals(scenario.host.stateHash(), replay.host().stateHash());
    }

    @Test
    void shouldRecordTheSameLogAgain()
    {
        final Scenario scenario = Scenario.run(SEED + 2, 10_000);
        final ByteSink again = new ByteSink();
        final TurnLogWriter writer = new TurnLogWriter(again, Scenario.context().header());
        final RoomHost host = new RoomHost(
            Scenario.context().outputs(new CapturedOutputs()).turnLog(writer));
        final TurnLogReader log = reader(scenario.log);
        while (log.nextTurn())
        {
            assertNull(Replay.runTurn(log, host));
            if (log.hasStateHash())
            {
                host.logStateHash();
            }
        }
        writer.close();
        assertArrayEquals(scenario.log.toArray(), again.toArray());
    }

    private static Fingerprint rerun(final ByteSink bytes, final SplittableRandom random)
    {
        final HashLog hashes = new HashLog();
        final RoomHost host = new RoomHost(Scenario.context().outputs(new NoOutputs()).turnLog(hashes));
        final UnsafeBuffer moved = new UnsafeBuffer(new byte[8_192]);
        final TurnLogReader log = reader(bytes);
        long nextDeadlineNs = Long.MAX_VALUE;
        long nowNs = 0;
        while (log.nextTurn())
        {
            // Turns in which nothing is due, as many as fit before this one.
            final long quietUntilNs = Math.min(nextDeadlineNs - 1, log.nowNs());
            while (nowNs < quietUntilNs && random.nextBoolean())
            {
                nowNs += 1 + random.nextLong(quietUntilNs - nowNs);
                host.beginTurn(nowNs);
                host.endTurn();
            }
            nowNs = log.nowNs();
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
            assertEquals(log.turn(), host.turn());
            if (log.hasStateHash())
            {
                host.logStateHash();
            }
        }
        return hashes.fingerprint;
    }
}
