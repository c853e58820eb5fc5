package io.escapement.perf.crowd;

import io.aeron.driver.MediaDriver;
import io.escapement.console.Console;
import io.escapement.console.ConsoleContext;
import io.escapement.driver.DriverDirectory;
import io.escapement.driver.DriverProfile;
import io.escapement.engine.EngineContext;
import io.escapement.engine.Idle;
import io.escapement.engine.RoomHandle;
import io.escapement.engine.ThreadingMode;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.engine.spi.Authenticator;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.perf.rig.Control;
import io.escapement.perf.rig.EngineNodes;
import io.escapement.perf.rig.LoopIntervals;
import io.escapement.perf.rig.MonitoredIntervals;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.agrona.BitUtil;

/** The process of the engine. The tool starts and ends each part by control lines. */
public final class CrowdServer
{
    static final byte[] SECRET = {2, 7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5, 9, 0, 4, 5};
    /** Buffers of the driver's sockets, which the windows of all trunks must fit. */
    static final int SOCKET_BUFFER = 4 * 1024 * 1024;

    /** Terms of the engine's side in shared memory, where no socket limits the window: half a term is in flight. */
    private static final int IPC_TERM_LENGTH = 1024 * 1024;
    private static final int IPC_LARGEST_FRAME = IPC_TERM_LENGTH / 4;
    /** A moment without a core must show in the pings, not as dropped states. */
    private static final long STATE_PATIENCE_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final String PROFILE = "solo";
    /** Higher than any bot can reach. */
    private static final int NO_LIMIT = 100_000_000;
    private static final int MIN_INBOX_SLOTS = 1_024;
    private static final int LADDER_STEPS = 4;
    private static final long STALL_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Counts in one node. */
    private static final class Counts
    {
        final DriverMeter driver = new DriverMeter();
        final TurnRecorders recorders = new TurnRecorders(driver);
    }

    private final CrowdPlan plan;
    private final Control control;
    private final List<Counts> counts = new ArrayList<>();
    private final List<RoomHandle> rooms = new ArrayList<>();
    private final AtomicInteger errors = new AtomicInteger();
    private final ConsoleContext console = new ConsoleContext();
    private final MonitoredIntervals monitored = new MonitoredIntervals();

    private CrowdServer(final CrowdPlan plan, final Control control)
    {
        this.plan = plan;
        this.control = control;
    }

    /** Run the process. */
    public static void run(final CrowdPlan plan, final Control control)
    {
        new CrowdServer(plan, control).run();
    }

    /** The driver of each process: the profile for a driver without threads, and the options of this run. */
    static MediaDriver.Context driverContext(final CrowdPlan plan, final int node)
    {
        return DriverProfile.load(PROFILE).newContext()
            .aeronDirectoryName(plan.isIpc() ? plan.nodeDirectory(node) : DriverDirectory.temporary())
            .threadingMode(io.aeron.driver.ThreadingMode.INVOKER)
            .mtuLength(plan.mtu)
            .ipcMtuLength(plan.mtu)
            .socketRcvbufLength(SOCKET_BUFFER)
            .socketSndbufLength(SOCKET_BUFFER)
            .dirDeleteOnShutdown(true);
    }

    private void run()
    {
        try (EngineNodes nodes = EngineNodes.launch(plan, this::context);
            Console opened = plan.hasConsole() ? Console.launch(console.engine(nodes.engine())) : null)
        {
            for (int i = 0; i < plan.rooms; i++)
            {
                final RoomHandle room = nodes.engine().openRoom(CrowdRoom.TYPE_ID);
                if (room.roomId() != plan.roomId(i))
                {
                    throw new IllegalStateException("room " + i + " has the id " + room.roomId());
                }
                rooms.add(room);
            }
            final Counts ofLeader = counts.get(nodes.leader());
            final String carrier = plan.isShared() ? "escapement-edge" : "escapement-solo";
            nodes.threads().stream().filter((thread) -> carrier.equals(thread.getName()))
                .forEach((thread) -> ofLeader.driver.carrier = thread);
            if (null != opened)
            {
                control.send(CrowdFigures.CONSOLE + " " + opened.viewUrl());
            }
            control.send(Control.READY + " " + nodes.leader());
            final LoopIntervals intervals = null == opened ? LoopIntervals.of(nodes.engine()) : monitored;
            ServerWindow.serve(plan, control, (durationMs) -> new EngineWindow(
                nodes, intervals, ofLeader.recorders, ofLeader.driver, rooms, errors, plan, durationMs));
        }
    }

    private EngineContext context(final int node)
    {
        final Counts ofNode = new Counts();
        counts.add(ofNode);
        return new EngineContext()
            .roomType(CrowdRoom.type(plan, ofNode.recorders))
            .threadingMode(plan.isShared() ? ThreadingMode.SHARED : ThreadingMode.SOLO)
            .idle(Idle.valueOf(plan.idle.toUpperCase(Locale.ROOT)))
            .warmUp(control.warmUp())
            .loops(plan.loops())
            .inboxSlots(BitUtil.findNextPositivePowerOfTwo(Math.max(MIN_INBOX_SLOTS, 2 * plan.rooms)))
            .loopLimits(plan.rooms, plan.players(), 1)
            .driverContext(driverContext(plan, node).nanoClock(ofNode.driver::driverTime))
            .clock(ofNode.driver::engineTime)
            .errorHandler(this::onError)
            // Without overload frame rates are not governed, so that late frames show.
            .monitor(monitor())
            .trunks(trunks(node)
                .limit(plan.trunks)
                .statePatienceNs(STATE_PATIENCE_NS)
                .rates(0 == plan.trunkRate ? NO_LIMIT : plan.trunkRate, NO_LIMIT)
                .secret(SECRET, Authenticator.Verdict.TRUSTED.feed(plan.isFed())));
    }

    private MonitorContext monitor()
    {
        final MonitorContext monitor = new MonitorContext().governor(plan.isOverload())
            .ladder(CrowdRoom.TYPE_ID, ladder(plan.hz))
            // Overload is no error; a counter counts the stalls.
            .stalls(STALL_NS, (stall) -> { });
        if (plan.hasConsole())
        {
            console.observe(monitor);
            monitor.intervals(monitored);
        }
        return monitor;
    }

    private TrunkServerContext trunks(final int node)
    {
        // Programs of players give their number as credentials.
        final TrunkServerContext trunks = new TrunkServerContext().logInService((trunkId, credentials, reply) ->
            reply.onReply(0, Long.parseLong(new String(credentials, StandardCharsets.US_ASCII))));
        return plan.isIpc() ?
            trunks.ipc(true).termLength(IPC_TERM_LENGTH).largestFrame(IPC_LARGEST_FRAME) :
            trunks.udp(plan.serverEndpoint(node), plan.responseEndpoint(node)).socketBuffer(SOCKET_BUFFER);
    }

    /** The rate that rooms ask for, a half, a quarter and an eighth of it, as long as it is at least 1 Hz. */
    private static int[] ladder(final int hz)
    {
        return IntStream.range(0, LADDER_STEPS).map((step) -> hz >> step).filter((rate) -> rate > 0).toArray();
    }

    private void onError(final Throwable ex)
    {
        // All are counted, and the first is logged.
        if (1 == errors.incrementAndGet())
        {
            System.getLogger("io.escapement.perf").log(System.Logger.Level.ERROR, "fault", ex);
        }
    }
}
