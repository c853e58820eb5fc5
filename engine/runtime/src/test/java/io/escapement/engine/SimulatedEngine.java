package io.escapement.engine;

import io.aeron.driver.MediaDriver;
import io.escapement.driver.guard.GuardLimits;
import io.escapement.driver.guard.SimulatedEndpoints;
import io.escapement.engine.internal.loop.RoomFailure;
import io.escapement.engine.monitor.Stall;
import io.escapement.engine.simulator.Network;
import io.escapement.engine.simulator.SimulatedClock;
import io.escapement.engine.spi.AsyncService;
import io.escapement.engine.spi.LogInService;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.replay.Replay;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.agrona.IoUtil;
import org.agrona.concurrent.Agent;

/** An engine with its driver and all of its agents, none of which has a thread. */
final class SimulatedEngine implements AutoCloseable
{
    static final long KEEPALIVE_NS = TimeUnit.MILLISECONDS.toNanos(200);
    static final long GRACE_NS = TimeUnit.MILLISECONDS.toNanos(1_500);
    static final int LOOPS = 2;

    private static final String HOST = "127.0.0.1";
    private static final int TRUNKS = 6;
    /** Connections of a trunk whose sessions the guard may still have; fewer would delay the next one. */
    private static final int GENERATIONS = 8;
    private static final int TERM_LENGTH = 64 * 1_024;
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    private final List<Agent> agents = new ArrayList<>();
    private final List<String> unexpected = new ArrayList<>();
    private final SplittableRandom random;
    private final SimulatedRooms oracle;
    private final SimulatedClock clock;
    private final Path directory;
    private final boolean isTrusted;
    private final Engine engine;
    private Drain drain;
    private boolean isClosed;
    private int faults;

    SimulatedEngine(
        final SplittableRandom random,
        final SimulatedClock clock,
        final Network network,
        final SimulatedRooms oracle,
        final Path directory,
        final String[] ports)
    {
        this.random = random;
        this.clock = clock;
        this.oracle = oracle;
        this.directory = directory;
        isTrusted = random.nextInt(4) > 0;
        final EngineContext context = context(oracle)
            .threadingMode(ThreadingMode.INVOKER)
            .clock(clock)
            .ringSlots(64)
            .inboxSlots(64)
            .placement(this::place)
            .recordTo(directory.resolve("turns"))
            .errorHandler(this::onError)
            .threadFactory(this::newThread);
        context.trunks().udp(ports[0], ports[1]);
        context.driver().time(clock);
        context.driver().wall(clock::wallMs);
        final MediaDriver.Context driver = driverContext(directory.resolve("engine"));
        SimulatedEndpoints.install(driver, GuardLimits.DEFAULTS.forSessions(GENERATIONS * TRUNKS * (LOOPS + 1)),
            () -> network.open(HOST));
        engine = Engine.launch(context.driverContext(driver));
    }

