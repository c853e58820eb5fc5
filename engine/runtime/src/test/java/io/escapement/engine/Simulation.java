package io.escapement.engine;

import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.engine.SimulatedRoom.Request;
import io.escapement.engine.simulator.Network;
import io.escapement.engine.simulator.SimulatedClock;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;

/** One schedule: an engine, its clients and the network between them, in the calling thread, from one seed. */
final class Simulation implements AutoCloseable
{
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    /** Several attempts to connect: a ticket may have expired, and trunks that are lost are held for a while. */
    private static final long CONNECTED_NS = 15_000 * MS;
    private static final long RETRY_NS = 250 * MS;
    private static final long SETTLED_NS = 2_000 * MS;
    private static final long LATE_NS = 4 * SimulatedEngine.KEEPALIVE_NS;
    /** Shorter than the grace of seats. */
    private static final long RESUMED_NS = 1_100 * MS;
    private static final long GONE_NS = 2_500 * MS;
    private static final long DRAIN_NS = 1_000 * MS;
    private static final long DRAIN_LIMIT_NS = 20_000 * MS;
    private static final long COARSE_NS = 10 * MS;
    /** Datagrams that arrive within this part of a step arrive at once. */
    private static final int STEPS_A_GRAIN = 8;
    private static final long PAUSED_STEP_NS = 40 * MS;
    private static final byte[] WRONG_SECRET = "not the secret of the tests".getBytes(StandardCharsets.US_ASCII);
    private static final InetSocketAddress FORGER = new InetSocketAddress("10.9.9.9", 9_999);
    /** Requests that end a room are rare, or there would be nobody to talk to. */
    private static final int RARE = 12;

    private final SplittableRandom random;
    private final SimulatedClock clock = new SimulatedClock();
    private final SimulatedRooms oracle = new SimulatedRooms(clock::advance);
    private final Network network;
    private final Path directory;
    private final String[] ports;
    private final SimulatedEngine engine;
    private final List<SimulatedHost> hosts = new ArrayList<>();
    private final List<SimulatedTrunk> trunks = new ArrayList<>();
    private final List<Stranger> strangers = new ArrayList<>();
    private final long grainNs;
    private final int hostileness;
    private long enginePausedUntilNs;
    private long weatherUntilNs;
    private int steps;

    Simulation(final long seed, final Path directory, final String[] ports)
    {
        random = new SplittableRandom(seed);
        this.directory = directory;
        this.ports = ports;
        network = new Network(clock, random.split());
        engine = new SimulatedEngine(random.split(), clock, network, oracle, directory, ports);
        grainNs = (1 + random.nextInt(6)) * MS;
        hostileness = random.nextInt(4);
        final int hostCount = 0 == random.nextInt(3) ? 2 : 1;
        for (int i = 0; i < hostCount; i++)
        {
            addHost();
        }
        for (int i = 0, count = 1 + random.nextInt(3); i < count; i++)
        {
            trunks.add(new SimulatedTrunk(i, random.split(), clock, oracle, engine, ports));
        }
    }

    /** Run the schedule. */
    void run()
    {
        engine.openRoom(1);
        engine.openRoom(2);
        trunks.forEach(this::connect);
        final long endNs = clock.nanoTime() + (1_500 + random.nextInt(3_000)) * MS;
        while (clock.nanoTime() < endNs)
        {
            changeWeather();
            act();
            step(grainNs);
        }
        settle();
        comeBack();
        part();
        drain();
    }

    List<String> violations()
    {
        return oracle.violations();
    }

    /** A hash of everything that was sent and received, and when. */
    long hash()
    {
        long hash = network.hash();
        for (final SimulatedTrunk trunk : trunks)
        {
            hash = 31 * hash + trunk.hash();
        }
        return 31 * hash + steps;
    }

    /** For the report: that something happened. */
    long[] figures()
    {
        return new long[]{steps, network.sent(), oracle.messages(),
            trunks.stream().mapToLong(SimulatedTrunk::events).sum()};
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(hosts);
        CloseHelper.closeAll(engine);
        engine.delete();
    }

    private SimulatedHost addHost()
    {
        final int number = hosts.size();
        final SimulatedHost host = new SimulatedHost(
            "10.0.0." + (2 + number), clock, network, oracle, directory.resolve("host-" + number));
        hosts.add(host);
        return host;
    }

