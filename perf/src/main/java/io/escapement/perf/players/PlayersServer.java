package io.escapement.perf.players;

import io.aeron.driver.MediaDriver;
import io.escapement.driver.DriverDirectory;
import io.escapement.driver.DriverProfile;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.Idle;
import io.escapement.engine.ThreadingMode;
import io.escapement.engine.TrunkServerContext;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.perf.process.Orders;
import io.escapement.perf.process.Parent;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.agrona.BitUtil;

/** The process with the engine. It does as it is told on its standard input, and ends when that does. */
public final class PlayersServer
{
    static final byte[] SECRET = {2, 7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5, 9, 0, 4, 5};
    /** What the driver's sockets hold: the windows of all trunks are made to fit it. */
    static final int SOCKET_BUFFER = 4 * 1024 * 1024;

    /** For thousands of players on a trunk, and bots whose code may be compiled anew while they are sent something. */
    private static final int QUEUE_LENGTH = 4 * 1024 * 1024;
    /** A moment without a core is to be seen in the pings: states that come late in it still count. */
    private static final long STATE_PATIENCE_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final String PROFILE = "solo";
    /** More than any bot sends. */
    private static final int NO_LIMIT = 100_000_000;
    private static final int LEAST_INBOX = 1_024;
    private static final long LOOK_MS = 20;
    private static final long STALL_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final PlayersOptions options;
    private final DriverShare driver = new DriverShare();
    private final Tallies tallies = new Tallies(driver);
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final AtomicInteger errors = new AtomicInteger();

    private PlayersServer(final PlayersOptions options)
    {
        this.options = options;
    }

    /**
     * Run it.
     *
     * @param arguments of {@link PlayersOptions}.
     */
    public static void main(final String[] arguments)
    {
        new PlayersServer(PlayersOptions.of(arguments)).run();
    }

    /** The driver of both processes: the profile for a driver without a thread, and what this run is about. */
    static MediaDriver.Context driverContext(final int mtu)
    {
        return DriverProfile.load(PROFILE).newContext()
            .aeronDirectoryName(DriverDirectory.temporary())
            .threadingMode(io.aeron.driver.ThreadingMode.INVOKER)
            .mtuLength(mtu)
            .socketRcvbufLength(SOCKET_BUFFER)
            .socketSndbufLength(SOCKET_BUFFER)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true);
    }

    private void run()
    {
        final Orders orders = new Orders();
        try (Engine engine = Engine.launch(context()))
        {
            for (int i = 0; i < options.crowd().rooms(); i++)
            {
                final long roomId = engine.openRoom(PlayersRoom.TYPE_ID).roomId();
                if (roomId != options.host().roomId(i))
                {
                    throw new IllegalStateException("room " + i + " has the id " + roomId);
                }
            }
            threads.stream().filter((thread) -> isCarrier(thread.getName())).forEach(driver::carrier);
            Parent.tell("READY");
            serve(engine, orders);
        }
    }

    /** The thread that invokes the driver. */
    private boolean isCarrier(final String name)
    {
        return name.equals(options.host().isShared() ? "escapement-edge" : "escapement-solo");
    }

    private void serve(final Engine engine, final Orders orders)
    {
        ServerWindow window = null;
        int part = 0;
        String order = orders.poll(LOOK_MS);
        while (!Orders.END_OF_INPUT.equals(order))
        {
            if (PlayersRun.BEGIN.equals(order))
            {
                window = new ServerWindow(engine, tallies, driver, threads, options.host().loops(),
                    options.partMs(part++), errors);
                Parent.tell(PlayersRun.BEGIN);
            }
            else if (PlayersRun.END.equals(order))
            {
                window.end();
                Parent.tell(PlayersRun.END);
            }
            else if (PlayersRun.TELL.equals(order))
            {
                window.findings().tell(Parent::tell);
                window = null;
                // What this part has left is not to be collected while the next one counts.
                System.gc();
            }
            else if (null != window)
            {
                window.look();
            }
            order = orders.poll(LOOK_MS);
        }
    }

    private EngineContext context()
    {
        final Crowd crowd = options.crowd();
        final PlayersHost host = options.host();
        return new EngineContext()
            .roomType(PlayersRoom.type(crowd, tallies))
            .threadingMode(host.isShared() ? ThreadingMode.SHARED : ThreadingMode.SOLO)
            .idle(Idle.valueOf(host.idleName()))
            .loops(host.loops())
            .inboxSlots(BitUtil.findNextPositivePowerOfTwo(Math.max(LEAST_INBOX, 2 * crowd.rooms())))
            .loopLimits(crowd.rooms(), crowd.players(), 1)
            .driverContext(driverContext(host.mtu()).nanoClock(driver.driverClock()))
            .clock(driver.engineClock())
            .threadFactory(this::newThread)
            .errorHandler(this::onError)
            // Elsewhere a frame that does not come in time is what is to be seen, not one that nobody asks for.
            .monitor(new MonitorContext().governor(options.isOverload())
                .ladder(PlayersRoom.TYPE_ID, ladder(crowd.hz()))
                // Too much load is no error; the counter of stalls says how often it was so.
                .stalls(STALL_NS, (stall) -> { }))
            .trunks(new TrunkServerContext()
                .udp(host.serverEndpoint(), host.responseEndpoint())
                .socketBuffer(SOCKET_BUFFER)
                .limit(crowd.trunks())
                .queueLength(QUEUE_LENGTH)
                .statePatienceNs(STATE_PATIENCE_NS)
                .rates(0 == options.trunkRate() ? NO_LIMIT : options.trunkRate(), NO_LIMIT)
                .secret(SECRET, true));
    }

    /** The rate that rooms ask for, a half, a quarter and an eighth of it. */
    private static int[] ladder(final int hz)
    {
        int steps = 1;
        while (steps < 4 && hz >> steps > 0)
        {
            steps++;
        }
        final int[] ladder = new int[steps];
        for (int i = 0; i < steps; i++)
        {
            ladder[i] = hz >> i;
        }
        return ladder;
    }

    private Thread newThread(final Runnable task)
    {
        final Thread thread = new Thread(task);
        threads.add(thread);
        return thread;
    }

    private void onError(final Throwable ex)
    {
        if (1 == errors.incrementAndGet())
        {
            // The first one is told, so that there is something to go by.
            System.getLogger("io.escapement.perf").log(System.Logger.Level.ERROR, "fault", ex);
        }
    }
}
