package io.escapement.simulator;

import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;

/**
 * One schedule: nodes with their disks, clients on their hosts, and the network between them, in the calling thread and
 * in simulated time. A seed decides all that happens.
 *
 * <pre>
 *   begin    nodes start, one leads, rooms open, clients come
 *   play     clients act, and faults happen
 *   settle   faults end; everything that is under way arrives; the game is checked
 *   kill     once more without faults, where a log survives; checked again
 *   drain    orderly; nothing leaks, and a replay of the log is the same
 * </pre>
 */
final class Simulation implements AutoCloseable
{
    static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long COARSE_NS = 10 * MS;
    private static final long BEGIN_NS = 10_000 * MS;
    private static final long SETTLE_NS = 30_000 * MS;
    private static final long DRAIN_NS = 1_000 * MS;
    private static final long DRAIN_LIMIT_NS = 20_000 * MS;
    private static final long PAUSED_STEP_NS = 40 * MS;
    /** Datagrams that arrive within this part of a step arrive at once. */
    private static final int STEPS_A_GRAIN = 8;
    private static final int ROOM_FOR_VIOLATIONS = 20;
    private static final InetSocketAddress FORGER = new InetSocketAddress("10.9.9.9", 9_999);

    private final SplittableRandom random;
    private final Shape shape;
    private final SimulatedGame game;
    private final Path directory;
    private final Path keys;
    private final SimulatedClock clock = new SimulatedClock();
    private final Network network;
    private final Group group;
    private final List<String> violations = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();
    private final List<SimulatedHost> hosts = new ArrayList<>();
    private final List<Client> clients = new ArrayList<>();
    private final long grainNs;
    private final int badness;
    private long weatherUntilNs;
    private int kills;
    private int steps;

    /**
     * A schedule.
     *
     * @param seed      of it.
     * @param shape     its size, and the faults that may happen.
     * @param game      that is played.
     * @param directory for files, only of this schedule.
     * @param keys      a file with the key of the engine's tokens.
     */
    Simulation(final long seed, final Shape shape, final SimulatedGame game, final Path directory, final Path keys)
    {
        this.shape = shape;
        this.game = game;
        this.directory = directory;
        this.keys = keys;
        random = new SplittableRandom(seed);
        network = new Network(clock, random.split());
        group = new Group(random.split(), clock, shape.mode().nodes(), Node.LOOPS, violations);
        for (int i = 0; i < shape.mode().nodes(); i++)
        {
            nodes.add(new Node(i, this, random.split(), game));
        }
        grainNs = (1 + random.nextInt(6)) * MS;
        badness = random.nextInt(4);
    }

    Shape shape()
    {
        return shape;
    }

    SplittableRandom random()
    {
        return random;
    }

    SimulatedClock clock()
    {
        return clock;
    }

    Network network()
    {
        return network;
    }

    Group group()
    {
        return group;
    }

    Path directory()
    {
        return directory;
    }

    Path keys()
    {
        return keys;
    }

    List<Node> nodes()
    {
        return nodes;
    }

    /** The node that leads, or null. */
    Node leader()
    {
        if (Mode.GROUP != shape.mode())
        {
            return nodes.get(0).isRunning() ? nodes.get(0) : null;
        }
        return group.leader() >= 0 && nodes.get(group.leader()).isLeader() ? nodes.get(group.leader()) : null;
    }

    List<SimulatedHost> hosts()
    {
        return hosts;
    }

    List<Client> clients()
    {
        return clients;
    }

    /** Another host for clients. */
    SimulatedHost addHost()
    {
        final int number = hosts.size();
        final SimulatedHost host = new SimulatedHost(
            "10.0.0." + (2 + number), clock, network, violations, directory.resolve("host-" + number));
        hosts.add(host);
        return host;
    }

    void violated(final String what)
    {
        if (violations.size() < ROOM_FOR_VIOLATIONS)
        {
            violations.add(what);
        }
    }

    List<String> violations()
    {
        return violations;
    }