    private void step(final long longestNs)
    {
        final long nowNs = clock.nanoTime();
        final boolean isPaused = nowNs < enginePausedUntilNs;
        final long untilNs = Math.min(network.nextNs(), nowNs + (isPaused ? PAUSED_STEP_NS : longestNs));
        clock.advance(Math.max(longestNs / STEPS_A_GRAIN, untilNs - nowNs));
        network.deliver();
        if (clock.nanoTime() >= enginePausedUntilNs)
        {
            engine.step();
        }
        for (final SimulatedHost host : hosts)
        {
            if (host.isRunning())
            {
                host.step();
            }
        }
        for (final SimulatedTrunk trunk : trunks)
        {
            if (null != trunk.host() && trunk.host().isRunning())
            {
                trunk.poll();
            }
        }
        strangers.removeIf(this::isGone);
        steps++;
    }

    private boolean isGone(final Stranger stranger)
    {
        if (!stranger.host.isRunning())
        {
            return stranger.host.isDead();
        }
        stranger.client.poll();
        final boolean isGone = clock.nanoTime() >= stranger.untilNs;
        if (isGone)
        {
            stranger.client.close();
        }
        return isGone;
    }

    private void run(final long ns, final long longestNs)
    {
        final long endNs = clock.nanoTime() + ns;
        while (clock.nanoTime() < endNs)
        {
            step(longestNs);
        }
    }

    private record Stranger(TrunkClient client, SimulatedHost host, long untilNs)
    {
    }

    /** Change how bad the network is, a few times a second. */
    private void changeWeather()
    {
        final long nowNs = clock.nanoTime();
        if (nowNs < weatherUntilNs)
        {
            return;
        }
        weatherUntilNs = nowNs + (50 + random.nextInt(500)) * MS;
        final double badness = hostileness * random.nextDouble() / 3;
        network.faults(0.3 * badness * badness, 0.2 * badness, 0.4 * badness,
            MS / 20 + random.nextLong(2 * MS), random.nextLong(30 * MS));
        if (random.nextInt(12) < hostileness)
        {
            network.cut(hosts.get(random.nextInt(hosts.size())).address(), nowNs + random.nextLong(1_500 * MS));
        }
    }

    private void act()
    {
        if (hostileness > 1 && 0 == random.nextInt(20))
        {
            network.forge(FORGER);
        }
        final SimulatedTrunk trunk = trunks.get(random.nextInt(trunks.size()));
        if (!trunk.isConnected())
        {
            if (0 == random.nextInt(10))
            {
                connect(trunk);
            }
            return;
        }
        if (!trunk.host().isRunning() || !trunk.isUp())
        {
            return;
        }
        final int dice = random.nextInt(100);
        if (dice < (trunk.hasSeats() ? 8 : 60))
        {
            trunk.join();
        }
        else if (dice < 70)
        {
            // More than a ring takes at once.
            for (int i = random.nextInt(0 == random.nextInt(30) ? 200 : 4); i >= 0; i--)
            {
                trunk.send(request(), random.nextInt(1, 100));
            }
        }
        else if (dice < 72)
        {
            trunk.leave();
        }
        else if (0 == random.nextInt(12))
        {
            disturb(trunk);
        }
    }

    private void disturb(final SimulatedTrunk trunk)
    {
        final long nowNs = clock.nanoTime();
        switch (random.nextInt(16))
        {
            case 0, 1, 2 -> trunk.abandon();
            case 3 -> trunk.goodbye();
            case 4, 5 -> trunk.stall(nowNs + random.nextLong(1_200 * MS));
            case 6 -> trunk.host().pause(nowNs + random.nextLong(2_000 * MS));
            case 7 ->
            {
                if (hosts.size() < 3)
                {
                    trunk.host().die();
                    addHost();
                }
            }
            case 8 -> enginePausedUntilNs = nowNs +
                (0 == random.nextInt(3) ? 10_500 * MS + random.nextLong(3_000 * MS) : random.nextLong(400 * MS));
            case 9 -> clock.stepWall(random.nextInt(-60_000, 60_000));
            case 10 -> trunk.lie();
            case 11, 12, 13 -> knock(trunk.host());
            default -> engine.openRoom(1 + random.nextInt(2));
        }
    }

