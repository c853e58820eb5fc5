package io.escapement.engine;

import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.driver.MediaDriver;
import io.escapement.engine.edge.Authenticator;
import io.escapement.engine.edge.EdgeSettings;
import io.escapement.engine.edge.HmacAuthenticator;
import io.escapement.engine.edge.LogInService;
import io.escapement.engine.edge.RoomPlacement;
import io.escapement.engine.edge.TrunkChannels;
import io.escapement.engine.loop.LoopSettings;
import io.escapement.engine.service.AsyncService;
import io.escapement.engine.service.ServiceDefinition;
import io.escapement.engine.watch.WatchContext;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.NoOutputs;
import io.escapement.rooms.log.TurnLogReader;
import io.escapement.rooms.replay.Replay;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.agrona.BitUtil;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * What an engine is made of. A setter beats the default; {@link #conclude()} fills in what is missing and refuses what
 * is wrong by the name of its option. Frozen when an engine was launched with it.
 */
public final class EngineContext
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.engine");
    private static final int MAX_LOOPS = 64;
    private static final int MIN_RING_SLOTS = 16;
    private static final int MAX_SERVICES = 64;
    private static final int MAX_WORKERS = 64;

    private final List<RoomType> roomTypes = new ArrayList<>();
    private final List<ServiceDefinition> services = new ArrayList<>();
    private ThreadingMode threadingMode;
    private Idle idle = Idle.PARK;
    private int loops;
    private String aeronDirectory;
    private MediaDriver.Context driverContext;
    private String ingress;
    private String response;
    private boolean isIpc;
    private int trunkTermLength = 256 * 1_024;
    private int trunkWindow = 128 * 1_024;
    private Authenticator authenticator;
    private LogInService logInService;
    private RoomPlacement.Strategy placement = RoomPlacement.LEAST_LOADED;
    private int ringSlots = 4_096;
    private int inboxSlots = 1_024;
    private int trunkLimit = 64;
    private int roomLimit = 1_024;
    private int seatLimit = 65_536;
    private int timerLimit = 262_144;
    private long trunkGraceNs = TimeUnit.SECONDS.toNanos(30);
    private long keepaliveNs = TimeUnit.SECONDS.toNanos(1);
    private Path recordTo;
    private WatchContext watch = new WatchContext();
    private int trunkRate = 4_000_000;
    private int seatRate = 1_000_000;
    private ErrorHandler errorHandler = (ex) -> LOGGER.log(System.Logger.Level.ERROR, "fault", ex);
    private ThreadFactory threadFactory = Thread::new;
    private NanoClock clock = SystemNanoClock.INSTANCE;
    private boolean isConcluded;

    /**
     * Register a kind of room. Its supplier is called in the threads of the loops.
     *
     * @param type frozen from now on.
     * @return this.
     */
    public EngineContext roomType(final RoomType type)
    {
        checkOpen();
        roomTypes.add(type.freeze());
        return this;
    }

    /**
     * A service that rooms may ask, with threads of its own that may block.
     *
     * @param id       by which rooms name it.
     * @param name     for people; its threads have it in their names.
     * @param workers  how many threads; requests of one key are always done by the same.
     * @param supplier makes each worker's instance, in that worker's thread.
     * @return this.
     */
    public EngineContext service(
        final int id, final String name, final int workers, final Supplier<? extends AsyncService> supplier)
    {
        checkOpen();
        check(workers > 0 && workers <= MAX_WORKERS, "service " + name + ": workers", workers);
        check(services.size() < MAX_SERVICES, "service", "more than " + MAX_SERVICES);
        for (final ServiceDefinition other : services)
        {
            check(other.id() != id, "service " + name + ": id", id + " is " + other.name() + " already");
        }
        services.add(new ServiceDefinition(id, name, workers, supplier));
        return this;
    }

    /**
     * How the work is spread over threads. Unless set: {@link ThreadingMode#SOLO} on two cores or fewer and with its
     * own driver, otherwise {@link ThreadingMode#SHARED}.
     *
     * @param value the mode.
     * @return this.
     */
    public EngineContext threadingMode(final ThreadingMode value)
    {
        checkOpen();
        threadingMode = value;
        return this;
    }

    /**
     * What threads do that have nothing to do, {@link Idle#PARK} unless set.
     *
     * @param value the way.
     * @return this.
     */
    public EngineContext idle(final Idle value)
    {
        checkOpen();
        idle = value;
        return this;
    }

    /**
     * How many loops run rooms. Unless set: one in SOLO and INVOKER, otherwise one for each core but one.
     *
     * @param count from 1 to 64.
     * @return this.
     */
    public EngineContext loops(final int count)
    {
        checkOpen();
        loops = count;
        return this;
    }

    /**
     * Use the media driver that runs on this directory. Unless set, the engine brings a driver of its own.
     *
     * @param directory of the driver.
     * @return this.
     */
    public EngineContext aeronDirectory(final String directory)
    {
        checkOpen();
        aeronDirectory = directory;
        return this;
    }

    /**
     * The driver that the engine brings. Its threading mode is set here, as the engine's needs it.
     *
     * @param value the driver's context, or null for an external driver.
     * @return this.
     */
    public EngineContext driverContext(final MediaDriver.Context value)
    {
        checkOpen();
        driverContext = value;
        return this;
    }

    /**
     * Take trunks over UDP.
     *
     * @param ingressEndpoint  where they come in, host:port.
     * @param responseEndpoint where the ways back start, host:port.
     * @return this.
     */
    public EngineContext udp(final String ingressEndpoint, final String responseEndpoint)
    {
        checkOpen();
        ingress = ingressEndpoint;
        response = responseEndpoint;
        return this;
    }

    /**
     * Take trunks over shared memory, from processes that use the same driver.
     *
     * @param value whether to.
     * @return this.
     */
    public EngineContext ipc(final boolean value)
    {
        checkOpen();
        isIpc = value;
        return this;
    }

    /**
     * Length of the terms of a way back, 256 KiB unless set: how much waits for a trunk that is slow.
     *
     * @param bytes a power of two, from 64 KiB.
     * @return this.
     */
    public EngineContext trunkTermLength(final int bytes)
    {
        checkOpen();
        trunkTermLength = bytes;
        return this;
    }

    /**
     * How much a trunk may send ahead, 128 KiB unless set. All windows together should fit the socket's buffer.
     *
     * @param bytes of the window, for each loop.
     * @return this.
     */
    public EngineContext trunkWindow(final int bytes)
    {
        checkOpen();
        trunkWindow = bytes;
        return this;
    }

    /**
     * Who may have a trunk.
     *
     * @param value decides.
     * @return this.
     */
    public EngineContext authenticator(final Authenticator value)
    {
        checkOpen();
        authenticator = value;
        return this;
    }

    /**
     * Everyone who knows this secret may have a trunk.
     *
     * @param value     at least 16 bytes, from a file or the environment.
     * @param isTrusted whether such trunks may name their players.
     * @return this.
     */
    public EngineContext secret(final byte[] value, final boolean isTrusted)
    {
        return authenticator(new HmacAuthenticator(value, isTrusted));
    }

    /**
     * Tells who players are.
     *
     * @param value the service, or null when trunks name their players.
     * @return this.
     */
    public EngineContext logInService(final LogInService value)
    {
        checkOpen();
        logInService = value;
        return this;
    }

    /**
     * On which loop a room is opened: unless set, the one with the fewest rooms.
     *
     * @param value chooses.
     * @return this.
     */
    public EngineContext placement(final RoomPlacement.Strategy value)
    {
        checkOpen();
        placement = value;
        return this;
    }

    /**
     * Slots of the ring of each loop, 4,096 unless set. A full ring is felt by the senders alone.
     *
     * @param slots a power of two, at least 16.
     * @return this.
     */
    public EngineContext ringSlots(final int slots)
    {
        checkOpen();
        ringSlots = slots;
        return this;
    }

    /**
     * Slots of each inbox, 1,024 unless set.
     *
     * @param slots a power of two, at least 16.
     * @return this.
     */
    public EngineContext inboxSlots(final int slots)
    {
        checkOpen();
        inboxSlots = slots;
        return this;
    }

    /**
     * Trunks at one time, those that are lost and held counted in.
     *
     * @param value the limit.
     * @return this.
     */
    public EngineContext trunkLimit(final int value)
    {
        checkOpen();
        trunkLimit = value;
        return this;
    }

    /**
     * What each loop can hold.
     *
     * @param rooms  open at one time.
     * @param seats  of all rooms together.
     * @param timers of all rooms together.
     * @return this.
     */
    public EngineContext loopLimits(final int rooms, final int seats, final int timers)
    {
        checkOpen();
        roomLimit = rooms;
        seatLimit = seats;
        timerLimit = timers;
        return this;
    }

    /**
     * How long a lost trunk can be resumed, 30 s unless set.
     *
     * @param ns nanoseconds.
     * @return this.
     */
    public EngineContext trunkGraceNs(final long ns)
    {
        checkOpen();
        trunkGraceNs = ns;
        return this;
    }

    /**
     * How often a trunk has to say something, 1 s unless set. After three times this it is lost.
     *
     * @param ns nanoseconds.
     * @return this.
     */
    public EngineContext keepaliveNs(final long ns)
    {
        checkOpen();
        keepaliveNs = ns;
        return this;
    }

    /**
     * How fast entries are taken.
     *
     * @param trunkPerSecond from a trunk, on one loop.
     * @param seatPerSecond  from a seat.
     * @return this.
     */
    public EngineContext rates(final int trunkPerSecond, final int seatPerSecond)
    {
        checkOpen();
        trunkRate = trunkPerSecond;
        seatRate = seatPerSecond;
        return this;
    }

    /**
     * Record every command of every loop, in a log a loop that {@link #replay} runs again. Off unless set.
     *
     * @param directory for the files; one that has no recording in it.
     * @return this.
     */
    public EngineContext recordTo(final Path directory)
    {
        checkOpen();
        recordTo = directory;
        return this;
    }

    /**
     * Run a recorded log again, with the room types of this context.
     *
     * @param file that was recorded, also by an engine that did not end in good order.
     * @return the replay, run to its end or to the first turn that differs.
     */
    public Replay replay(final Path file)
    {
        return new Replay(TurnLogReader.openUnfinished(file), hostContext().outputs(new NoOutputs())).run();
    }

    /**
     * How loops are watched: governor, watchdog, histograms, metrics.
     *
     * @param value what to do.
     * @return this.
     */
    public EngineContext watch(final WatchContext value)
    {
        checkOpen();
        watch = value;
        return this;
    }

    /**
     * Hears of faults: rooms that threw, loops that ended. Called in any of the engine's threads. Unless set, they go
     * to the platform's logger.
     *
     * @param value the handler.
     * @return this.
     */
    public EngineContext errorHandler(final ErrorHandler value)
    {
        checkOpen();
        errorHandler = value;
        return this;
    }

    /**
     * Makes the engine's threads.
     *
     * @param value the factory.
     * @return this.
     */
    public EngineContext threadFactory(final ThreadFactory value)
    {
        checkOpen();
        threadFactory = value;
        return this;
    }

    /**
     * The clock.
     *
     * @param value to read.
     * @return this.
     */
    public EngineContext clock(final NanoClock value)
    {
        checkOpen();
        clock = value;
        return this;
    }

    EngineContext conclude()
    {
        if (isConcluded)
        {
            throw new EngineException("an engine was launched with this context already: make another");
        }
        final int cores = Runtime.getRuntime().availableProcessors();
        if (null == threadingMode)
        {
            threadingMode = hasOwnDriver() && cores <= 2 ? ThreadingMode.SOLO : ThreadingMode.SHARED;
        }
        if (0 == loops)
        {
            loops = hasThreadPerLoop() ? Math.max(1, cores - 1) : 1;
        }
        check(!roomTypes.isEmpty(), "roomType", "none");
        check(loops >= 1 && loops <= MAX_LOOPS, "loops", loops);
        check(null != ingress || isIpc, "udp", "neither udp nor ipc is set");
        check(null != authenticator, "authenticator", "neither secret nor authenticator is set");
        check(BitUtil.isPowerOfTwo(ringSlots) && ringSlots >= MIN_RING_SLOTS, "ringSlots", ringSlots);
        check(BitUtil.isPowerOfTwo(inboxSlots) && inboxSlots >= MIN_RING_SLOTS, "inboxSlots", inboxSlots);
        check(trunkLimit > 0, "trunkLimit", trunkLimit);
        check(keepaliveNs > 0, "keepaliveNs", keepaliveNs);
        if (hasOwnDriver() && null == driverContext)
        {
            driverContext = new MediaDriver.Context()
                .aeronDirectoryName(CommonContext.generateRandomDirName())
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true);
        }
        if (hasOwnDriver())
        {
            driverContext.threadingMode(ThreadingMode.DEDICATED == threadingMode ?
                io.aeron.driver.ThreadingMode.DEDICATED : io.aeron.driver.ThreadingMode.INVOKER);
        }
        isConcluded = true;
        return this;
    }

    boolean hasOwnDriver()
    {
        return null == aeronDirectory;
    }

    boolean hasThreadPerLoop()
    {
        return ThreadingMode.DEDICATED == threadingMode || ThreadingMode.SHARED == threadingMode;
    }

    Aeron.Context aeronContext(final MediaDriver driver)
    {
        final Aeron.Context aeron = new Aeron.Context()
            .aeronDirectoryName(null == driver ? aeronDirectory : driver.aeronDirectoryName())
            .useConductorAgentInvoker(true)
            .errorHandler(errorHandler);
        if (null != driver && null != driver.sharedAgentInvoker())
        {
            aeron.driverAgentInvoker(driver.sharedAgentInvoker());
        }
        return aeron;
    }

    HostContext hostContext()
    {
        final HostContext host = new HostContext()
            .roomLimit(roomLimit).seatLimit(seatLimit).timerLimit(timerLimit).linkLimit(trunkLimit)
            .epochMs(System.currentTimeMillis());
        for (final RoomType type : roomTypes)
        {
            host.roomType(type);
        }
        return host;
    }

    LoopSettings loopSettings()
    {
        final int queueLength = 256 * 1_024;
        return new LoopSettings(trunkLimit, queueLength, queueLength, queueLength, inboxSlots / 2,
            256, 256, TimeUnit.MILLISECONDS.toNanos(16), TimeUnit.SECONDS.toNanos(2),
            TimeUnit.MICROSECONDS.toNanos(250));
    }

    EdgeSettings edgeSettings()
    {
        return new EdgeSettings(trunkLimit, trunkLimit, TimeUnit.SECONDS.toNanos(5), keepaliveNs, trunkGraceNs,
            TimeUnit.HOURS.toNanos(1), ringSlots / 4, trunkRate, Math.max(1, trunkRate / 10),
            seatRate, Math.max(1, seatRate / 10), 64);
    }

    TrunkChannels channels()
    {
        return new TrunkChannels(ingress, response, isIpc, trunkTermLength, trunkWindow);
    }

    RoomType roomType(final int typeId)
    {
        for (final RoomType type : roomTypes)
        {
            if (type.id() == typeId)
            {
                return type;
            }
        }
        throw new IllegalArgumentException("no room type " + typeId + " is registered");
    }

    List<ServiceDefinition> services()
    {
        return services;
    }

    ThreadingMode threadingMode()
    {
        return threadingMode;
    }

    Idle idle()
    {
        return idle;
    }

    int loops()
    {
        return loops;
    }

    MediaDriver.Context driverContext()
    {
        return driverContext;
    }

    Authenticator authenticator()
    {
        return authenticator;
    }

    LogInService logInService()
    {
        return logInService;
    }

    RoomPlacement.Strategy placement()
    {
        return placement;
    }

    int ringSlots()
    {
        return ringSlots;
    }

    int inboxSlots()
    {
        return inboxSlots;
    }

    ErrorHandler errorHandler()
    {
        return errorHandler;
    }

    List<Integer> roomTypeIds()
    {
        return roomTypes.stream().map(RoomType::id).toList();
    }

    WatchContext watch()
    {
        return watch;
    }

    Path recordTo()
    {
        return recordTo;
    }

    ThreadFactory threadFactory()
    {
        return threadFactory;
    }

    NanoClock clock()
    {
        return clock;
    }

    private void checkOpen()
    {
        if (isConcluded)
        {
            throw new IllegalStateException("the context is frozen: an engine was launched with it");
        }
    }

    private static void check(final boolean isRight, final String option, final Object value)
    {
        if (!isRight)
        {
            throw new EngineException(option + ": " + value);
        }
    }
}
