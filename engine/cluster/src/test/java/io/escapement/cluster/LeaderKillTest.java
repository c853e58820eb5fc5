package io.escapement.cluster;

import io.escapement.engine.RoomHandle;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.Tests;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Three processes, of which the one that leads is killed again and again while a player plays. In full: 3 minutes. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class LeaderKillTest
{
    private static final int NODES = 3;
    private static final int KILLS = 20;
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
    private final List<ChildJvm> nodes = new ArrayList<>();
    private LedgerPlayer player;

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
        player = new LedgerPlayer();
        for (int i = 0; i < NODES; i++)
        {
            ingress.add(TestNode.freeEndpoint());
            response.add(TestNode.freeEndpoint());
            nodes.add(launch(i));
        }
        final long[] longestMs = new long[KILLS];
        int led = -1;
        for (int i = 0; i <= KILLS; i++)
        {
            final long target = player.acknowledged() + ANSWERS_BETWEEN;
            while (player.acknowledged() < target)
            {
                led = follow(led);
                player.poll();
                LockSupport.parkNanos(50_000);
            }
            if (i > 0)
            {
                longestMs[i - 1] = TimeUnit.NANOSECONDS.toMillis(player.takeLongestNs());
            }
            player.takeLongestNs();
            assertEquals(0, player.violations(), "an answered number is missing, or a number is there twice");
            if (i < KILLS)
            {
                final int killed = led;
                nodes.get(killed).kill();
                led = -1;
                awaitOthers(killed);
                nodes.set(killed, launch(killed));
            }
        }
        assertTrue(player.count() <= player.sent());
        Arrays.sort(longestMs);
        System.out.println("longest time without an answer, " + KILLS + " kills, trunk and join included: p50 " +
            longestMs[KILLS / 2] + ", max " + longestMs[KILLS - 1] + " ms");
    }

    /** Play on until another node leads, so that the killed one starts while the others work. */
    private void awaitOthers(final int killed)
    {
        int led = -1;
        final long target = player.acknowledged() + 1;
        while (player.acknowledged() < target)
        {
            led = follow(led);
            player.poll();
            LockSupport.parkNanos(50_000);
        }
        assertTrue(led != killed);
    }

    /** Connect the player to the node that leads. Returns its member id. */
    private int follow(final int led)
    {
        if (led >= 0 && !player.isDown() && null != leadingRoom(led))
        {
            return led;
        }
        for (int i = 0; i < NODES; i++)
        {
            final String room = leadingRoom(i);
            if (null != room)
            {
                player.connect(ingress.get(i), response.get(i), Long.parseLong(room));
                return i;
            }
        }
        return -1;
    }

    /** The room of a node that leads, or null. */
    private String leadingRoom(final int member)
    {
        if (!nodes.get(member).isAlive())
        {
            return null;
        }
        final List<String> lines = nodes.get(member).lines();
        for (int i = lines.size() - 1; i >= 0; i--)
        {
            if (lines.get(i).startsWith(LEADING))
            {
                return lines.get(i).substring(LEADING.length());
            }
            if (lines.get(i).startsWith(FOLLOWING))
            {
                return null;
            }
        }
        return null;
    }

    private ChildJvm launch(final int member)
    {
        return new ChildJvm(Node.class, FLAGS, List.of(
            directory.toString(), members, Integer.toString(member), ingress.get(member), response.get(member)));
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
