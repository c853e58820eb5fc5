package io.escapement.cluster;

import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Three nodes in processes, a player in this one, and what a supervisor does: it starts a node again that ends by
 * itself. All steps are in the test's thread, which has to call {@link #cycle()}. Snapshots that the nodes take at the
 * same place of the log are compared.
 */
final class ProcessCluster implements AutoCloseable
{
    static final int NODES = 3;

    /** A wait for an answer that is longer gets its events printed. */
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long STALL_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final List<String> FLAGS = List.of(
        "--add-opens", "java.base/java.util.zip=ALL-UNNAMED", "--add-opens", "java.base/sun.nio.ch=ALL-UNNAMED",
        "-Djava.util.logging.SimpleFormatter.format=%5$s%n", "-Xmx128m", "-XX:+UseSerialGC");

    final LedgerPlayer player;
    final LossMatrix loss;
    final EventLog events = new EventLog();
    private final Path directory;
    private final Path memory = Tests.newDirectory();
    private final String members = TestNode.members(NODES);
    private final List<TestNode.Endpoints> endpoints =
        Stream.generate(TestNode.Endpoints::free).limit(NODES).toList();
    private final Path keyFile;
    private final List<Member> nodes = new ArrayList<>();
    /** By the last proposal in it: checksum, and the members that have taken it. */
    private final Map<String, String> snapshots = new HashMap<>();
    private final Map<String, Integer> snapshotMembers = new HashMap<>();
    private String difference;
    private int led = -1;
    private int ended;
    private long cycledNs = System.nanoTime();

    ProcessCluster(final Path directory)
    {
        this.directory = directory;
        try
        {
            Files.createDirectories(directory);
            Files.createDirectories(memory);
        }
        catch (final IOException ex)
        {
            throw new IllegalStateException(ex);
        }
        loss = new LossMatrix(directory.resolve("loss"));
        keyFile = TestNode.writeKey(directory);
        player = new LedgerPlayer(events, endpoints);
        for (int i = 0; i < NODES; i++)
        {
            nodes.add(new Member(i));
        }
    }

    /** The node that has begun to lead last. */
    int leader()
    {
        return led;
    }

    /** Nodes that have ended by themselves, and were started again. */
    int ended()
    {
        return ended;
    }

    void kill(final int member)
    {
        events.add("kill -9 " + member);
        nodes.get(member).isKilled = true;
        nodes.get(member).child.kill();
    }

    void start(final int member)
    {
        events.add("start " + member);
        nodes.set(member, new Member(member));
    }

    void signal(final int member, final String name)
    {
        events.add("kill " + name + " " + member);
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

    boolean isFollowing(final int member)
    {
        return null == nodes.get(member).room;
    }

    /** Play until this many more numbers were answered. */
    void play(final int answers)
    {
        final long before = player.answers().getTotalCount();
        final long startNs = System.nanoTime();
        Tests.await(TimeUnit.MINUTES.toNanos(1), () ->
        {
            cycle();
            return player.answers().getTotalCount() - before >= answers;
        }, () -> "answers\n" + String.join("\n", events.since(startNs)));
        check();
    }

    void playFor(final long ns)
    {
        final long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < ns)
        {
            cycle();
        }
        check();
    }

    /** The longest time without an answer since the last call. Prints the events of a long one. */
    long takeLongestMs()
    {
        final long longestNs = player.takeLongestNs();
        if (longestNs > LONG_NS)
        {
            System.out.println("a wait of " + TimeUnit.NANOSECONDS.toMillis(longestNs) + " ms:\n  " +
                String.join("\n  ", events.since(player.longestSinceNs() - LONG_NS)));
        }
        return TimeUnit.NANOSECONDS.toMillis(longestNs);
    }

    /** Play until all nodes have taken a snapshot at the same place of the log, and compare those. */
    void compareStates()
    {
        final long startNs = System.nanoTime();
        synchronized (snapshots)
        {
            snapshotMembers.clear();
        }
        Tests.await(TimeUnit.MINUTES.toNanos(1), () ->
        {
            cycle();
            synchronized (snapshots)
            {
                return snapshotMembers.containsValue((1 << NODES) - 1);
            }
        }, () -> "a snapshot of all nodes\n" + String.join("\n", events.since(startNs)));
        check();
    }

    /** Know the node that has begun to lead last, and play. */
    void cycle()
    {
        final long nowNs = System.nanoTime();
        if (nowNs - cycledNs > STALL_NS)
        {
            events.add("the test stood still for " + TimeUnit.NANOSECONDS.toMillis(nowNs - cycledNs) + " ms");
        }
        cycledNs = nowNs;
        int newest = -1;
        for (int i = 0; i < NODES; i++)
        {
            Member node = nodes.get(i);
            if (!node.isKilled && !node.child.isAlive())
            {
                ended++;
                start(i);
                node = nodes.get(i);
            }
            if (null != node.room && !node.isKilled &&
                (newest < 0 || node.sinceNs - nodes.get(newest).sinceNs > 0))
            {
                newest = i;
            }
        }
        final String room = newest < 0 ? null : nodes.get(newest).room;
        if (null != room)
        {
            led = newest;
            player.join(Long.parseLong(room));
        }
        player.poll();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(nodes);
        CloseHelper.closeAll(player, loss);
        // Killed nodes leave the files of their drivers.
        IoUtil.delete(memory.toFile(), true);
    }

    private void check()
    {
        assertEquals(0, player.violations(), "an answered number is missing, or a number is there twice");
        synchronized (snapshots)
        {
            assertEquals(null, difference, "nodes have other states at the same place of the log");
        }
    }

    private void onSnapshot(final int member, final String text)
    {
        final String[] parts = text.split(" ");
        synchronized (snapshots)
        {
            final String other = snapshots.putIfAbsent(parts[0], parts[1]);
            if (null != other && !other.equals(parts[1]))
            {
                difference = "member " + member + ", proposal " + parts[0] + ": " + parts[1] + ", another " + other;
            }
            snapshotMembers.merge(parts[0], 1 << member, (all, one) -> all | one);
        }
    }

    /** A process, and its role as it has printed it. */
    private final class Member implements AutoCloseable
    {
        private final ChildJvm child;
        private final int number;
        private boolean isKilled;
        private volatile String room;
        private volatile long sinceNs;

        Member(final int number)
        {
            this.number = number;
            child = new ChildJvm(NodeProcess.class, FLAGS, List.of(directory.toString(), members,
                Integer.toString(number), endpoints.get(number).ingress(), endpoints.get(number).response(),
                memory.toString(), keyFile.toString()), this::onLine);
        }

        private void onLine(final String line)
        {
            if (line.startsWith(NodeProcess.SNAPSHOT))
            {
                onSnapshot(number, line.substring(NodeProcess.SNAPSHOT.length()));
                return;
            }
            events.add("member " + number + ": " + line);
            if (line.startsWith(NodeProcess.LEADING))
            {
                sinceNs = System.nanoTime();
                room = line.substring(NodeProcess.LEADING.length());
            }
            else if (line.startsWith(NodeProcess.FOLLOWING))
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
}
