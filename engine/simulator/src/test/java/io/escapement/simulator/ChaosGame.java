package io.escapement.simulator;

import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.internal.loop.RoomFailure;
import io.escapement.engine.spi.AsyncService;
import io.escapement.engine.spi.Authenticator;
import io.escapement.engine.spi.LogInService;
import io.escapement.rooms.RoomType;
import io.escapement.simulator.SimulatedRoom.Request;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Rooms whose code throws, overflows, blocks and returns nonsense, and trunks of honest and lying players. They compare
 * everything that they receive with what the rooms have done. In memory alone, since the rooms tell an oracle.
 */
final class ChaosGame extends SimulatedGame
{
    static final long GRACE_NS = 1_500 * Simulation.MS;
    private static final long MS = Simulation.MS;
    /** Several attempts to connect: a ticket may have expired, and trunks that are lost are held for a while. */
    private static final long CONNECTED_NS = 30_000 * MS;
    private static final long SETTLED_NS = 2_000 * MS;
    private static final long LATE_NS = 4 * Node.KEEPALIVE_NS;
    /** Shorter than the grace of seats. */
    private static final long RESUMED_NS = 1_100 * MS;
    private static final long GONE_NS = 2_500 * MS;
    private static final long RETRY_NS = 250 * MS;
    private static final long COARSE_NS = 10 * MS;
    private static final int HOSTS = 3;
    private static final byte[] WRONG_SECRET = "not the secret of the tests".getBytes(StandardCharsets.US_ASCII);
    /** Requests that end a room are rare, or there would be nobody to talk to. */
    private static final int RARE = 12;

    private final List<SimulatedTrunk> trunks = new ArrayList<>();
    private final List<Stranger> strangers = new ArrayList<>();
    private final SplittableRandom random;
    private final boolean isTrusted;
    private SimulatedRooms oracle;
    private Simulation simulation;

    private record Stranger(TrunkClient client, SimulatedHost host, long untilNs)
    {
    }

    ChaosGame(final long seed)
    {
        random = new SplittableRandom(seed);
        isTrusted = random.nextInt(4) > 0;
    }

    @Override
    Set<Mode> modes()
    {
        return EnumSet.of(Mode.MEMORY);
    }

    boolean isTrusted()
    {
        return isTrusted;
    }

    @Override
    void begin(final Simulation begun)
    {
        simulation = begun;
        oracle = new SimulatedRooms(begun.clock()::advance, begun::violated);
    }

    @Override
    void configure(final EngineContext context, final int node)
    {
        context.phaseGroups(2).loopLimits(12, 64, 512);
        context.service(SimulatedRoom.SERVICE, "work", 1, () -> this::onRequest)
            .ringSlots(64).inboxSlots(64).placement(this::place);
        for (final RoomType type : SimulatedRoom.types(
            REPLAY == node ? new SimulatedRooms((ns) -> { }, (violation) -> { }) : oracle))
        {
            context.roomType(type);
        }
        context.trunks().secret(Simulator.SECRET, new Authenticator.Verdict(true, isTrusted, true))
            .graceNs(GRACE_NS).logInService(this::logIn);
    }

    @Override
    void open(final Engine engine, final Simulation ignored)
    {
        openRoom(engine, 1);
        openRoom(engine, 2);
        for (int i = random.nextInt(2); i > 0; i--)
        {
            simulation.addHost();
        }
    }

    @Override
    List<? extends Client> newClients(final Simulation ignored)
    {
        for (int i = 0; i < simulation.shape().clients(); i++)
        {
            final SimulatedTrunk trunk = new SimulatedTrunk(i, random.split(), simulation, oracle, isTrusted);
            trunks.add(trunk);
            connect(trunk);
        }
        return trunks;
    }

    @Override
    void act(final Simulation ignored)
    {
        strangers.removeIf(this::isGone);
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
        else if (simulation.shape().has(Fault.PLAYERS) && 0 == random.nextInt(6))
        {
            disturb(trunk);
        }
    }

    private void disturb(final SimulatedTrunk trunk)
    {
        switch (random.nextInt(14))
        {
            case 0, 1, 2 -> trunk.abandon();
            case 3 -> trunk.goodbye();
            case 4 ->
            {
                if (simulation.hosts().size() < HOSTS)
                {
                    trunk.host().die();
                    simulation.addHost();
                }
            }
            case 5, 6, 7, 8 -> trunk.lie();
            case 9, 10 -> knock(trunk.host());
            default -> openRoom(simulation.leader().engine(), 1 + random.nextInt(2));
        }
    }

    /** Open a room as the application does. */
    private static void openRoom(final Engine engine, final int typeId)
    {
        try
        {
            engine.openRoom(typeId);
        }
        catch (final IllegalStateException ex)
        {
            // The inbox is full.
            return;
        }
    }

    /** A connection that is no trunk: with a wrong secret, or given up in its handshake. */
    private void knock(final SimulatedHost host)
    {
        final Node node = simulation.nodes().get(0);
        strangers.add(new Stranger(TrunkClient.connect(new TrunkContext()
            .aeron(host.aeron())
            .udp(node.ingress(), node.response())
            .identity("stranger")
            .secret(random.nextBoolean() ? WRONG_SECRET : Simulator.SECRET)
            .clock(simulation.clock())
            .termLength(Node.TERM_LENGTH)), host, simulation.clock().nanoTime() + random.nextLong(800 * MS)));
    }

