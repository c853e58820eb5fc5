package io.escapement.cluster;

import io.escapement.testsupport.Tests;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Three processes, of which the one that leads is killed or stands still, again and again, while a player plays and the
 * nodes take snapshots, whose checksums are compared. In full these tests take 4 minutes; {@code -Descapement.faults}
 * sets how often.
 */
@Timeout(value = 60, unit = TimeUnit.MINUTES)
class LeaderKillTest
{
    private static final int FAULTS = Integer.getInteger("escapement.faults", 20);
    private static final long STOPPED_NS = TimeUnit.SECONDS.toNanos(2);
    private static final int ANSWERS_BETWEEN = 300;

    @TempDir
    Path directory;

    private ProcessCluster cluster;

    @AfterEach
    void close()
    {
        if (null != cluster)
        {
            cluster.close();
        }
    }

    @Test
    void shouldLoseNothingThatWasAnsweredWhenTheLeaderIsKilled()
    {
        assumeTrue(Tests.isFull(), "the full tests");
        run("kill -9", (leader) ->
        {
            cluster.kill(leader);
            cluster.play(1);
            cluster.start(leader);
        });
    }

    @Test
    void shouldLoseNothingThatWasAnsweredWhenTheLeaderStandsStill()
    {
        assumeTrue(Tests.isFull(), "the full tests");
        run("kill -STOP, 2 s", (leader) ->
        {
            cluster.signal(leader, "-STOP");
            cluster.playFor(STOPPED_NS);
            cluster.signal(leader, "-CONT");
            Tests.await(() ->
            {
                cluster.cycle();
                return cluster.isFollowing(leader);
            }, "the node that stood still to follow");
        });
    }

    private void run(final String what, final IntConsumer fault)
    {
        cluster = new ProcessCluster(directory);
        final LedgerPlayer player = cluster.player;
        final long[] longestMs = new long[FAULTS];
        cluster.play(ANSWERS_BETWEEN);
        for (int i = 0; i < FAULTS; i++)
        {
            player.takeLongestNs();
            fault.accept(cluster.leader());
            cluster.play(ANSWERS_BETWEEN);
            longestMs[i] = cluster.takeLongestMs();
        }
        cluster.compareStates();
        assertTrue(player.resumed() >= FAULTS, "how often the trunk was resumed: " + player.resumed());
        Arrays.sort(longestMs);
        System.out.println(what + ": longest time without an answer of " + FAULTS + ": p50 " +
            longestMs[FAULTS / 2] + ", p90 " + longestMs[FAULTS * 9 / 10] + ", max " + longestMs[FAULTS - 1] +
            " ms; an answer p50 " + player.answers().getValueAtPercentile(50) / 1_000 + ", p99 " +
            player.answers().getValueAtPercentile(99) / 1_000 + " us; nodes that ended by themselves " +
            cluster.ended());
    }
}
