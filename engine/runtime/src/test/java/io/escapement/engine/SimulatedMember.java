package io.escapement.engine;

import io.aeron.driver.MediaDriver;
import io.escapement.driver.guard.GuardLimits;
import io.escapement.driver.guard.SimulatedEndpoints;
import io.escapement.engine.ledger.HistoryRoom;
import io.escapement.engine.monitor.Stall;
import io.escapement.engine.simulator.Network;
import io.escapement.engine.simulator.SimulatedClock;
import io.escapement.engine.spi.AsyncService;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.UnsafeBuffer;

/** A node of a {@link SimulatedGroup}: an engine with its driver, none of whose agents has a thread. */
final class SimulatedMember implements AutoCloseable
{
    static final int LOOPS = 2;
    static final int TRUNKS = 6;
    private static final int GENERATIONS = 16;
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final SimulatedClock clock;
    private final Network network;
    private final SimulatedGroup.Member log;
    private final Path directory;
    private final Path keys;
    private final Set<String> effects;
    private final List<String> violations;
    private final String host;
    private final int number;
    private final List<Agent> agents = new ArrayList<>();
    private final List<HistoryRoom> made = new ArrayList<>();
    private Engine engine;
    private long startNs;
    private int starts;

    SimulatedMember(
        final int number,
        final SimulatedClock clock,
        final Network network,
        final SimulatedGroup group,
        final Path directory,
        final Path keys,
        final Set<String> effects,
        final List<String> violations)
    {
        this.number = number;
        this.clock = clock;
        this.network = network;
        this.directory = directory;
        this.keys = keys;
        this.effects = effects;
        this.violations = violations;
        log = group.member(number);
        host = "127.0.0." + (2 + number);
    }

    /** The endpoints that clients connect to; free on every host of this simulation. */
    String ingress()
    {
        return host + ":20001";
    }

    String response()
    {
        return host + ":20002";
    }

    boolean isRunning()
    {
        return null != engine;
    }

    boolean isLeader()
    {
        return isRunning() && engine.isLeader();
    }

    Engine engine()
    {
        return engine;
    }

    /** Whether it has run everything that is committed. */
    boolean isCurrent()
    {
        return isRunning() && log.isCurrent();
    }

    int starts()
    {
        return starts;
    }

    void start()
    {
        starts++;
        made.clear();
        final EngineContext context = new EngineContext()
            .loops(LOOPS)
            .threadingMode(ThreadingMode.INVOKER)
            .clock(clock)
            .roomType(HistoryRoom.type(() ->
            {
                final HistoryRoom room = new HistoryRoom();
                made.add(room);
                return room;
            }))
            .service(HistoryRoom.SERVICE, "effects", 1, () -> this::onRequest)
            .durability(Durability.replicated(log).snapshotIntervalNs(300 * MS))
            .errorHandler(this::onError)
            .threadFactory(this::newThread);
        context.trunks().secret(TestTrunk.SECRET, true).limit(TRUNKS).termLength(64 * 1_024).queueLength(64 * 1_024)
            .keepaliveNs(SimulatedEngine.KEEPALIVE_NS).graceNs(TimeUnit.MINUTES.toNanos(2)).tokenKeyFile(keys)
            .udp(ingress(), response());
        context.driver().time(clock);
        context.driver().wall(clock::wallMs);
        final MediaDriver.Context driver = SimulatedEngine.driverContext(directory.resolve("member-" + number));
        SimulatedEndpoints.install(driver, GuardLimits.DEFAULTS.forSessions(GENERATIONS * TRUNKS * (LOOPS + 1)),
            () -> network.open(host));
        engine = Engine.launch(context.driverContext(driver));
    }

    /** The process ends: nothing that it sends as it closes arrives, and it may start again after a while. */
    void kill(final long downNs)
    {
        startNs = clock.nanoTime() + downNs;
        network.cut(host, startNs);
        close();
    }

    boolean mayStart()
    {
        return !isRunning() && clock.nanoTime() >= startNs;
    }

    /** Run what is committed, and a duty cycle of each agent. */
    void step()
    {
        log.step(this::cycle);
        cycle();
    }

    private void cycle()
    {
        engine.invoke();
        for (int i = 0; i < agents.size(); i++)
        {
            try
            {
                agents.get(i).doWork();
            }
            catch (final Exception ex)
            {
                violations.add(agents.get(i).roleName() + " threw " + SimulatedEngine.trace(ex));
            }
        }
    }

    /** Open rooms, each of which signals the one before. */
    void openRooms(final int count)
    {
        final UnsafeBuffer partner = new UnsafeBuffer(new byte[Long.BYTES]);
        for (int i = 0; i < count; i++)
        {
            partner.putLong(0, engine.openRoom(HistoryRoom.TYPE, partner, 0, Long.BYTES).roomId());
        }
    }

    /** The rooms of this node, by id. */
    Map<Long, HistoryRoom> rooms()
    {
        final Map<Long, HistoryRoom> rooms = new TreeMap<>();
        made.forEach((room) -> rooms.put(room.roomId(), room));
        return rooms;
    }

    @Override
    public void close()
    {
        if (null != engine)
        {
            engine.close();
            for (int i = agents.size() - 1; i >= 0; i--)
            {
                agents.get(i).onClose();
            }
            agents.clear();
            engine = null;
        }
    }

    private int onRequest(final AsyncService.Request request)
    {
        effects.add(request.buffer().getLong(request.offset()) + "/" +
            request.buffer().getLong(request.offset() + Long.BYTES));
        return 0;
    }

    private void onError(final Throwable ex)
    {
        if (!(ex instanceof Stall))
        {
            violations.add("node " + number + " reported " + SimulatedEngine.trace(ex));
        }
    }

    private Thread newThread(final Runnable runnable)
    {
        final Agent agent = ((AgentThread)runnable).agent();
        agents.add(agent);
        return new Thread(runnable)
        {
            @Override
            public void start()
            {
                agent.onStart();
            }
        };
    }
}