    /** A connection that is no trunk: with a wrong secret, or given up in its handshake. */
    private void knock(final SimulatedHost host)
    {
        final boolean isWrong = random.nextBoolean();
        strangers.add(new Stranger(TrunkClient.connect(new TrunkContext()
            .aeron(host.aeron())
            .udp(ports[0], ports[1])
            .identity("stranger")
            .secret(isWrong ? WRONG_SECRET : TestTrunk.SECRET)
            .clock(clock)
            .termLength(64 * 1_024)), host, clock.nanoTime() + random.nextLong(800 * MS)));
    }

    private Request request()
    {
        final Request[] requests = Request.values();
        final Request request = requests[random.nextInt(requests.length)];
        return request.ordinal() >= Request.KICK.ordinal() && random.nextInt(RARE) > 0 ? Request.ALL : request;
    }

    private void connect(final SimulatedTrunk trunk)
    {
        final List<SimulatedHost> running = hosts.stream().filter(SimulatedHost::isRunning).toList();
        if (!running.isEmpty())
        {
            trunk.connect(running.get(random.nextInt(running.size())));
        }
    }

    /** No more faults: everything that is under way arrives, and everything that is gone is noticed. */
    private void settle()
    {
        network.heal();
        // A pause has to be longer than Aeron's timeouts to matter, and ends by itself.
        run(enginePausedUntilNs - clock.nanoTime(), COARSE_NS);
        hosts.forEach((host) -> host.pause(0));
        for (final SimulatedTrunk trunk : trunks)
        {
            trunk.stall(0);
        }
        // Trunks whose keepalive is late go down now.
        run(LATE_NS, COARSE_NS);
        final long limitNs = clock.nanoTime() + CONNECTED_NS;
        while (!trunks.stream().allMatch(SimulatedTrunk::isUp) && clock.nanoTime() < limitNs)
        {
            trunks.stream().filter((trunk) -> !trunk.isConnected()).forEach(this::connect);
            run(RETRY_NS, COARSE_NS);
        }
        run(SETTLED_NS, grainNs + COARSE_NS / 2);
        trunks.forEach(SimulatedTrunk::check);
        for (final SimulatedRooms.RoomState room : oracle.rooms())
        {
            for (int i = 0; i < room.seats.length; i++)
            {
                final SimulatedRooms.SeatState seat = room.seats[i];
                final int index = i;
                if (room.isOpen && seat.isPresent &&
                    1 != trunks.stream().filter((trunk) ->
                        trunk.hasPresent(room.roomId, index, seat.generation)).count())
                {
                    oracle.violated("room " + room.roomId + " has player " + seat.playerId + " in seat " + i +
                        ", and no trunk has it");
                }
            }
        }
        if (!engine.isAlive())
        {
            oracle.violated("the engine is not alive");
        }
    }

    /** Without faults a trunk that resumes within the grace gets all of its seats. */
    private void comeBack()
    {
        final List<SimulatedTrunk> resuming = trunks.stream()
            .filter((trunk) -> trunk.isUp() && random.nextBoolean()).toList();
        if (!resuming.isEmpty())
        {
            resuming.forEach(SimulatedTrunk::resume);
            run(RESUMED_NS, COARSE_NS);
            resuming.forEach(SimulatedTrunk::checkReturned);
        }
    }

    /** Some clients go, in one way or the other, and one that has said Goodbye tries to resume. */
    private void part()
    {
        final List<SimulatedTrunk> gone = new ArrayList<>();
        for (final SimulatedTrunk trunk : trunks)
        {
            if (trunk.isUp() && random.nextInt(3) > 0)
            {
                if (random.nextBoolean())
                {
                    trunk.goodbye();
                    gone.add(trunk);
                }
                else
                {
                    trunk.abandon();
                }
            }
        }
        if (!gone.isEmpty())
        {
            run(RETRY_NS, COARSE_NS);
            gone.forEach(SimulatedTrunk::knockAgain);
            run(RESUMED_NS, COARSE_NS);
            gone.forEach(SimulatedTrunk::abandon);
        }
        run(GONE_NS, COARSE_NS);
    }

    private void drain()
    {
        final long limitNs = clock.nanoTime() + DRAIN_LIMIT_NS;
        while (!engine.drain(DRAIN_NS))
        {
            if (clock.nanoTime() > limitNs)
            {
                oracle.violated("the drain does not end");
                return;
            }
            step(COARSE_NS);
        }
        engine.check();
    }
}
