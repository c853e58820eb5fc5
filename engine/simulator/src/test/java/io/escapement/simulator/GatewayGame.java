package io.escapement.simulator;

import io.escapement.engine.EngineContext;
import io.escapement.engine.ledger.HistoryRoom;
import io.escapement.engine.spi.Authenticator;
import io.escapement.engine.spi.LogInService;
import io.escapement.gateway.SimulatedGateway;
import io.escapement.rooms.Audience;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.Supplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The ledger rooms, whose players have browsers and come through gateways. At the end, no gateway has anything of a
 * player.
 */
final class GatewayGame extends LedgerGame
{
    private static final long MS = Simulation.MS;
    private static final long COARSE_NS = 10 * MS;
    private static final long DRAIN_NS = 300 * MS;
    /** Longer than gateways hold sessions and wait for the engine, and rooms hold seats for {@link #SHORT_NS}. */
    private static final long EMPTY_NS = 20_000 * MS;
    private static final long LONG_NS = 120_000 * MS;
    private static final long SHORT_NS = 300 * MS;

    private final List<SimulatedGateway> gateways = new ArrayList<>();
    private final List<Browser> browsers = new ArrayList<>();
    private long seatGraceNs = LONG_NS;
    private long trunkGraceNs = LONG_NS;

    GatewayGame(final Set<Mode> modes)
    {
        super(modes, Kind.BROWSERS);
    }

    GatewayGame()
    {
        this(EnumSet.allOf(Mode.class));
    }

    @Override
    void begin(final Simulation simulation)
    {
        final SplittableRandom random = simulation.random();
        seatGraceNs = random.nextBoolean() ? LONG_NS : SHORT_NS;
        trunkGraceNs = random.nextInt(3) > 0 ? LONG_NS : 700 * MS;
    }

    @Override
    void configure(final EngineContext context, final int node)
    {
        super.configure(context, node);
        context.trunks().secret(Simulator.SECRET, Authenticator.Verdict.ACCEPTED.feed(true)).graceNs(trunkGraceNs)
            .logInService(GatewayGame::logIn);
    }

    private static void logIn(final long trunkId, final byte[] credentials, final LogInService.Reply reply)
    {
        reply.onReply(0, credentials[0]);
    }

    @Override
    RoomType roomType(final Supplier<RoomLogic> rooms)
    {
        return super.roomType(rooms).graceNs(seatGraceNs);
    }

    @Override
    HistoryRoom newRoom()
    {
        return new BrowserRoom();
    }

    @Override
    List<? extends Client> newClients(final Simulation simulation)
    {
        final List<Client> clients = new ArrayList<>();
        for (int i = simulation.random().nextInt(2); i >= 0; i--)
        {
            final SimulatedHost host = simulation.hosts().size() > gateways.size() ?
                simulation.hosts().get(gateways.size()) : simulation.addHost();
            final SimulatedGateway gateway = new SimulatedGateway(Player.trunk("gateway " + i, simulation, host),
                simulation.clock(), (ex) -> simulation.violated("gateway: " + Node.trace(ex)));
            gateways.add(gateway);
            clients.add(new Worker(gateway, host, simulation));
        }
        for (int i = 1; i <= simulation.shape().clients(); i++)
        {
            browsers.add(new Browser(i, simulation, history(), roomIds(), gateways));
        }
        clients.addAll(browsers);
        return clients;
    }

    @Override
    boolean hasBegun(final Simulation simulation)
    {
        return haveOpened(simulation) && simulation.clients().stream().allMatch((client) -> null == client.waitsFor());
    }

    @Override
    void act(final Simulation simulation)
    {
        final SplittableRandom random = simulation.random();
        for (int i = random.nextInt(4); i > 0; i--)
        {
            browsers.get(random.nextInt(browsers.size())).act();
        }
    }

    @Override
    boolean isSettled(final Simulation simulation)
    {
        if (null == simulation.leader() || !areSettled(simulation))
        {
            return false;
        }
        final Map<Long, HistoryRoom> rooms = rooms(simulation.nodes().indexOf(simulation.leader()));
        return browsers.stream().allMatch((browser) -> null == browser.missingState(rooms));
    }

