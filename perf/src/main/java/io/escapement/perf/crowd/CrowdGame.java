package io.escapement.perf.crowd;

import io.aeron.driver.MediaDriver;
import io.escapement.driver.DriverDirectory;
import io.escapement.driver.DriverProfile;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.RoomHandle;
import io.escapement.gateway.GatewayContext;
import io.escapement.perf.rig.EngineGame;
import io.escapement.perf.rig.LoopMeter;
import io.escapement.rooms.RoomType;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.agrona.BitUtil;

/** Rooms full of players. The tool starts and ends each part by control lines. */
public final class CrowdGame extends EngineGame<CrowdPlan>
{
    /** Buffers of the driver's sockets, which the windows of all trunks must fit. */
    static final int SOCKET_BUFFER = 4 * 1024 * 1024;

    /** A moment without a core must show in the pings, not as dropped states. */
    private static final long STATE_PATIENCE_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final String PROFILE = "solo";
    private static final int MIN_INBOX_SLOTS = 1_024;
    private static final int LADDER_STEPS = 4;
    private static final long STALL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Above all that one address does here. */
    private static final int NO_GATEWAY_LIMIT = 1_000_000;

    final DriverMeter driver = new DriverMeter();
    /** Measured states, once per receiving player. */
    final LongAdder statesSent = new LongAdder();
    final List<RoomHandle> rooms = new ArrayList<>();
    final LoopMeter meter;

    /** @param plan of the run. */
    public CrowdGame(final CrowdPlan plan)
    {
        super(plan);
        meter = new LoopMeter(plan.hasConsole());
    }

    /** The driver of each process: the profile for a driver without threads, and the options of this run. */
    static MediaDriver.Context driverContext(final CrowdPlan plan)
    {
        return DriverProfile.load(PROFILE).newContext()
            .aeronDirectoryName(DriverDirectory.temporary())
            .threadingMode(io.aeron.driver.ThreadingMode.INVOKER)
            .mtuLength(plan.mtu)
            .ipcMtuLength(plan.mtu)
            .socketRcvbufLength(SOCKET_BUFFER)
            .socketSndbufLength(SOCKET_BUFFER)
            .dirDeleteOnShutdown(true);
    }

    @Override
    public List<RoomType> roomTypes()
    {
        return List.of(CrowdRoom.type(plan, statesSent));
    }

    @Override
    public void configure(final EngineContext context)
    {
        super.configure(context);
        context
            .inboxSlots(BitUtil.findNextPositivePowerOfTwo(Math.max(MIN_INBOX_SLOTS, 2 * plan.rooms)))
            .loopLimits(plan.rooms, plan.players(), 1)
            .clock(driver::engineTime);
        // Without overload frame rates are not governed, so that late frames show.
        context.monitor().governor(plan.isOverload())
            .ladder(CrowdRoom.TYPE_ID, ladder(plan.hz))
            // Overload is no error. A counter counts the stalls.
            .stalls(STALL_NS, (stall) -> { });
        if (plan.hasConsole())
        {
            context.monitor().intervals(meter);
        }
        context.trunks().statePatienceNs(STATE_PATIENCE_NS);
        if (plan.isIpc())
        {
            context.trunks().largestFrame(CrowdPlan.IPC_TERM_LENGTH / 4);
        }
        if (0 != plan.trunkRate)
        {
            context.trunks().rates(plan.trunkRate, NO_LIMIT);
        }
    }

    @Override
    public void configure(final GatewayContext context)
    {
        context.secret(secret()).limits()
            .connectionLimit(2 * plan.players())
            .ungreetedLimit(2 * plan.players())
            .addressLimit(NO_GATEWAY_LIMIT)
            .addressRate(NO_GATEWAY_LIMIT)
            .logInRate(NO_GATEWAY_LIMIT)
            .messageRate(NO_GATEWAY_LIMIT)
            .byteRate(NO_GATEWAY_LIMIT);
        start(() -> new GatewayMeter(plan).follow(control()));
    }

    @Override
    protected MediaDriver.Context driver()
    {
        return driverContext(plan).nanoClock(driver::driverTime);
    }

    @Override
    protected boolean isFed()
    {
        return plan.isFed();
    }

    @Override
    protected void open(final Engine engine)
    {
        for (int i = 0; i < plan.rooms; i++)
        {
            final RoomHandle room = engine.openRoom(CrowdRoom.TYPE_ID);
            if (room.roomId() != plan.roomId(i))
            {
                throw new IllegalStateException("room " + i + " has the id " + room.roomId());
            }
            rooms.add(room);
        }
        final String carrier = plan.isShared() ? "escapement-edge" : "escapement-solo";
        threads().stream().filter((thread) -> carrier.equals(thread.getName()))
            .forEach((thread) -> driver.carrier = thread);
        meter.engine(engine);
    }

    @Override
    protected void follow(final Engine engine)
    {
        ServerWindow.serve(plan, control(), (durationMs) -> new EngineWindow(this, engine, durationMs));
    }

    /** The rate that rooms ask for, a half, a quarter and an eighth of it, as long as it is at least 1 Hz. */
    private static int[] ladder(final int hz)
    {
        return IntStream.range(0, LADDER_STEPS).map((step) -> hz >> step).filter((rate) -> rate > 0).toArray();
    }
}