    /** Run the schedule. */
    void run()
    {
        game.begin(this);
        nodes.forEach(Node::start);
        if (Mode.GROUP == shape.mode())
        {
            group.elect(random.nextInt(nodes.size()));
        }
        addHost();
        if (!await(BEGIN_NS, () -> null != leader(), "a leader"))
        {
            return;
        }
        game.open(leader().engine(), this);
        clients.addAll(game.newClients(this));
        if (!await(BEGIN_NS, () -> game.hasBegun(this), "the game to begin"))
        {
            return;
        }
        group.calm(false);
        final long endNs = clock.nanoTime() + shape.ms() * MS;
        while (clock.nanoTime() < endNs && violations.isEmpty())
        {
            changeWeather();
            game.act(this);
            fault();
            step(grainNs);
        }
        settle();
        if (Mode.MEMORY != shape.mode() && violations.isEmpty())
        {
            nodes.forEach((node) -> kill(node, 0));
            settle();
        }
        if (violations.isEmpty())
        {
            game.end(this);
            drain();
        }
    }

    /** For the report: that something happened. */
    long[] figures()
    {
        return new long[]{steps, network.sent(), kills, group.term(), group.stale(), group.snapshots()};
    }

    /** A hash of everything that was sent and received, and when. */
    long hash()
    {
        long hash = network.hash();
        for (final Client client : clients)
        {
            hash = 31 * hash + client.hash();
        }
        return 31 * hash + steps;
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(clients);
        CloseHelper.closeAll(hosts);
        CloseHelper.closeAll(nodes);
        IoUtil.delete(directory.toFile(), true);
    }

    /** Let time pass, in steps of at most a length. */
    void run(final long ns, final long longestNs)
    {
        final long endNs = clock.nanoTime() + ns;
        while (clock.nanoTime() < endNs)
        {
            step(longestNs);
        }
    }

    private void step(final long longestNs)
    {
        final long nowNs = clock.nanoTime();
        final boolean isPaused = nodes.stream().anyMatch((node) -> nowNs < node.pausedUntilNs());
        final long untilNs = Math.min(network.nextNs(), nowNs + (isPaused ? PAUSED_STEP_NS : longestNs));
        clock.advance(Math.max(longestNs / STEPS_A_GRAIN, untilNs - nowNs));
        network.deliver();
        if (Mode.GROUP == shape.mode())
        {
            group.step();
        }
        for (final Node node : nodes)
        {
            if (node.isRunning())
            {
                node.step();
            }
            else if (node.mayStart())
            {
                node.start();
            }
        }
        for (final SimulatedHost host : hosts)
        {
            if (host.isRunning())
            {
                host.step();
            }
        }
        clients.forEach(Client::poll);
        steps++;
    }

    private boolean await(final long longestNs, final BooleanSupplier condition, final String what)
    {
        final long limitNs = clock.nanoTime() + longestNs;
        while (!condition.getAsBoolean())
        {
            if (clock.nanoTime() > limitNs || !violations.isEmpty())
            {
                violated("waited for " + what);
                return false;
            }
            step(COARSE_NS);
        }
        return true;
    }

    /** Change how bad the network is, a few times per second. */
    private void changeWeather()
    {
        final long nowNs = clock.nanoTime();
        if (nowNs < weatherUntilNs)
        {
            return;
        }
        weatherUntilNs = nowNs + (50 + random.nextInt(500)) * MS;
        final double bad = badness * random.nextDouble() / 3;
        network.faults(
            shape.has(Fault.LOSS) ? 0.3 * bad * bad : 0,
            shape.has(Fault.DOUBLING) ? 0.2 * bad : 0,
            shape.has(Fault.REORDERING) ? 0.4 * bad : 0,
            MS / 20 + random.nextLong(2 * MS), random.nextLong(30 * MS));
    }