    @Override
    void check(final Simulation simulation)
    {
        super.check(simulation);
        final Map<Long, HistoryRoom> rooms = rooms(simulation.nodes().indexOf(simulation.leader()));
        browsers.stream().map((browser) -> browser.missingState(rooms)).filter(Objects::nonNull)
            .forEach(simulation::violated);
    }

    /** All players part, and the gateways drain. */
    @Override
    void end(final Simulation simulation)
    {
        browsers.forEach(Browser::part);
        simulation.run(DRAIN_NS, COARSE_NS);
        gateways.forEach((gateway) -> gateway.drain(DRAIN_NS));
        final long limitNs = simulation.clock().nanoTime() + EMPTY_NS;
        // A trunk that noticed the last kill late may still bring seats back, which are then put away.
        while (null != left(simulation) && simulation.clock().nanoTime() < limitNs)
        {
            simulation.run(DRAIN_NS, COARSE_NS);
        }
        final String left = left(simulation);
        if (null != left)
        {
            simulation.violated("all players have left, and there are " + left);
        }
    }

    /** Names what gateways and rooms have of players, or null. */
    private String left(final Simulation simulation)
    {
        if (null == simulation.leader())
        {
            return "nodes without a leader";
        }
        for (final SimulatedGateway gateway : gateways)
        {
            if (null != gateway.left())
            {
                return gateway.left();
            }
        }
        for (final HistoryRoom room : rooms(simulation.nodes().indexOf(simulation.leader())).values())
        {
            final BrowserRoom left = (BrowserRoom)room;
            if (0 != left.present || LONG_NS != seatGraceNs && 0 != left.taken)
            {
                return left.present + " players of " + left.taken + " in room " + room.roomId();
            }
        }
        return null;
    }

    /** A gateway's process. */
    private static final class Worker implements Client
    {
        private final SimulatedGateway gateway;
        private final SimulatedHost host;
        private final SimulatedClock clock;
        private long stalledUntilNs;

        Worker(final SimulatedGateway gateway, final SimulatedHost host, final Simulation simulation)
        {
            this.gateway = gateway;
            this.host = host;
            clock = simulation.clock();
        }

        @Override
        public void poll()
        {
            if (host.isRunning() && clock.nanoTime() >= stalledUntilNs)
            {
                gateway.step();
            }
        }

        @Override
        public void stall(final long untilNs)
        {
            stalledUntilNs = untilNs;
        }

        @Override
        public String waitsFor()
        {
            return gateway.isUp() ? null : "a gateway has no trunk";
        }

        @Override
        public long hash()
        {
            return 0;
        }

        @Override
        public void close()
        {
            gateway.close();
        }
    }

    /** Sends its number of messages as a state too, and again to each player who may lack it. */
    private static final class BrowserRoom extends HistoryRoom
    {
        private static final int STATE_LENGTH = 256;

        private final UnsafeBuffer state = new UnsafeBuffer(new byte[STATE_LENGTH]);
        private Room room;
        /** Seats in the last frame. Not of the room's state. */
        private int present;
        private int taken;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            super.onOpen(opened, args, offset, length);
        }

        @Override
        public void onRestore(final Room restored, final int version, final StateReader reader)
        {
            room = restored;
            super.onRestore(restored, version, reader);
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            super.onMessage(from, buffer, offset, length);
            send(room.everyone());
        }

        @Override
        public void onJoin(final Seat seat)
        {
            send(seat);
        }

        @Override
        public void onBack(final Seat seat)
        {
            send(seat);
        }

        @Override
        public void onStateLost(final Seat seat)
        {
            send(seat);
        }

        private void send(final Audience to)
        {
            state.putLong(0, messages());
            room.sendState(to, state, 0, STATE_LENGTH);
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            super.onFrame(frame, elapsedNs);
            present = room.seatsPresent();
            taken = room.seatsTaken();
        }
    }
}
