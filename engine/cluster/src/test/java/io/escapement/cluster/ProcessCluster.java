package io.escapement.cluster;

import io.escapement.client.TrunkClient;
import io.escapement.engine.Durability;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Three nodes in processes, clients in this one, and what a supervisor does: it starts a node again that ends by
 * itself. All steps are in the test's thread, which has to call {@link #cycle()}. Snapshots that the nodes take at the
 * same place of the log are compared, those of its replay too.
 */
@RealTime("a helper of processes that are killed")
final class ProcessCluster implements AutoCloseable
{
    static final int NODES = 3;

    /** A wait for an answer that is longer gets its events printed. */
    private static final long LONG_NS = TimeUnit.SECONDS.toNanos(3);
    /** Whatever a wait is for may have been hindered this long before. */
    private static final long CAUSE_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long STALL_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(2);
    /** Bytes that a node that follows may be behind at any moment. */
    private static final long BEHIND_LIMIT = 64 * 1_024;
    private static final List<String> FLAGS = List.of(
        "-Djava.util.logging.SimpleFormatter.format=%5$s%n", "-Xmx192m", "-XX:+UseSerialGC",
        "-XX:TieredStopAtLevel=1", "-Xshare:auto");

    final LedgerClients clients;
    final LossMatrix loss;
    final EventLog events = new EventLog();
    private final Path directory;
    private final Path memory = Tests.newDirectory();
    private final String members = TestNode.members(NODES);
    private final List<TestNode.Endpoints> endpoints =
        Stream.generate(TestNode.Endpoints::free).limit(NODES).toList();
    private final Path keyFile;
    private final Durability.Level level;
    private final List<Member> nodes = new ArrayList<>();
    /** By the loop and the last proposal in it: checksum, and the members that have taken it. */
    private final Map<String, String> snapshots = new HashMap<>();
    private final Map<String, Integer> snapshotMembers = new HashMap<>();
    private String difference;
    private int led = -1;
    private int ended;
    private int repaired;
    private int leaderships;
    private long cycledNs = System.nanoTime();

    ProcessCluster(final Path directory)
    {
        this(directory, Durability.Level.RECORDED, LedgerClients.Load.LIGHT, System.nanoTime());
    }

    /**
     * Start three nodes.
     *
     * @param directory of their logs.
     * @param level     of their answers.
     * @param load      of the clients.
     * @param seed      of the clients.
     */
    ProcessCluster(
        final Path directory, final Durability.Level level, final LedgerClients.Load load, final long seed)
    {
        this.directory = directory;
        this.level = level;
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
        clients = new LedgerClients(events, endpoints, load, seed);
        for (int i = 0; i < NODES; i++)
        {
            nodes.add(new Member(i));
        }
    }

    Path directory()
    {
        return directory;
    }

    /** Options of a node that does not run. */
    ClusterOptions options(final int member)
    {
        return TestNode.options(directory, members, member);
    }

