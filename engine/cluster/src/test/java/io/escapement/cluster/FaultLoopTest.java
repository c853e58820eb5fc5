package io.escapement.cluster;

import io.escapement.cluster.LedgerClients.Load;
import io.escapement.engine.Durability;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Three processes with ledger rooms, clients with many messages under way, and one fault after another, each once all
 * nodes have caught up. In the end the checker compares the clients' histories with the ledgers of all nodes, which run
 * their logs again for it. Budget: 8 s; in full three hours. {@code -Descapement.faults} sets how often each fault is
 * tried, and then all kinds are.
 */
@RealTime("processes of a cluster are killed and stopped")
class FaultLoopTest
{
    private static final int UNSET = -1;
    private static final int MINUTE_SECONDS = 60;
    private static final int QUIET_SECONDS = Integer.getInteger("escapement.quiet", UNSET);
    private static final int FAULTS = Integer.getInteger("escapement.faults", UNSET);
    private static final long SEED = Tests.seed();
    private static final int KILLS = 200;
    private static final int STOPS = 200;
    private static final int HAND_OVERS = 50;
    private static final int RESTARTS = 50;
    private static final long STOPPED_NS = TimeUnit.SECONDS.toNanos(2);
    private static final int ANSWERS_BETWEEN = 100;
    /** Of one cluster: histories and ledgers grow. */
    private static final int FAULTS_A_ROUND = 20;
    /** Far above what a quiet machine needs: longer is a fault, and no busy machine. */
    private static final long LONGEST_MS = 60_000;

    @TempDir
    Path directory;

    private final Random random = new Random(SEED);
    private ProcessCluster cluster;
    /** The audit starts all nodes again, from what the kills have left. */
    private boolean isOnce;

    @AfterEach
    void close()
    {
        if (null != cluster)
        {
            cluster.close();
        }
    }

    @Test
    void shouldLoseAndRepeatNothingWhenTheLeaderIsKilled()
    {
        run("the leader killed with -9", KILLS, 1, Durability.Level.RECORDED, Load.LIGHT, (leader) ->
        {
            cluster.kill(leader);
            cluster.await(() -> cluster.leader() != leader, "another leader");
            if (!isOnce)
            {
                cluster.start(leader);
            }
        });
    }

    @Test
    void shouldLoseAndRepeatNothingWhenTheLeaderStandsStill()
    {
        run("the leader stopped for 2 s", STOPS, 0, Durability.Level.RECORDED, Load.LIGHT, (leader) ->
        {
            cluster.signal(leader, "STOP");
            cluster.playFor(STOPPED_NS);
            cluster.signal(leader, "CONT");
            cluster.await(() -> cluster.isFollowing(leader), "the node that stood still to follow");
        });
    }

    @Test
    void shouldLoseAndRepeatNothingWhenTheLeaderHandsOver()
    {
        run("the leader closed in good order", HAND_OVERS, 0, Durability.Level.RECORDED, Load.LIGHT, (leader) ->
        {
            cluster.stop(leader);
            cluster.await(() -> cluster.leader() != leader, "another leader");
            cluster.start(leader);
        });
    }

    /** The page cache outlives the processes, so nothing may be lost at either level. */
    @ParameterizedTest
    @EnumSource(value = Durability.Level.class, names = {"RECORDED", "SYNCED"})
    void shouldLoseAndRepeatNothingWhenAllAreKilled(final Durability.Level level)
    {
        run("all killed with -9, " + level, RESTARTS, 0, level, Load.LIGHT, (leader) ->
        {
            final int first = random.nextInt(ProcessCluster.NODES);
            for (int i = 0; i < ProcessCluster.NODES; i++)
            {
                cluster.kill((first + i) % ProcessCluster.NODES);
            }
            for (int i = 0; i < ProcessCluster.NODES; i++)
            {
                cluster.start(i);
            }
        });
    }

