package io.escapement.engine;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.exceptions.AeronException;
import io.escapement.config.ConfigException;
import io.escapement.driver.Cores;
import io.escapement.driver.DriverProfile;
import io.escapement.driver.HostFacts;
import io.escapement.driver.guard.GuardCounter;
import io.escapement.engine.internal.service.ServiceDefinition;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.engine.spi.AsyncService;
import io.escapement.engine.spi.PlacementStrategy;
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
import java.util.stream.IntStream;
import org.agrona.BitUtil;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.status.CountersReader;

/**
 * What an engine is made of. A setter beats the default; {@link #conclude()} fills in what is missing and refuses what
 * is wrong by the name of its option. Frozen when an engine was launched with it.
 */
public final class EngineContext
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.engine");
    private static final int MAX_LOOPS = 64;
    private static final int MIN_RING_SLOTS = 16;
    private static final int RING_SLOTS = 4_096;
    /** With the edge in the loop's thread nothing piles up, and a slot that is soon written again stays cached. */
    private static final int RING_SLOTS_IN_ONE_THREAD = 1_024;
    /** When the driver dies, loops must have seen that publications are closed before their memory is unmapped. */
    private static final long CLOSE_LINGER_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int MAX_SERVICES = 64;
    private static final int MAX_WORKERS = 64;

    private final List<RoomType> roomTypes = new ArrayList<>();
    private final List<ServiceDefinition> services = new ArrayList<>();
    private ThreadingMode threadingMode;
    private Idle idle = Idle.PARK;
    private int loops;
    private String aeronDirectory;
    private long driverTimeoutMs = TimeUnit.SECONDS.toMillis(10);
    private final EmbeddedDriver driver = new EmbeddedDriver();
    private int[] cores = {};
    private TrunkServerContext trunks = new TrunkServerContext();
    private PlacementStrategy placement = PlacementStrategy.LEAST_LOADED;
    private Integer ringSlots;
    private int inboxSlots = 1_024;
    private int roomLimit = 1_024;
    private int seatLimit = 65_536;
    private int timerLimit = 262_144;
    private int phaseGroups = 4;
    private Path recordTo;
    private Runnable faultHook;
    private MonitorContext monitor = new MonitorContext();
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
     * After how long without a sign of life the media driver counts as dead, and the engine ends. 10 s unless set.
     *
     * @param ms milliseconds.
     * @return this.
     */
    public EngineContext driverTimeoutMs(final long ms)
    {
        checkOpen();
        driverTimeoutMs = ms;
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
        driver.context = value;
        return this;
    }

    /**
     * The settings of a driver of the engine's own, and what its guards let in. Unless set, solo, or dedicated with
     * dedicated threads. With a driver context, of the profile only the guards' limits are used.
     *
     * @param nameOrPath one of {@link DriverProfile#NAMES}, or a file.
     * @return this.
     */
    public EngineContext driverProfile(final String nameOrPath)
    {
        checkOpen();
        driver.profile = nameOrPath;
        return this;
    }

    /**
     * Where trunks come in, who may, and how much each may do.
     *
     * @param value the options.
     * @return this.
     */
    public EngineContext trunks(final TrunkServerContext value)
    {
        checkOpen();
        trunks = value;
        return this;
    }

    /**
     * The cores that the loops' threads and then the edge's are tied to; in one thread, its core. None unless set. A
     * core that is named here is best kept free of everything else.
     *
     * @param value numbers of cores, as the system counts them; threads beyond the last are not tied.
     * @return this.
     */
    public EngineContext cores(final int... value)
    {
        checkOpen();
        cores = value.clone();
        return this;
    }

    /**
     * The cores that the threads of a driver of the engine's own are tied to, with dedicated threads: the sender, the
     * receiver and the conductor. None unless set.
     *
     * @param value numbers of cores, none of them in {@link #cores}; threads beyond the last are not tied.
     * @return this.
     */
    public EngineContext driverCores(final int... value)
    {
        checkOpen();
        driver.cores = value.clone();
        return this;
    }

    /**
     * On which loop a room is opened: unless set, the one with the fewest rooms.
     *
     * @param value chooses.
     * @return this.
     */
    public EngineContext placement(final PlacementStrategy value)
    {
        checkOpen();
        placement = value;
        return this;
    }

    /**
     * Slots of the ring of each loop; 4,096 unless set, or 1,024 where one thread runs everything. A full ring is felt
     * by the senders alone.
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
     * Phase groups that a loop's rooms of one rate are spread over. With more of them bursts are smaller; with fewer
     * there are fewer wake-ups, each of which costs as much as the frames of many small rooms. Unless set, 4.
     *
     * @param groups 1 to {@link HostContext#MAX_PHASE_GROUPS}.
     * @return this.
     */
    public EngineContext phaseGroups(final int groups)
    {
        checkOpen();
        phaseGroups = groups;
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
    public EngineContext monitor(final MonitorContext value)
    {
        checkOpen();
        monitor = value;
        return this;
    }

    /**
     * Run when one of the engine's threads has ended by a fault, such as the death of the media driver: what is left
     * is to close the engine. Once, in the keeper's thread; nothing unless set.
     *
     * @param value the hook.
     * @return this.
     */
    public EngineContext faultHook(final Runnable value)
    {
        checkOpen();
        faultHook = value;
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
        if (null == threadingMode)
        {
            threadingMode = hasEmbeddedDriver() && processors() <= 2 ? ThreadingMode.SOLO : ThreadingMode.SHARED;
        }
        if (0 == loops)
        {
            loops = hasThreadPerLoop() ? Math.max(1, processors() - 1) : 1;
        }
        if (null == ringSlots)
        {
            ringSlots = hasThreadPerLoop() ? RING_SLOTS : RING_SLOTS_IN_ONE_THREAD;
        }
        check(!roomTypes.isEmpty(), "roomType", "none");
        check(loops >= 1 && loops <= MAX_LOOPS, "loops", loops);
        check(BitUtil.isPowerOfTwo(ringSlots) && ringSlots >= MIN_RING_SLOTS, "ringSlots", ringSlots);
        check(phaseGroups >= 1 && phaseGroups <= HostContext.MAX_PHASE_GROUPS, "phaseGroups", phaseGroups);
        check(BitUtil.isPowerOfTwo(inboxSlots) && inboxSlots >= MIN_RING_SLOTS, "inboxSlots", inboxSlots);
        final int threads = hasThreadPerLoop() ? loops + 1 : 1;
        check(Idle.BUSY != idle || threads <= processors(), "idle", "BUSY, with " + threads + " threads on " +
            processors() + " cores: a spinning thread without a core costs milliseconds, so use PARK or fewer loops");
        if (hasEmbeddedDriver())
        {
            driver.conclude(ThreadingMode.DEDICATED == threadingMode);
        }
        else
        {
            check(!driver.isWanted(), "aeronDirectory", aeronDirectory + ", and options for a driver of its own");
        }
        concludeCores(threads);
        trunks.conclude(HostFacts.read(Path.of(
            hasEmbeddedDriver() ? driver.context.aeronDirectoryName() : aeronDirectory)), loops);
        isConcluded = true;
        return this;
    }

    private void concludeCores(final int threads)
    {
        for (final int core : driver.cores)
        {
            final boolean isTaken = IntStream.of(cores).anyMatch((other) -> other == core);
            check(!isTaken, "driverCores", core + " is one of cores too");
        }
        try
        {
            Cores.check("cores", cores, threads);
            if (hasEmbeddedDriver())
            {
                driver.tie();
            }
        }
        catch (final ConfigException ex)
        {
            throw new EngineException(ex.getMessage(), ex);
        }
    }

    /** An external driver with guards has their counters, once it has an endpoint. */
    void warnUnlessGuarded(final CountersReader counters)
    {
        final boolean[] isGuarded = new boolean[1];
        counters.forEach((counterId, typeId, key, label) ->
            isGuarded[0] |= GuardCounter.DATA_MALFORMED.typeId() == typeId);
        if (!isGuarded[0] && trunks.isOverUdp() && !hasEmbeddedDriver())
        {
            LOGGER.log(System.Logger.Level.WARNING, "aeronDirectory: " + aeronDirectory +
                ": this media driver has no guards, and does what any packet asks of it");
        }
    }

    Aeron connect(final MediaDriver driver)
    {
        try
        {
            return Aeron.connect(aeronContext(driver));
        }
        catch (final AeronException ex)
        {
            throw new EngineException("aeronDirectory: " + aeronDirectory + ": no media driver is active there", ex);
        }
    }

    private static int processors()
    {
        return Runtime.getRuntime().availableProcessors();
    }

    int[] cores()
    {
        return cores;
    }

    boolean hasEmbeddedDriver()
    {
        return null == aeronDirectory;
    }

    String aeronDirectory()
    {
        return aeronDirectory;
    }

    boolean hasThreadPerLoop()
    {
        return ThreadingMode.DEDICATED == threadingMode || ThreadingMode.SHARED == threadingMode;
    }

    private Aeron.Context aeronContext(final MediaDriver driver)
    {
        final Aeron.Context aeron = new Aeron.Context()
            .aeronDirectoryName(null == driver ? aeronDirectory : driver.aeronDirectoryName())
            .driverTimeoutMs(driverTimeoutMs)
            .closeLingerDurationNs(CLOSE_LINGER_NS)
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
            .roomLimit(roomLimit).seatLimit(seatLimit).timerLimit(timerLimit).linkLimit(trunks.limit())
            .phaseGroups(phaseGroups).epochMs(System.currentTimeMillis());
        for (final RoomType type : roomTypes)
        {
            host.roomType(type);
        }
        return host;
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

    EmbeddedDriver driver()
    {
        return driver;
    }

    PlacementStrategy placement()
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

    MonitorContext monitor()
    {
        return monitor;
    }

    Runnable faultHook()
    {
        return faultHook;
    }

    /**
     * The options of trunks, to set more of them before the engine is launched.
     *
     * @return the options.
     */
    public TrunkServerContext trunks()
    {
        return trunks;
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

    static void check(final boolean isRight, final String option, final Object value)
    {
        if (!isRight)
        {
            throw new EngineException(option + ": " + value);
        }
    }
}