    /** Sometimes, a fault that the shape has. */
    private void fault()
    {
        if (0 != random.nextInt(24) || shape.faults().isEmpty())
        {
            return;
        }
        final List<Fault> faults = List.copyOf(shape.faults());
        final Node node = nodes.get(random.nextInt(nodes.size()));
        final long nowNs = clock.nanoTime();
        switch (faults.get(random.nextInt(faults.size())))
        {
            case PARTITION -> network.cut(random.nextInt(4) > 0 ? hosts.get(random.nextInt(hosts.size())).address() :
                node.host(), nowNs + random.nextLong(1_500 * MS));
            case FORGERY -> network.forge(FORGER);
            case PAUSE -> pause(node, nowNs);
            case CLOCK -> clock.stepWall(random.nextInt(-60_000, 60_000));
            case KILL -> kill(node, random.nextLong(300 * MS));
            case POWER -> losePower(node);
            case LEADER ->
            {
                final int next = random.nextInt(nodes.size());
                if (nodes.get(next).isRunning())
                {
                    group.elect(next);
                }
            }
            case FULL_DISK -> node.fillDisk();
            case SLOW_DISK -> node.slowDisk(nowNs + random.nextLong(100 * MS));
            case READ_ERROR ->
            {
                kill(node, random.nextLong(100 * MS));
                node.failReads();
            }
            case PLAYERS -> clients.get(random.nextInt(clients.size())).stall(nowNs + random.nextLong(1_000 * MS));
            default ->
            {
                // The network has it.
            }
        }
    }

    private void pause(final Node node, final long nowNs)
    {
        if (random.nextBoolean())
        {
            hosts.get(random.nextInt(hosts.size())).pause(nowNs + random.nextLong(2_000 * MS));
        }
        else
        {
            // Longer than Aeron's timeouts, or hardly noticed.
            node.pause(nowNs + (0 == random.nextInt(6) ? 10_500 * MS + random.nextLong(3_000 * MS) :
                random.nextLong(400 * MS)));
        }
    }

    void kill(final Node node, final long downNs)
    {
        if (node.isRunning())
        {
            kills++;
            group.depose(nodes.indexOf(node));
            node.kill(downNs);
        }
    }

    private void losePower(final Node node)
    {
        if (node.isRunning())
        {
            kills++;
            node.losePower(random.nextLong(300 * MS));
        }
    }

    /** No more faults. Everything arrives, and the game is as it must be. */
    private void settle()
    {
        network.heal();
        group.calm(true);
        nodes.forEach(Node::mend);
        hosts.forEach((host) -> host.pause(0));
        clients.forEach((client) -> client.stall(0));
        run(nodes.stream().mapToLong(Node::pausedUntilNs).max().orElse(0) - clock.nanoTime(), COARSE_NS);
        if (!await(SETTLE_NS, () -> nodes.stream().allMatch(Node::isRunning), "all nodes"))
        {
            return;
        }
        if (Mode.GROUP == shape.mode() && null == leader())
        {
            group.elect(random.nextInt(nodes.size()));
        }
        if (!await(SETTLE_NS, () -> null != leader(), "a leader"))
        {
            return;
        }
        if (!await(SETTLE_NS, () -> game.isSettled(this), "everything to arrive"))
        {
            clients.stream().map(Client::waitsFor).filter((what) -> null != what).forEach(this::violated);
        }
        game.check(this);
        if (Mode.GROUP == shape.mode())
        {
            // All nodes take a snapshot, and the group compares them.
            group.appendSnapshot();
            await(SETTLE_NS, () -> nodes.stream().allMatch((node) ->
                group.member(nodes.indexOf(node)).isCurrent()), "a last snapshot");
        }
    }

    private void drain()
    {
        final List<Node> draining = Mode.GROUP == shape.mode() ? List.of(leader()) : nodes;
        final long limitNs = clock.nanoTime() + DRAIN_LIMIT_NS;
        while (!draining.stream().allMatch((node) -> node.stepped().drain(DRAIN_NS)))
        {
            if (clock.nanoTime() > limitNs || !violations.isEmpty())
            {
                violated("the drain does not end");
                return;
            }
            step(COARSE_NS);
        }
        draining.forEach(Node::check);
    }
}