    /** A real archive leaves real tails. */
    @Test
    void shouldHaveTheSameStateAfterFollowersWereKilled()
    {
        run("a follower killed with -9 under load", KILLS, 0, Durability.Level.RECORDED, Load.HEAVY, (leader) ->
        {
            final int follower = (leader + 1 + random.nextInt(2)) % ProcessCluster.NODES;
            cluster.kill(follower);
            cluster.play(1);
            cluster.start(follower);
        });
    }

    /** Nobody is killed, and nobody may be elected: an hour, or as many seconds as {@code -Descapement.quiet} says. */
    @Test
    void shouldElectNobodyWhileAllAreWell()
    {
        assumeTrue(Tests.isFull() || UNSET != QUIET_SECONDS, "the full tests");
        System.out.println("nobody killed: seed " + SEED);
        cluster = new ProcessCluster(directory, Durability.Level.RECORDED, Load.LIGHT, SEED);
        cluster.play(ANSWERS_BETWEEN);
        cluster.awaitCaughtUp();
        cluster.clients.takeLongestNs();
        final int leaderships = cluster.leaderships();
        final long seconds = UNSET != QUIET_SECONDS ? QUIET_SECONDS : TimeUnit.HOURS.toSeconds(1);
        long longestMs = 0;
        for (long played = 0; played < seconds; played += MINUTE_SECONDS)
        {
            cluster.playFor(TimeUnit.SECONDS.toNanos(Math.min(MINUTE_SECONDS, seconds - played)));
            longestMs = Math.max(longestMs, cluster.takeLongestMs());
        }
        System.out.println("nobody killed for " + seconds + " s: longest wait for an answer " + longestMs + " ms, " +
            cluster.clients.known() + " messages");
        assertEquals(leaderships, cluster.leaderships(), "a needless election");
        cluster.compareStates();
        cluster.audit();
    }

    private void run(
        final String what,
        final int fullCount,
        final int shortCount,
        final Durability.Level level,
        final Load load,
        final IntConsumer fault)
    {
        final int count = UNSET != FAULTS ? FAULTS : Tests.isFull() ? fullCount : shortCount;
        assumeTrue(count > 0, "the full tests");
        isOnce = 1 == count;
        System.out.println(what + ": seed " + SEED);
        final long[] longestMs = new long[count];
        long newTrunkMs = 0;
        long messages = 0;
        long resumed = 0;
        int ended = 0;
        int repaired = 0;
        int leaderships = 0;
        for (int done = 0; done < count;)
        {
            cluster = new ProcessCluster(directory.resolve("round" + done), level, load, SEED + done);
            cluster.play(ANSWERS_BETWEEN);
            for (final int end = Math.min(count, done + FAULTS_A_ROUND); done < end; done++)
            {
                cluster.awaitCaughtUp();
                cluster.clients.takeLongestNs();
                fault.accept(cluster.leader());
                cluster.play(ANSWERS_BETWEEN);
                longestMs[done] = cluster.takeLongestMs();
                newTrunkMs = Math.max(newTrunkMs, cluster.connectMs());
            }
            if (!isOnce)
            {
                cluster.awaitCaughtUp();
                cluster.compareStates();
            }
            cluster.audit();
            messages += cluster.clients.history().size();
            resumed += cluster.clients.resumed();
            ended += cluster.ended();
            repaired += cluster.repaired();
            leaderships += cluster.leaderships();
            cluster.close();
        }
        Arrays.sort(longestMs);
        System.out.println(what + ", " + count + " times: longest wait for an answer p50 " + longestMs[count / 2] +
            ", p90 " + longestMs[count * 9 / 10] + ", p99 " + longestMs[count * 99 / 100] + ", max " +
            longestMs[count - 1] + " ms, for a new trunk " + newTrunkMs + " ms; " + messages + " messages ran once, " +
            resumed + " trunks resumed, " + leaderships + " times a node began to lead, " + repaired +
            " recordings repaired, " + ended + " nodes ended by themselves");
        assertTrue(longestMs[count - 1] < LONGEST_MS, "a wait of " + longestMs[count - 1] + " ms");
        assertTrue(newTrunkMs < LONGEST_MS, "a new trunk after " + newTrunkMs + " ms");
    }
}