    long pid(final int member)
    {
        return nodes.get(member).child.handle().pid();
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

    /** Ends of recordings that were repaired. */
    synchronized int repaired()
    {
        return repaired;
    }

    /** How often a node has begun to lead. */
    synchronized int leaderships()
    {
        return leaderships;
    }

    /** A process that is killed gives back its memory first, for which a busy machine takes seconds: play on. */
    void kill(final int member)
    {
        events.add("kill -9 " + member);
        final Member node = nodes.get(member);
        node.isKilled = true;
        node.child.handle().destroyForcibly();
        await(() -> !node.child.isAlive(), "the end of member " + member);
        events.add("member " + member + " is dead");
    }

    /** Have a node leave in good order, and wait for its end. */
    void stop(final int member)
    {
        events.add("stop " + member);
        final Member node = nodes.get(member);
        node.isKilled = true;
        node.child.terminate();
        await(() -> !node.child.isAlive(), "the end of member " + member);
    }

    void start(final int member)
    {
        events.add("start " + member);
        nodes.set(member, new Member(member));
    }

    void signal(final int member, final String name)
    {
        events.add("kill -" + name + " " + member);
        nodes.get(member).child.signal(name);
    }

    boolean isFollowing(final int member)
    {
        return null == nodes.get(member).rooms;
    }

    /** Play until this many more messages are known to have run. */
    void play(final int messages)
    {
        final long target = clients.known() + messages;
        await(() -> clients.known() >= target, "answers");
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

    /** Connect a new trunk to the node that leads, as a program does that knows one node. Returns the time. */
    long connectMs()
    {
        final long startNs = System.nanoTime();
        final TrunkClient[] trunk = {clients.connect(endpoints.get(led))};
        final TrunkClient.State[] last = new TrunkClient.State[1];
        await(() ->
        {
            trunk[0].poll();
            if (last[0] != trunk[0].state())
            {
                last[0] = trunk[0].state();
                events.add("new trunk to " + led + ": " + last[0] + " " + trunk[0].failure());
            }
            if (TrunkClient.State.DOWN == last[0])
            {
                trunk[0] = clients.connect(endpoints.get(led));
            }
            return TrunkClient.State.UP == last[0];
        }, "a new trunk");
        trunk[0].close();
        final long ns = System.nanoTime() - startNs;
        if (ns > LONG_NS)
        {
            System.out.println("a new trunk after " + TimeUnit.NANOSECONDS.toMillis(ns) + " ms:\n  " +
                String.join("\n  ", events.since(startNs - LONG_NS)));
        }
        return TimeUnit.NANOSECONDS.toMillis(ns);
    }

    /** Play until a condition holds. */
    void await(final BooleanSupplier condition, final String what)
    {
        final long startNs = System.nanoTime();
        Tests.await(() ->
        {
            cycle();
            return condition.getAsBoolean();
        }, () -> what + "\n" + String.join("\n", events.since(startNs - CAUSE_NS)));
    }

    /**
     * Play until all nodes run and have what the leader has, by the leader's counters and by their own: until then the
     * next failure takes longer.
     */
    void awaitCaughtUp()
    {
        final long startNs = System.nanoTime();
        final long[] target = {-1};
        await(() ->
        {
            final Member leader = led < 0 ? null : nodes.get(led);
            if (null == leader || null == leader.rooms || leader.placedNs - startNs <= 0 ||
                leader.place.length <= NODES)
            {
                return false;
            }
            target[0] = target[0] < 0 ? leader.place[0] : target[0];
            for (int i = 0; i < NODES; i++)
            {
                final Member node = nodes.get(i);
                if (node.placedNs - startNs <= 0 || node.place[0] < target[0] || leader.place[i + 1] > BEHIND_LIMIT)
                {
                    return false;
                }
            }
            return true;
        }, "all nodes to catch up");
    }

    /** The longest time without an answer since the last call. Prints the events of a long one. */
    long takeLongestMs()
    {
        final long longestNs = clients.takeLongestNs();
        if (longestNs > LONG_NS)
        {
            System.out.println("a wait of " + TimeUnit.NANOSECONDS.toMillis(longestNs) + " ms:\n  " +
                String.join("\n  ", events.since(clients.longestSinceNs() - LONG_NS)));
        }
        return TimeUnit.NANOSECONDS.toMillis(longestNs);
    }

    /** Play until all nodes have taken a snapshot of each loop at the same place of the log, and compare those. */
    void compareStates()
    {
        synchronized (snapshots)
        {
            snapshotMembers.clear();
        }
        await(this::areSnapshotsCompared, "snapshots of all nodes at the same place of the log");
        check();
    }

    private boolean areSnapshotsCompared()
    {
        synchronized (snapshots)
        {
            for (int i = 0; i < NodeProcess.LOOPS; i++)
            {
                final String prefix = i + " ";
                if (snapshotMembers.entrySet().stream().noneMatch((entry) ->
                    entry.getKey().startsWith(prefix) && entry.getValue() == (1 << NODES) - 1))
                {
                    return false;
                }
            }
            return true;
        }
    }

    /**
     * End the processes, run the logs again in nodes of this process, and compare the histories of the clients with
     * the ledgers in each of them.
     */
    void audit()
    {
        for (int i = 0; i < NODES; i++)
        {
            kill(i);
        }
        final Map<String, String> before;
        synchronized (snapshots)
        {
            before = Map.copyOf(snapshots);
            snapshotMembers.clear();
        }
        clients.hold(true);
        final LedgerAudit audit = new LedgerAudit(this, members, endpoints, keyFile);
        audit.run();
        synchronized (snapshots)
        {
            assertTrue(snapshotMembers.keySet().stream().anyMatch(before::containsKey) || before.isEmpty(),
                "the replays have passed no place at which a process had taken a snapshot");
        }
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
            if (null != node.rooms && !node.isKilled &&
                (newest < 0 || node.sinceNs - nodes.get(newest).sinceNs > 0))
            {
                newest = i;
            }
        }
        final List<Long> rooms = newest < 0 ? null : nodes.get(newest).rooms;
        if (null != rooms)
        {
            led = newest;
            clients.join(rooms);
        }
        clients.poll();
    }

    /** A node has taken a snapshot: loop, proposal and checksum. */
    void onSnapshot(final int member, final String text)
    {
        final int end = text.lastIndexOf(' ');
        final String place = text.substring(0, end);
        final String checksum = text.substring(end + 1);
        synchronized (snapshots)
        {
            final String other = snapshots.putIfAbsent(place, checksum);
            if (null != other && !other.equals(checksum))
            {
                difference =
                    "member " + member + ", loop and proposal " + place + ": " + checksum + ", another " + other;
            }
            snapshotMembers.merge(place, 1 << member, (all, one) -> all | one);
        }
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(nodes);
        CloseHelper.closeAll(clients, loss);
        // Killed nodes leave the files of their drivers.
        IoUtil.delete(memory.toFile(), true);
    }

    private void check()
    {
        synchronized (snapshots)
        {
            assertEquals(null, difference, "nodes have other states at the same place of the log");
        }
    }

    /** A process, and its role as it has printed it. */
    private final class Member implements AutoCloseable
    {
        private final ChildJvm child;
        private final int number;
        private boolean isKilled;
        private volatile List<Long> rooms;
        private volatile long sinceNs;
        private volatile long[] place = {0};
        private volatile long placedNs = System.nanoTime();

        Member(final int number)
        {
            this.number = number;
            child = new ChildJvm(NodeProcess.class, FLAGS, new NodeProcess.Options(directory, members, number,
                endpoints.get(number), memory, keyFile, level).arguments(), this::onLine);
        }

        private void onLine(final String line)
        {
            if (line.startsWith(NodeProcess.SNAPSHOT))
            {
                onSnapshot(number, line.substring(NodeProcess.SNAPSHOT.length()));
                events.add("member " + number + ": a snapshot");
                return;
            }
            if (line.startsWith(NodeProcess.PLACE))
            {
                place = Arrays.stream(line.substring(NodeProcess.PLACE.length()).split(" "))
                    .mapToLong(Long::parseLong).toArray();
                placedNs = System.nanoTime();
                return;
            }
            events.add("member " + number + ": " + line);
            if (line.startsWith(NodeProcess.LEADING))
            {
                onLeading();
                sinceNs = System.nanoTime();
                rooms = Arrays.stream(line.substring(NodeProcess.LEADING.length()).split(" "))
                    .map(Long::valueOf).toList();
            }
            else if (line.startsWith(NodeProcess.FOLLOWING))
            {
                rooms = null;
            }
            else if (line.contains(NodeDirectory.REPAIRED))
            {
                onRepaired();
            }
        }

        @Override
        public void close()
        {
            child.close();
        }
    }

    private synchronized void onLeading()
    {
        leaderships++;
    }

    private synchronized void onRepaired()
    {
        repaired++;
    }
}
