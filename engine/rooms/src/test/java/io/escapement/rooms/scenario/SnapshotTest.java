package io.escapement.rooms.scenario;

import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.CapturedOutputs;
import io.escapement.rooms.replay.LoggedTurns;
import io.escapement.testsupport.Tests;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class SnapshotTest
{
    private static final long SEED = 991;
    private static final int SNAPSHOTS = Tests.isFull() ? 200 : 60;

    @Test
    void shouldContinueFromASnapshotAsTheUninterruptedRunDoes()
    {
        final Scenario scenario = Scenario.run(SEED, Tests.isFull() ? 40_000 : 4_000);
        final SplittableRandom random = new SplittableRandom(SEED);
        final TreeSet<Long> turns = new TreeSet<>();
        while (turns.size() < SNAPSHOTS)
        {
            turns.add(1 + random.nextLong(scenario.host.turn()));
        }

        final RoomHost straight = new RoomHost(Scenario.context().outputs(new CapturedOutputs()).hashOutput());
        final LoggedTurns log = ReplayTest.turns(scenario);
        while (log.next())
        {
            assertTrue(log.run(straight));
            if (turns.contains(log.turn()))
            {
                final ByteSink snapshot = new ByteSink();
                straight.snapshot(snapshot);
                continueFrom(scenario, snapshot, log.turn(), straight.stateHash());
            }
        }
    }

    @Test
    void shouldWriteTheSameSnapshotAfterARestore()
    {
        final ByteSink first = snapshotAfter(3_000);
        final ByteSink second = new ByteSink();
        restore(first.toArray()).snapshot(second);
        assertArrayEquals(first.toArray(), second.toArray());
    }

    @Test
    void shouldRefuseTheSnapshotOfAnotherHost()
    {
        final byte[] bytes = snapshotAfter(60).toArray();
        final HostContext other = Scenario.context().phaseGroups(4).outputs(new CapturedOutputs());
        assertThrows(IllegalArgumentException.class,
            () -> RoomHost.restore(other, new UnsafeBuffer(bytes), 0, bytes.length));
    }

    private static void continueFrom(
        final Scenario scenario, final ByteSink snapshot, final long turn, final long stateHash)
    {
        final RoomHost host = restore(snapshot.toArray());
        assertEquals(stateHash, host.stateHash(), scenario + ", restored at turn " + turn);
        final LoggedTurns log = ReplayTest.turns(scenario);
        while (log.next())
        {
            if (log.turn() > turn)
            {
                assertTrue(log.run(host));
                assertEquals(log.turn(), host.turn(), scenario + ", restored at turn " + turn);
                assertEquals(log.outputHash(), host.outputHash(),
                    scenario + ", restored at turn " + turn + ", differs at turn " + log.turn());
            }
        }
        assertEquals(scenario.host.stateHash(), host.stateHash(), scenario + ", restored at turn " + turn);
    }

    static ByteSink snapshotAfter(final int commands)
    {
        final ByteSink snapshot = new ByteSink();
        Scenario.run(SEED + 1, commands).host.snapshot(snapshot);
        return snapshot;
    }

    static RoomHost restore(final byte[] bytes)
    {
        return RoomHost.restore(
            Scenario.context().outputs(new CapturedOutputs()).hashOutput(),
            new UnsafeBuffer(bytes), 0, bytes.length);
    }
}
