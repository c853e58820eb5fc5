package io.escapement.cluster;

import io.escapement.engine.RoomHandle;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Three processes, of which the one that leads is killed or stands still, again and again, while a player plays. In
 * full these tests take 4 minutes.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class LeaderKillTest
{
    private static final int NODES = 3;
    private static final int FAULTS = 20;
    private static final long STOPPED_NS = TimeUnit.SECONDS.toNanos(2);
    private static final int ANSWERS_BETWEEN = 300;
    private static final String LEADING = "leading ";
    private static final String FOLLOWING = "following ";
    private static final List<String> FLAGS = List.of(
        "--add-opens", "java.base/java.util.zip=ALL-UNNAMED", "--add-opens", "java.base/sun.nio.ch=ALL-UNNAMED",
        "-Xmx128m", "-XX:+UseSerialGC");

    @TempDir
    Path directory;

    private final String members = TestNode.members(NODES);
    private final List<String> ingress = new ArrayList<>();
    private final List<String> response = new ArrayList<>();
    private final List<Member> nodes = new ArrayList<>();
    private LedgerPlayer player;
    private int led = -1;

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(nodes);
        CloseHelper.close(player);
    }

    @Test
    void shouldLoseNothingThatWasAnsweredWhenTheLeaderIsKilled()
    {
        assumeTrue(Tests.isFull(), "the full tests");
        run("kill -9", (leader) ->
        {
            nodes.get(leader).child.kill();
            play(1);
            nodes.set(leader, new Member(leader));
        });
    }

    @Test
    void shouldLoseNothingThatWasAnsweredWhenTheLeaderStandsStill()
    {
        assumeTrue(Tests.isFull(), "the full tests");
        run("kill -STOP, 2 s", (leader) ->
        {
            signal(leader, "-STOP");
            final long stoppedNs = System.nanoTime();
            while (System.nanoTime() - stoppedNs < STOPPED_NS)
            {
                cycle();
            }
            signal(leader, "-CONT");
            Tests.await(() ->
            {
                cycle();
                return null == nodes.get(leader).room;
            }, "the node that stood still to follow");
        });
    }

    private void run(final String what, final IntConsumer fault)
    {
        player = new LedgerPlayer();
        for (int i = 0; i < NODES; i++)
        {
            ingress.add(TestNode.freeEndpoint());
            response.add(TestNode.freeEndpoint());
            nodes.add(new Member(i));
        }
        final long[] longestMs = new long[FAULTS];
        play(ANSWERS_BETWEEN);
        for (int i = 0; i < FAULTS; i++)
        {
            player.takeLongestNs();
            fault.accept(led);
            play(ANSWERS_BETWEEN);
            longestMs[i] = TimeUnit.NANOSECONDS.toMillis(player.takeLongestNs());
            assertEquals(0, player.violations(), "an answered number is missing, or a number is there twice");
        }
        assertTrue(player.count() <= player.sent());
        Arrays.sort(longestMs);
        System.out.println(what + ": longest time without an answer of " + FAULTS + ", trunk and join included: p50 " +
            longestMs[FAULTS / 2] + ", max " + longestMs[FAULTS - 1] + " ms; an answer p50 " +
            player.answers().getValueAtPercentile(50) / 1_000 + ", p99 " +
            player.answers().getValueAtPercentile(99) / 1_000 + " us");
    }

    /** Play until this many more numbers were answered. */
    private void play(final int answers)
    {
        final long before = player.answers().getTotalCount();
        Tests.await(TimeUnit.MINUTES.toNanos(1), () ->
        {
            cycle();
            return player.answers().getTotalCount() - before >= answers;
        }, "answers");
    }

    /** Follow the node that has begun to lead last, and play. */
    private void cycle()
    {
        int newest = -1;
        for (int i = 0; i < NODES; i++)
        {
            final Member node = nodes.get(i);
            final boolean isLeading = null != node.room && node.child.isAlive();
            if (isLeading && (newest < 0 || node.sinceNs - nodes.get(newest).sinceNs > 0))
            {
                newest = i;
            }
        }
        if (newest >= 0 && (newest != led || player.isDown()))
        {
            led = newest;
            player.connect(ingress.get(led), response.get(led), Long.parseLong(nodes.get(led).room));
        }
        player.poll();
    }

    private void signal(final int member, final String name)
    {
        try
        {
            final Process kill = new ProcessBuilder(
                "kill", name, Long.toString(nodes.get(member).child.handle().pid())).start();
            assertEquals(0, kill.waitFor());
        }
        catch (final IOException | InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /** A process, and its role as it has printed it. */
    private final class Member implements AutoCloseable
    {
        final ChildJvm child;
        volatile String room;
        volatile long sinceNs;

        Member(final int number)
        {
            child = new ChildJvm(Node.class, FLAGS, List.of(directory.toString(), members, Integer.toString(number),
                ingress.get(number), response.get(number)), this::onLine);
        }

        private void onLine(final String line)
        {
            if (line.startsWith(LEADING))
            {
                sinceNs = System.nanoTime();
                room = line.substring(LEADING.length());
            }
            else if (line.startsWith(FOLLOWING))
            {
                room = null;
            }
        }

        @Override
        public void close()
        {
            child.close();
        }
    }

    /** A node that prints its role, and opens the ledger room if there is none. */
    static final class Node
    {
        private Node()
        {
        }

        public static void main(final String[] args)
        {
            final int member = Integer.parseInt(args[2]);
            final TestNode node = new TestNode(TestNode.options(Path.of(args[0]), args[1], member), LedgerRoom.type(),
                1, new LedgerClient(), args[3], args[4]);
            RoomHandle room = null;
            while (node.engine().isAlive())
            {
                final boolean isLeader = node.isLeader();
                if (isLeader && null == room)
                {
                    room = node.ledger();
                    if (null != room)
                    {
                        System.out.println(LEADING + room.roomId());
                    }
                }
                else if (!isLeader && null != room)
                {
                    room = null;
                    System.out.println(FOLLOWING + node.engine().leaderMemberId());
                }
                LockSupport.parkNanos(1_000_000);
            }
            System.out.println(FOLLOWING + "nobody: " + node.errors());
            Runtime.getRuntime().halt(1);
        }
    }
}