    /** Small files and short timeouts. */
    static MediaDriver.Context driverContext(final Path directory)
    {
        return new MediaDriver.Context()
            .aeronDirectoryName(directory.toString())
            .threadingMode(io.aeron.driver.ThreadingMode.INVOKER)
            .asyncExecutorEnabled(false)
            .termBufferSparseFile(true)
            .publicationTermBufferLength(TERM_LENGTH)
            .ipcTermBufferLength(TERM_LENGTH)
            .counterValuesBufferLength(1_024 * 1_024)
            .imageLivenessTimeoutNs(1_000 * MS)
            .publicationConnectionTimeoutNs(1_000 * MS)
            .publicationLingerTimeoutNs(300 * MS)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true);
    }

    private EngineContext context(final SimulatedRooms rooms)
    {
        final EngineContext context = new EngineContext().loops(LOOPS).phaseGroups(2).loopLimits(12, 64, 512)
            .service(SimulatedRoom.SERVICE, "work", 1, () -> this::onRequest);
        for (final RoomType type : SimulatedRoom.types(rooms))
        {
            context.roomType(type);
        }
        context.trunks().secret(TestTrunk.SECRET, isTrusted).limit(TRUNKS).termLength(TERM_LENGTH)
            .queueLength(TERM_LENGTH).keepaliveNs(KEEPALIVE_NS).graceNs(GRACE_NS)
            .logInService(this::logIn);
        return context;
    }

    boolean isTrusted()
    {
        return isTrusted;
    }

    boolean isAlive()
    {
        return engine.isAlive();
    }

    long counter(final String label)
    {
        return engine.counter(label);
    }

    /** Open a room as the embedding program does. */
    void openRoom(final int typeId)
    {
        try
        {
            engine.openRoom(typeId);
        }
        catch (final IllegalStateException ex)
        {
            // The inbox is full.
            faults++;
        }
    }

    /** A duty cycle of each agent. */
    void step()
    {
        engine.invoke();
        for (int i = 0; i < agents.size(); i++)
        {
            run(agents.get(i));
        }
        if (Thread.interrupted())
        {
            oracle.violated("a room's interrupt reached the caller of the engine");
        }
    }

    private void run(final Agent agent)
    {
        try
        {
            agent.doWork();
        }
        catch (final Throwable ex)
        {
            oracle.violated(agent.roleName() + " threw " + trace(ex));
        }
    }

    /** Begin a drain, or advance it. Returns whether it is over. */
    boolean drain(final long timeoutNs)
    {
        if (null == drain)
        {
            drain = engine.newDrain(timeoutNs);
        }
        return drain.poll();
    }

    /** Close, and check that everything was returned, and that the turns replay. */
    void check()
    {
        close();
        final DrainReport report = engine.leakCheck();
        if (!report.isClean())
        {
            oracle.violated(report.toString());
        }
        for (int loop = 0; loop < LOOPS; loop++)
        {
            final Replay replay =
                Recordings.replay(context(new SimulatedRooms((ns) -> { })), directory.resolve("turns"), loop);
            if (0 == replay.turns() && 0 != counter("escapement loop " + loop + ": commands"))
            {
                oracle.violated("replay of loop " + loop + ": no turns");
            }
            if (!replay.isSame())
            {
                oracle.violated("replay of loop " + loop + ": " + replay.difference());
            }
        }
        unexpected.forEach(oracle::violated);
    }

    @Override
    public void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            engine.close();
            for (int i = agents.size() - 1; i >= 0; i--)
            {
                agents.get(i).onClose();
            }
        }
    }

    void delete()
    {
        IoUtil.delete(directory.toFile(), true);
    }

    /** A thread that is never started: the simulation runs its agent. */
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

    private int place(final int typeId, final int[] roomsByLoop)
    {
        return switch (random.nextInt(20))
        {
            case 0 -> throw new SimulatedRoom.Fault();
            case 1 -> LOOPS;
            default -> random.nextInt(LOOPS);
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
                clock.advance(random.nextInt(50) * MS);
                yield 0;
            }
            case 3 ->
            {
                throw new SimulatedRoom.FatalFault();
            }
            default -> Long.BYTES;
        };
    }

    private void logIn(
        final long trunkId, final byte[] credentials, final LogInService.Reply reply)
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

    private void onError(final Throwable ex)
    {
        if (!(ex instanceof Stall) && !isWanted(ex))
        {
            unexpected.add("the engine reported " + trace(ex));
        }
        if (0 == random.nextInt(4))
        {
            throw new SimulatedRoom.Fault();
        }
    }

    private static boolean isWanted(final Throwable ex)
    {
        for (Throwable cause = ex; null != cause; cause = cause.getCause())
        {
            if (cause instanceof SimulatedRoom.Fault || cause instanceof SimulatedRoom.FatalFault)
            {
                return true;
            }
        }
        return ex instanceof RoomFailure && (ex.getCause() instanceof StackOverflowError ||
            ex.getCause().getMessage().contains("interrupted")) || ex.getMessage().contains("it chose loop " + LOOPS) ||
            ex.getMessage().contains("replied to twice");
    }

    static String trace(final Throwable ex)
    {
        final StringWriter out = new StringWriter();
        ex.printStackTrace(new PrintWriter(out));
        return out.toString();
    }
}