    private boolean isGone(final Stranger stranger)
    {
        if (!stranger.host.isRunning())
        {
            return stranger.host.isDead();
        }
        stranger.client.poll();
        final boolean isGone = simulation.clock().nanoTime() >= stranger.untilNs;
        if (isGone)
        {
            stranger.client.close();
        }
        return isGone;
    }

    private Request request()
    {
        final Request[] requests = Request.values();
        final Request request = requests[random.nextInt(requests.length)];
        return request.ordinal() >= Request.KICK.ordinal() && random.nextInt(RARE) > 0 ? Request.ALL : request;
    }

    private void connect(final SimulatedTrunk trunk)
    {
        final List<SimulatedHost> running = simulation.hosts().stream().filter(SimulatedHost::isRunning).toList();
        if (!running.isEmpty())
        {
            trunk.connect(running.get(random.nextInt(running.size())));
        }
    }

    /** Everything that is gone is noticed, and every trunk comes back, and stays. */
    @Override
    boolean isSettled(final Simulation ignored)
    {
        // Trunks whose keepalive is late go down now.
        simulation.run(LATE_NS, COARSE_NS);
        final long limitNs = simulation.clock().nanoTime() + CONNECTED_NS;
        for (long upNs = 0; upNs < SETTLED_NS && simulation.clock().nanoTime() < limitNs;)
        {
            trunks.stream().filter((trunk) -> !trunk.isConnected()).forEach(this::connect);
            simulation.run(RETRY_NS, COARSE_NS);
            upNs = trunks.stream().allMatch(SimulatedTrunk::isUp) ? upNs + RETRY_NS : 0;
        }
        return true;
    }

    @Override
    void check(final Simulation ignored)
    {
        trunks.forEach(SimulatedTrunk::check);
        for (final SimulatedRooms.RoomState room : oracle.rooms())
        {
            for (int i = 0; i < room.seats.length; i++)
            {
                final SimulatedRooms.SeatState seat = room.seats[i];
                final int index = i;
                if (room.isOpen && seat.isPresent && 1 != trunks.stream().filter((trunk) ->
                    trunk.hasPresent(room.roomId, index, seat.generation)).count())
                {
                    oracle.violated("room " + room.roomId + " has player " + seat.playerId + " in seat " + i +
                        ", and no trunk has it");
                }
            }
        }
    }

    @Override
    void end(final Simulation ignored)
    {
        comeBack();
        part();
    }

    /** Without faults a trunk that resumes within the grace gets all of its seats. */
    private void comeBack()
    {
        final List<SimulatedTrunk> resuming = trunks.stream()
            .filter((trunk) -> trunk.isUp() && random.nextBoolean()).toList();
        if (!resuming.isEmpty())
        {
            resuming.forEach(SimulatedTrunk::resume);
            simulation.run(RESUMED_NS, COARSE_NS);
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
            simulation.run(RETRY_NS, COARSE_NS);
            gone.forEach(SimulatedTrunk::knockAgain);
            simulation.run(RESUMED_NS, COARSE_NS);
            gone.forEach(SimulatedTrunk::abandon);
        }
        simulation.run(GONE_NS, COARSE_NS);
    }

    private int place(final int typeId, final int[] roomsByLoop)
    {
        return switch (random.nextInt(20))
        {
            case 0 -> throw new SimulatedRoom.Fault();
            case 1 -> Node.LOOPS;
            default -> random.nextInt(Node.LOOPS);
        };
    }

    private int onRequest(final AsyncService.Request request)
    {
        return switch (random.nextInt(10))
        {
            case 0 -> throw new SimulatedRoom.Fault();
            case 1 -> ~3;
            case 2 ->
            {
                simulation.clock().advance(random.nextInt(50) * MS);
                yield 0;
            }
            case 3 -> throw new SimulatedRoom.FatalFault();
            default -> Long.BYTES;
        };
    }

    private void logIn(final long trunkId, final byte[] credentials, final LogInService.Reply reply)
    {
        final long playerId = credentials[0];
        switch (random.nextInt(12))
        {
            case 0 -> throw new SimulatedRoom.Fault();
            case 1 -> reply.onReply(1, 0);
            case 2 ->
            {
                reply.onReply(0, playerId);
                reply.onReply(0, playerId);
            }
            case 3 ->
            {
                // Never.
            }
            default -> reply.onReply(0, playerId);
        }
    }

    /** Sometimes the program's handler of errors throws as well. */
    @Override
    boolean isWanted(final Throwable ex)
    {
        final boolean isWanted = isFault(ex) || ex instanceof RoomFailure &&
            (ex.getCause() instanceof StackOverflowError || ex.getCause().getMessage().contains("interrupted")) ||
            ex.getMessage().contains("it chose loop " + Node.LOOPS) || ex.getMessage().contains("replied to twice");
        if (isWanted && 0 == random.nextInt(4))
        {
            throw new SimulatedRoom.Fault();
        }
        return isWanted;
    }

    private static boolean isFault(final Throwable ex)
    {
        for (Throwable cause = ex; null != cause; cause = cause.getCause())
        {
            if (cause instanceof SimulatedRoom.Fault || cause instanceof SimulatedRoom.FatalFault)
            {
                return true;
            }
        }
        return false;
    }
}
