package io.escapement.engine;

import io.escapement.engine.ledger.History;
import io.escapement.engine.ledger.HistoryChecker;
import io.escapement.engine.ledger.HistoryRoom;
import io.escapement.engine.simulator.Network;
import io.escapement.engine.simulator.SimulatedClock;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;

/**
 * One schedule of a group of nodes, from one seed and in the calling thread: engines with their edges and loops,
 * players with trunks to all of them, a network, and a log that commits late, twice and behind its time. Nodes are
 * killed and start again, from the log's beginning or a snapshot; leaders change. At the end the ledgers of the rooms
 * of every node have to agree with the histories of the players.
 */
final class GroupSimulation implements AutoCloseable
{
    private static final int MEMBERS = 3;
    private static final int PLAYERS = 2;
    private static final int ROOMS = 3;
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long BEGIN_NS = 10_000 * MS;
    private static final long SETTLE_NS = 30_000 * MS;

    private final SplittableRandom random;
    private final SimulatedClock clock = new SimulatedClock();
    private final Network network;
    private final SimulatedRooms oracle = new SimulatedRooms(clock::advance);
    private final SimulatedGroup group;
    private final Path directory;
    private final SimulatedHost host;
    private final History history = new History();
    private final Set<String> effects = new HashSet<>();
    private final List<SimulatedMember> members = new ArrayList<>();
    private final List<GroupClient> clients = new ArrayList<>();
    private final long grainNs;
    private int kills;
    private int steps;

    GroupSimulation(final long seed, final Path directory, final Path keys)
    {
        random = new SplittableRandom(seed);
        this.directory = directory;
        network = new Network(clock, random.split());
        group = new SimulatedGroup(random.split(), clock, MEMBERS, SimulatedMember.LOOPS, violations());
        for (int i = 0; i < MEMBERS; i++)
        {
            members.add(new SimulatedMember(i, clock, network, group, directory, keys, effects, violations()));
        }
        host = new SimulatedHost("10.0.0.2", clock, network, oracle, directory.resolve("host"));
        grainNs = (1 + random.nextInt(4)) * MS;
    }

    /** Run the schedule. */
    void run()
    {
        members.forEach(SimulatedMember::start);
        group.elect(random.nextInt(MEMBERS));
        if (!await(BEGIN_NS, () -> members.get(group.leader()).isLeader(), "a leader"))
        {
            return;
        }
        final SimulatedMember first = members.get(group.leader());
        first.openRooms(ROOMS);
        for (int i = 0; i < PLAYERS; i++)
        {
            clients.add(new GroupClient(1 + i, host, clock, members, history));
        }
        if (!await(BEGIN_NS, () -> ROOMS == first.rooms().size() &&
            clients.stream().allMatch((client) -> client.join(first.rooms().keySet())), "seats"))
        {
            return;
        }
        group.calm(false);
        final long endNs = clock.nanoTime() + (500 + random.nextInt(1_500)) * MS;
        while (clock.nanoTime() < endNs)
        {
            act();
            step();
        }
        settle();
    }

    List<String> violations()
    {
        return oracle.violations();
    }

    /** For the report: that something happened. */
    long[] figures()
    {
        return new long[]{steps, history.size(), kills, group.term() - 1, group.stale(), group.snapshots()};
    }

    /** A hash of everything that was sent and received, and when. */
    long hash()
    {
        long hash = network.hash();
        for (final long figure : figures())
        {
            hash = 31 * hash + figure;
        }
        return hash;
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(clients);
        CloseHelper.closeAll(members);
        CloseHelper.close(host);
        IoUtil.delete(directory.toFile(), true);
    }

    private void act()
    {
        for (int i = random.nextInt(4); i > 0; i--)
        {
            clients.get(random.nextInt(PLAYERS)).send(random);
        }
        if (0 == random.nextInt(40))
        {
            network.faults(0.05 * random.nextDouble(), 0.1 * random.nextDouble(), 0.3 * random.nextDouble(),
                MS / 20 + random.nextLong(MS), random.nextLong(10 * MS));
        }
        final SimulatedMember member = members.get(random.nextInt(MEMBERS));
        if (member.mayStart())
        {
            member.start();
        }
        if (0 == random.nextInt(100) && member.isRunning())
        {
            kills++;
            group.depose(members.indexOf(member));
            member.kill(random.nextLong(300 * MS));
        }
        final boolean isHeadless = group.leader() < 0;
        if (0 == random.nextInt(isHeadless ? 40 : 200) && member.isRunning())
        {
            group.elect(members.indexOf(member));
        }
    }

    /** No more faults. Everything arrives, and every node runs all of it. */
    private void settle()
    {
        network.heal();
        group.calm(true);
        await(SETTLE_NS, () ->
        {
            members.stream().filter((member) -> !member.isRunning()).forEach(SimulatedMember::start);
            return true;
        }, "all nodes");
        group.elect(random.nextInt(MEMBERS));
        final boolean isSettled = await(SETTLE_NS, this::isSettled, "everything to be accepted");
        for (final SimulatedMember member : members)
        {
            for (final String finding : HistoryChecker.check(history, member.rooms(), effects))
            {
                oracle.violated("node " + members.indexOf(member) + ": " + finding);
            }
        }
        if (!isSettled)
        {
            clients.forEach((client) -> client.missing().forEach(oracle::violated));
        }
    }

    private boolean isSettled()
    {
        if (history.known() != history.size() || !clients.stream().allMatch((client) -> client.missing().isEmpty()))
        {
            return false;
        }
        for (final SimulatedMember member : members)
        {
            final Map<Long, HistoryRoom> rooms = member.rooms();
            long sent = 0;
            long arrived = 0;
            for (final HistoryRoom room : rooms.values())
            {
                if (0 != room.openRequests())
                {
                    return false;
                }
                sent += room.signalsSent();
                for (final long from : rooms.keySet())
                {
                    arrived += room.lastSignal(from);
                }
            }
            if (!member.isCurrent() || sent != arrived || ROOMS != rooms.size())
            {
                return false;
            }
        }
        return true;
    }

    private boolean await(final long longestNs, final BooleanSupplier condition, final String what)
    {
        final long limitNs = clock.nanoTime() + longestNs;
        while (!condition.getAsBoolean())
        {
            if (clock.nanoTime() > limitNs || !violations().isEmpty())
            {
                oracle.violated("waited for " + what);
                return false;
            }
            step();
        }
        return true;
    }

    private void step()
    {
        final long nowNs = clock.nanoTime();
        clock.advance(Math.max(grainNs / 4, Math.min(network.nextNs(), nowNs + grainNs) - nowNs));
        network.deliver();
        group.step();
        members.stream().filter(SimulatedMember::isRunning).forEach(SimulatedMember::step);
        host.step();
        clients.forEach(GroupClient::poll);
        steps++;
    }
}
