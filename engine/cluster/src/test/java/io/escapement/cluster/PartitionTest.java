package io.escapement.cluster;

import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Three processes whose drivers lose packets between them, while a player plays: no answered number is ever lost or
 * there twice, and within 10 s of the end of a partition there is an answer. The same three live through all of them.
 * {@code -Descapement.faults} sets how often each is tried.
 */
@RealTime("a network that is cut, with processes")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PartitionTest
{
    private static final int TIMES = Integer.getInteger("escapement.faults", Tests.isFull() ? 3 : 1);
    private static final long SEED = Tests.seed();
    private static final long PARTED_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long FLAP_NS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long HEALED_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int ANSWERS_BETWEEN = 100;
    private static final int MIN_LOSS = 5;
    private static final int MAX_LOSS = 30;

    /** A partition, with a leader and two followers in random order. */
    @FunctionalInterface
    private interface Fault
    {
        void part(int leader, int one, int other);
    }

    private final Random random = new Random(SEED);
    private ProcessCluster cluster;

    @BeforeAll
    void start(@TempDir final Path directory)
    {
        cluster = new ProcessCluster(directory);
        cluster.play(ANSWERS_BETWEEN);
    }

    @AfterAll
    void audit()
    {
        try
        {
            cluster.compareStates();
            cluster.audit();
        }
        finally
        {
            cluster.close();
        }
    }

    @Test
    void shouldElectAnotherLeaderWhenTheFirstIsAlone()
    {
        run("leader alone", (leader, one, other) ->
        {
            cluster.loss.cut(leader, one);
            cluster.loss.cut(leader, other);
            // The other two answer while the partition lasts.
            Tests.await(() ->
            {
                cluster.cycle();
                return cluster.leader() != leader;
            }, "another leader");
            cluster.play(ANSWERS_BETWEEN);
        });
    }

    @Test
    void shouldGoOnWhenAFollowerIsAlone()
    {
        run("follower alone", (leader, one, other) ->
        {
            cluster.loss.cut(one, leader);
            cluster.loss.cut(one, other);
            cluster.play(ANSWERS_BETWEEN);
            cluster.playFor(PARTED_NS);
        });
    }

    @Test
    void shouldLoseNothingWhenOneDirectionIsCut()
    {
        run("leader to a follower cut", (leader, one, other) ->
        {
            cluster.loss.lose(leader, one, 100);
            cluster.playFor(PARTED_NS);
        });
        run("follower to the leader cut", (leader, one, other) ->
        {
            cluster.loss.lose(one, leader, 100);
            cluster.playFor(PARTED_NS);
        });
    }

    @Test
    void shouldLoseNothingWhenOneNodeConnectsTheOthers()
    {
        run("bridge, by a follower", (leader, one, other) ->
        {
            cluster.loss.cut(leader, one);
            cluster.playFor(PARTED_NS);
        });
    }

    @Test
    void shouldLoseNothingWhenTheLeaderComesAndGoes()
    {
        run("leader alone every other 300 ms", (leader, one, other) ->
        {
            final long startNs = System.nanoTime();
            while (System.nanoTime() - startNs < 2 * PARTED_NS)
            {
                cluster.loss.cut(leader, one);
                cluster.loss.cut(leader, other);
                cluster.playFor(FLAP_NS);
                cluster.loss.heal();
                cluster.playFor(FLAP_NS);
            }
        });
    }

    @Test
    void shouldLoseNothingWhenPacketsAreLost()
    {
        run("5 to 30 % of all packets lost", (leader, one, other) ->
        {
            for (int from = 0; from < ProcessCluster.NODES; from++)
            {
                for (int to = 0; to < ProcessCluster.NODES; to++)
                {
                    cluster.loss.lose(
                        from, to, from == to ? 0 : MIN_LOSS + random.nextInt(MAX_LOSS - MIN_LOSS + 1));
                }
            }
            cluster.playFor(2 * PARTED_NS);
        });
    }

    private void run(final String what, final Fault fault)
    {
        cluster.awaitCaughtUp();
        long longestMs = 0;
        long longestHealedMs = 0;
        for (int i = 0; i < TIMES; i++)
        {
            final int leader = cluster.leader();
            final int one = (leader + 1 + random.nextInt(2)) % ProcessCluster.NODES;
            cluster.events.add("partition: " + what + ", leader " + leader + ", one " + one);
            cluster.clients.takeLongestNs();
            fault.part(leader, one, ProcessCluster.NODES - leader - one);
            cluster.events.add("healed");
            cluster.loss.heal();
            final long healedNs = System.nanoTime();
            cluster.play(1);
            longestHealedMs =
                Math.max(longestHealedMs, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - healedNs));
            cluster.play(ANSWERS_BETWEEN);
            longestMs = Math.max(longestMs, cluster.takeLongestMs());
        }
        System.out.println(what + ", " + TIMES + " times, seed " + SEED + ": longest time without an answer " +
            longestMs + " ms, from the end of the partition to an answer at most " + longestHealedMs +
            " ms; nodes that ended by themselves " + cluster.ended());
        assertTrue(longestHealedMs < TimeUnit.NANOSECONDS.toMillis(HEALED_NS), "no answer within 10 s");
    }
}
