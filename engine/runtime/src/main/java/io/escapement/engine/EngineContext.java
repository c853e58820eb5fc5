package io.escapement.engine;

import io.aeron.driver.MediaDriver;
import io.escapement.config.ConfigException;
import io.escapement.config.internal.PrivateFiles;
import io.escapement.driver.Cores;
import io.escapement.driver.DriverLauncher;
import io.escapement.driver.DriverProfile;
import io.escapement.driver.Endpoints;
import io.escapement.driver.HostFacts;
import io.escapement.driver.guard.GuardLimits;
import io.escapement.engine.internal.service.ServiceDefinition;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.engine.spi.AsyncService;
import io.escapement.engine.spi.PlacementStrategy;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.HostContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.agrona.BitUtil;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * The options of an {@link Engine}. {@link Engine#launch} fills in defaults, checks the options and freezes this
 * context: setters then throw {@link IllegalStateException}, and the context cannot be used for another engine.
 *
 * <pre>{@code
 *   final EngineContext context = new EngineContext()
 *       .roomType(RoomType.of(1, "chat", 1, ChatRoom::new))
 *       .threadingMode(ThreadingMode.SHARED)
 *       .durability(Durability.journal(directory))
 *       .trunks(new TrunkServerContext().udp(ingress, response).secret(secret, true));
 *   context.monitor().metricsPort(0);
 * }</pre>
 */
public final class EngineContext
{
    /** Default of {@link #driverTimeoutMs(long)}. */
    public static final long DRIVER_TIMEOUT_MS_DEFAULT = TimeUnit.SECONDS.toMillis(10);
    /** Default of {@link #ringSlots(int)} with a thread for each loop. */
    public static final int RING_SLOTS_DEFAULT = 4_096;
    /** Default of {@link #ringSlots(int)} in one thread, where slots that are reused soon stay in the cache. */
    public static final int SOLO_RING_SLOTS_DEFAULT = 1_024;
    /** Default of {@link #inboxSlots(int)}. */
    public static final int INBOX_SLOTS_DEFAULT = 1_024;
    /** Default of the rooms in {@link #loopLimits}. */
    public static final int ROOM_LIMIT_DEFAULT = 1_024;
    /** Default of the seats in {@link #loopLimits}. */
    public static final int SEAT_LIMIT_DEFAULT = 65_536;
    /** Default of the timers in {@link #loopLimits}. */
    public static final int TIMER_LIMIT_DEFAULT = 262_144;
    /** Default of {@link #phaseGroups(int)}. */
    public static final int PHASE_GROUPS_DEFAULT = 4;

    private static final System.Logger LOGGER = System.getLogger("io.escapement.engine");
    /** Fewer than the 10 bits of a room id that name the loop. */
    private static final int MAX_LOOPS = 64;
    private static final int MIN_SLOTS = 16;
    private static final int MAX_SERVICES = 64;
    private static final int MAX_WORKERS = 64;
    private static final String INGRESS = "trunks.udp.ingress";
    private static final String RESPONSE = "trunks.udp.response";
    private static final String SLOTS_REMEDY = "use a power of two, at least " + MIN_SLOTS;

    private final List<RoomType> roomTypes = new ArrayList<>();
    private final List<ServiceDefinition> services = new ArrayList<>();
    private final EmbeddedDriver driver = new EmbeddedDriver();
    private ThreadingMode threadingMode;
    private Idle idle = Idle.PARK;
    private WarmUp warmUp = new WarmUp();
    private int loops;
    private String aeronDirectory;
    private long driverTimeoutMs = DRIVER_TIMEOUT_MS_DEFAULT;
    private int[] cores = {};
    private TrunkServerContext trunks = new TrunkServerContext();
    private List<byte[]> tokenKeys;
    private PlacementStrategy placement = PlacementStrategy.LEAST_LOADED;
    private Integer ringSlots;
    private int inboxSlots = INBOX_SLOTS_DEFAULT;
    private int roomLimit = ROOM_LIMIT_DEFAULT;
    private int seatLimit = SEAT_LIMIT_DEFAULT;
    private int timerLimit = TIMER_LIMIT_DEFAULT;
    private int phaseGroups = PHASE_GROUPS_DEFAULT;
    private Path recordTo;
    private Path bundles;
    private int[] hiddenInBundles = {};
    private Durability durability = Durability.memory();
    private Runnable faultHook;
    private MonitorContext monitor = new MonitorContext();
    private ErrorHandler errorHandler = (ex) -> LOGGER.log(System.Logger.Level.ERROR, "fault", ex);
    private ThreadFactory threadFactory;
    /** Null unless a simulation has the machine. */
    private SteppedEngine.Machine machine;
    private NanoClock clock = SystemNanoClock.INSTANCE;
    private boolean isConcluded;
    private boolean isLaunched;

    /**
     * Register a room type, or a newer version of a room type for a later reload. Its supplier is called in the threads
     * of the loops, and in the thread of {@link #bundles}.
     *
     * @param type which is frozen here.
     */
    public EngineContext roomType(final RoomType type)
    {
        checkNotFrozen();
        roomTypes.add(type.freeze());
        return this;
    }

    /**
     * Register a service for requests of rooms. Its workers have a thread each and may block.
     *
     * @param id       that rooms use.
     * @param name     for people, and part of the threads' names.
     * @param workers  number of threads. All requests with one order key go to the same worker.
     * @param supplier of the instance of each worker, called in that worker's thread.
     */
    public EngineContext service(
        final int id, final String name, final int workers, final Supplier<? extends AsyncService> supplier)
    {
        checkNotFrozen();
        ConfigException.check(workers > 0 && workers <= MAX_WORKERS, "service " + name + ": workers", workers,
            "use 1 to " + MAX_WORKERS);
        ConfigException.check(services.size() < MAX_SERVICES, "service", name,
            "there are " + MAX_SERVICES + " services already, the most that an engine has");
        for (final ServiceDefinition other : services)
        {
            ConfigException.check(other.id() != id, "service " + name + ": id", id,
                "used by service " + other.name() + ", choose another id");
        }
        services.add(new ServiceDefinition(id, name, workers, supplier));
        return this;
    }

    /**
     * How the agents are spread over threads. Default: {@link ThreadingMode#SOLO} on two cores or fewer with an
     * embedded driver, otherwise {@link ThreadingMode#SHARED}.
     *
     * @param value the mode.
     */
    public EngineContext threadingMode(final ThreadingMode value)
    {
        checkNotFrozen();
        threadingMode = value;
        return this;
    }

    /**
     * How an idle thread waits for work. Default: {@link Idle#PARK}.
     *
     * @param value the idle strategy.
     */
    public EngineContext idle(final Idle value)
    {
        checkNotFrozen();
        idle = value;
        return this;
    }

    /**
     * How the engine warms up before it is launched. Default: threads that will spin park until the JIT compilers rest,
     * for at most 10 seconds.
     *
     * @param value the warm-up.
     */
    public EngineContext warmUp(final WarmUp value)
    {
        checkNotFrozen();
        warmUp = value;
        return this;
    }

    /**
     * Number of loops. Default: 1 in SOLO and INVOKER, otherwise the number of cores minus 1.
     *
     * @param count 1 to 64.
     */
    public EngineContext loops(final int count)
    {
        checkNotFrozen();
        loops = count;
        return this;
    }

    /**
     * Use the media driver that runs in this directory. Default: the engine embeds a driver.
     *
     * @param directory of the driver.
     */
    public EngineContext aeronDirectory(final String directory)
    {
        checkNotFrozen();
        aeronDirectory = directory;
        return this;
    }

    /**
     * A media driver counts as dead, and the engine stops, if the driver's heartbeat is older than this. An embedded
     * driver has clocks that leave out pauses of the process.
     *
     * @param ms milliseconds.
     */
    public EngineContext driverTimeoutMs(final long ms)
    {
        checkNotFrozen();
        driverTimeoutMs = ms;
        return this;
    }

    /**
     * The context of the embedded driver, instead of a context from {@link #driverProfile}. The engine sets its
     * threading mode.
     *
     * @param value the driver's context, or null for the profile's.
     */
    public EngineContext driverContext(final MediaDriver.Context value)
    {
        checkNotFrozen();
        driver.context(value);
        return this;
    }

    /**
     * The directory of the embedded driver, so that processes on this host can find and join it, for trunks over
     * {@link TrunkServerContext#ipc shared memory}. Its mode is 0700 once the engine is launched: only processes of its
     * owner can join. The guards do not apply to them, because they write to the driver's memory: they can read all
     * trunks and stop the driver. Authentication and limits of trunks apply. Files of a dead driver there are deleted.
     * A driver counts as dead 10 s after it was killed. Default: another directory for each engine.
     *
     * @param directory in shared memory, such as {@code /dev/shm/game}.
     */
    public EngineContext driverDirectory(final String directory)
    {
        checkNotFrozen();
        driver.fixedDirectory(directory);
        return this;
    }

    /**
     * Admit processes of a group to the driver in {@link #driverDirectory} as well as the owner's: its mode is 2750,
     * and its files belong to the group. The engine must run with a umask such as 007: the group can then write to
     * them. Default: none.
     *
     * @param group name of the group, of which the engine's user is a member.
     */
    public EngineContext driverGroup(final String group)
    {
        checkNotFrozen();
        driver.group(group);
        return this;
    }

    /**
     * The profile of the embedded driver and of its guards. Default: {@code dedicated} in
     * {@link ThreadingMode#DEDICATED}, otherwise {@code solo}. With a {@link #driverContext} only the limits of the
     * guards are used.
     *
     * @param nameOrPath a name of {@link DriverProfile#NAMES}, or a file.
     */
    public EngineContext driverProfile(final String nameOrPath)
    {
        checkNotFrozen();
        driver.profile(nameOrPath);
        return this;
    }

    /**
     * The options of trunks: endpoints, authentication, limits.
     *
     * @param value the options.
     */
    public EngineContext trunks(final TrunkServerContext value)
    {
        checkNotFrozen();
        trunks = value;
        return this;
    }

    /**
     * Pin threads to cores: the loops' threads in order, then the edge's. In SOLO this pins the only thread. Keep these
     * cores free of other work. Default: no thread is pinned.
     *
     * @param value numbers of cores, as the operating system counts them. Threads after the last are not pinned.
     */
    public EngineContext cores(final int... value)
    {
        checkNotFrozen();
        cores = value.clone();
        return this;
    }

    /**
     * Pin the threads of an embedded driver to cores, in {@link ThreadingMode#DEDICATED}: the sender, the receiver and
     * the conductor. Default: no thread is pinned.
     *
     * @param value numbers of cores that are not in {@link #cores}. Threads after the last are not pinned.
     */
    public EngineContext driverCores(final int... value)
    {
        checkNotFrozen();
        driver.cores(value.clone());
        return this;
    }

    /**
     * Chooses the loop of each new room. Default: {@link PlacementStrategy#LEAST_LOADED}.
     *
     * @param value the strategy.
     */
    public EngineContext placement(final PlacementStrategy value)
    {
        checkNotFrozen();
        placement = value;
        return this;
    }

    /**
     * Slots of each loop's ring. A full ring puts back pressure on the trunks that send to it. Default:
     * {@value #RING_SLOTS_DEFAULT}, or {@value #SOLO_RING_SLOTS_DEFAULT} where one thread runs everything.
     *
     * @param slots a power of two, at least 16.
     */
    public EngineContext ringSlots(final int slots)
    {
        checkNotFrozen();
        ringSlots = slots;
        return this;
    }

    /**
     * Slots of each inbox. Half of them are reserved for replies of services: this also limits open requests.
     *
     * @param slots a power of two, at least 16.
     */
    public EngineContext inboxSlots(final int slots)
    {
        checkNotFrozen();
        inboxSlots = slots;
        return this;
    }

    /**
     * Limits of each loop.
     *
     * @param rooms  open at one time.
     * @param seats  of all rooms together.
     * @param timers of all rooms together.
     */
    public EngineContext loopLimits(final int rooms, final int seats, final int timers)
    {
        checkNotFrozen();
        roomLimit = rooms;
        seatLimit = seats;
        timerLimit = timers;
        return this;
    }

    /**
     * Phase groups over which the rooms of a frame rate are spread. More groups make smaller bursts. Fewer groups make
     * fewer wake-ups. A wake-up costs as much as the frames of many small rooms.
     *
     * @param groups 1 to {@link HostContext#MAX_PHASE_GROUPS}.
     */
    public EngineContext phaseGroups(final int groups)
    {
        checkNotFrozen();
        phaseGroups = groups;
        return this;
    }

    /**
     * Record every turn, in a log that {@link Durability#replay} reruns: a journal that never deletes and never syncs.
     * It does not survive the engine: the next engine starts with no rooms. A disk that is too slow stops the loops, as
     * the disk of a journal does. Default: no recording.
     *
     * @param directory for the log. If it already contains a log, this log goes to a subdirectory such as
     *                  {@code run-2}. An existing log is never overwritten.
     */
    public EngineContext recordTo(final Path directory)
    {
        checkNotFrozen();
        recordTo = directory;
        return this;
    }

    /**
     * Write a bundle of each failing room, and of rooms that {@link EngineOperator#bundle} names. The bundle is the log
     * of the room up to there. {@code RoomBench.of} runs it as a test and {@code escapement debug} opens it. It
     * contains the players' messages. Failures write one file per minute for each room type and 60 per hour, of 8 MiB
     * or a little more. Bundles are never deleted. A thread of the lowest priority reads the journal and runs the room.
     * Default: none.
     *
     * @param directory for the files, on an engine with a journal.
     */
    public EngineContext bundles(final Path directory)
    {
        checkNotFrozen();
        bundles = directory;
        return this;
    }

    /**
     * Replace messages of players, such as chat, in {@link #bundles} by their HMAC-SHA-256 under a random key. Such a
     * bundle shows the events, and cannot be run. Default: none.
     *
     * @param templateIds of the SBE messages of the game.
     */
    public EngineContext hideInBundles(final int... templateIds)
    {
        checkNotFrozen();
        hiddenInBundles = templateIds.clone();
        return this;
    }

    /**
     * Choose the failures that rooms survive, and so the meaning of their answers.
     * Default: {@link Durability#memory()}.
     *
     * <p>With a journal, an engine starts with the journal's open rooms. Their links are down: players rejoin and find
     * their seats. {@link Engine#openRoomOnce(int)} opens only missing rooms. Closing the engine keeps its rooms, a
     * drain closes them. Room types must not be ephemeral.
     *
     * @param value the options, frozen when the engine is launched.
     */
    public EngineContext durability(final Durability value)
    {
        checkNotFrozen();
        durability = value;
        return this;
    }

    /**
     * The options of monitoring: governor, watchdog, histograms, metrics.
     *
     * @param value the options.
     */
    public EngineContext monitor(final MonitorContext value)
    {
        checkNotFrozen();
        monitor = value;
        return this;
    }

    /**
     * Called once, in a separate thread, when a loop or a thread of the engine has failed with an exception. Examples
     * are an OutOfMemoryError in a room and the death of the media driver. By then trunks have been sent a Goodbye, if
     * the edge runs. The hook may drain or close the engine, or exit the process, which is best after an
     * OutOfMemoryError. Default: none.
     *
     * @param value the hook.
     */
    public EngineContext faultHook(final Runnable value)
    {
        checkNotFrozen();
        faultHook = value;
        return this;
    }

    /**
     * Receives exceptions: of rooms, of failing threads, and of an embedded driver. Called in a separate thread, except
     * in {@link ThreadingMode#INVOKER}, where any thread calls it. It may block or throw. While it blocks, at most 256
     * exceptions wait and further exceptions are dropped. Default: the platform's logger.
     *
     * @param value the handler.
     */
    public EngineContext errorHandler(final ErrorHandler value)
    {
        checkNotFrozen();
        errorHandler = value;
        return this;
    }

    /**
     * Makes the engine's threads, which are set to be daemons. If a room holds its thread, the JVM can still exit. By
     * default they have the JVM's stack, or 16 MiB if several nodes keep the log.
     *
     * @param value the factory.
     */
    public EngineContext threadFactory(final ThreadFactory value)
    {
        checkNotFrozen();
        threadFactory = value;
        return this;
    }

    /**
     * The clock. Default: the system's.
     *
     * @param value the clock.
     */
    public EngineContext clock(final NanoClock value)
    {
        checkNotFrozen();
        clock = value;
        return this;
    }

    /** The options of trunks, to set more of them before launch. */
    public TrunkServerContext trunks()
    {
        return trunks;
    }

    /** Run on a simulated machine. The machine's caller runs the agents. */
    EngineContext machine(final SteppedEngine.Machine value)
    {
        machine = value;
        clock = value.clock();
        driver.time(value.clock());
        driver.wall(value.wallClock());
        return threadingMode(ThreadingMode.INVOKER);
    }

    /** The machine of a simulation, otherwise null. */
    SteppedEngine.Machine machine()
    {
        return machine;
    }

    /** Milliseconds of the wall clock. */
    long wallMs()
    {
        return null == machine ? System.currentTimeMillis() : machine.wallClock().time();
    }

    /** Conclude unless the application has done so. */
    EngineContext launch()
    {
        if (isLaunched)
        {
            throw new IllegalStateException("an engine was launched with this context: make another for each engine");
        }
        isLaunched = true;
        return conclude();
    }

    /**
     * Check all options, including against this host, before any resource is opened, and freeze them.
     * {@link Engine#launch} calls this method. An application that launches several engines concludes all of its
     * contexts first.
     *
     * @throws ConfigException if an option is wrong.
     */
    public EngineContext conclude()
    {
        if (isConcluded)
        {
            return this;
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
            ringSlots = hasThreadPerLoop() ? RING_SLOTS_DEFAULT : SOLO_RING_SLOTS_DEFAULT;
        }
        ConfigException.check(!roomTypes.isEmpty(), "roomType", "none", "register at least one");
        ConfigException.check(loops >= 1 && loops <= MAX_LOOPS, "loops", loops, "use 1 to " + MAX_LOOPS);
        checkSlots("ringSlots", ringSlots);
        checkSlots("inboxSlots", inboxSlots);
        ConfigException.check(phaseGroups >= 1 && phaseGroups <= HostContext.MAX_PHASE_GROUPS,
            "phaseGroups", phaseGroups, "use 1 to " + HostContext.MAX_PHASE_GROUPS);
        final int threads = hasThreadPerLoop() ? loops + 1 : 1;
        ConfigException.check(Idle.BUSY != idle || threads <= processors(), "idle",
            "BUSY, with " + threads + " threads on " + processors() + " cores",
            "a spinning thread without a core adds milliseconds of latency: use PARK or fewer loops");
        if (hasEmbeddedDriver())
        {
            driver.conclude(ThreadingMode.DEDICATED == threadingMode, Sizing.sessions(trunks.limit(), loops),
                trunks.termLength());
        }
        else
        {
            ConfigException.check(!driver.isConfigured(), "aeronDirectory", aeronDirectory,
                "remove driverContext, driverProfile, driverCores, driverDirectory and driverGroup, which are for an " +
                "embedded driver");
        }
        concludeCores(threads);
        if (null != recordTo)
        {
            ConfigException.check(!durability.isDurable(), "recordTo", recordTo, "remove it: the log is the recording");
            durability = Durability.recording(recordTo);
        }
        ConfigException.check(
            null == bundles || durability.isJournal() && !durability.isRecording(), "bundles", bundles,
            "needs a journal, whose snapshots a bundle begins with: set durability, or remove it");
        ConfigException.check(0 == hiddenInBundles.length || null != bundles, "hideInBundles",
            Arrays.toString(hiddenInBundles), "set bundles too");
        durability.conclude(roomTypes);
        final HostFacts facts = HostFacts.read(Path.of(hasEmbeddedDriver() ? driver.directory() : aeronDirectory));
        trunks.check();
        tokenKeys = null == trunks.tokenKeyFile() ?
            List.of() : Secrets.keysOf("trunks.tokenKeyFile", trunks.tokenKeyFile());
        Sizing.conclude(trunks, facts, loops, (hasEmbeddedDriver() ? driver.filesLength() : 0) +
            durability.memoryLength(loops, Path.of(facts.store().path())),
            hasEmbeddedDriver() ? driver.maxTermLength() : GuardLimits.DEFAULTS.maxTermLength());
        if (null == machine)
        {
            checkHost();
        }
        monitor.conclude();
        isConcluded = true;
        return this;
    }

    /** A simulation has neither sockets nor directories, and two of them may run at a time with the same names. */
    private void checkHost()
    {
        if (!hasEmbeddedDriver())
        {
            DriverLauncher.requireActive(aeronDirectory, "aeronDirectory");
        }
        warmUp.checkHost();
        for (final TrunkServerContext.Port port : trunks.ports())
        {
            Endpoints.checkUdp(INGRESS, port.ingress());
            Endpoints.checkUdp(RESPONSE, port.response());
            ConfigException.check(!port.ingress().equals(port.response()), RESPONSE, port.response(),
                "it is the other endpoint too: name another port");
        }
        durability.checkHost(loops);
        if (null != bundles)
        {
            PrivateFiles.checkDirectory("bundles", bundles);
        }
        Sizing.checkHeap(Sizing::freeHeap, loops, roomTypes(), Sizing.tables(roomLimit, seatLimit, timerLimit));
    }

    private static void checkSlots(final String option, final int slots)
    {
        ConfigException.check(BitUtil.isPowerOfTwo(slots) && slots >= MIN_SLOTS, option, slots, SLOTS_REMEDY);
    }

    private void concludeCores(final int threads)
    {
        for (final int core : driver.cores())
        {
            ConfigException.check(IntStream.of(cores).noneMatch((other) -> other == core), "driverCores", core,
                "it is one of cores too, choose another");
        }
        Cores.check("cores", cores, threads);
        if (hasEmbeddedDriver())
        {
            driver.pin();
        }
    }

    /** A new host context for one loop, or for a replay. */
    HostContext newHostContext()
    {
        final HostContext host = new HostContext()
            .roomLimit(roomLimit).seatLimit(seatLimit).timerLimit(timerLimit).linkLimit(trunks.limit())
            .phaseGroups(phaseGroups).epochMs(wallMs());
        roomTypes.forEach(host::roomType);
        return host;
    }

    /** Directory of bundles, or null. */
    Path bundles()
    {
        return bundles;
    }

    int[] hiddenInBundles()
    {
        return hiddenInBundles;
    }

    /** Keys of trunks' tokens. Empty without a file. */
    List<byte[]> tokenKeys()
    {
        return tokenKeys;
    }

    WarmUp warmUp()
    {
        return warmUp;
    }

    Durability durability()
    {
        return durability;
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

    List<RoomType> roomTypes()
    {
        return roomTypes.stream().filter((type) -> type == roomType(type.id())).toList();
    }

    List<Integer> roomTypeIds()
    {
        return roomTypes.stream().map(RoomType::id).distinct().toList();
    }

    boolean hasEmbeddedDriver()
    {
        return null == aeronDirectory;
    }

    boolean hasThreadPerLoop()
    {
        return ThreadingMode.DEDICATED == threadingMode || ThreadingMode.SHARED == threadingMode;
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

    String aeronDirectory()
    {
        return aeronDirectory;
    }

    long driverTimeoutMs()
    {
        return driverTimeoutMs;
    }

    EmbeddedDriver driver()
    {
        return driver;
    }

    int[] cores()
    {
        return cores;
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

    /** The options of monitoring, to set more of them before launch. */
    public MonitorContext monitor()
    {
        return monitor;
    }

    Runnable faultHook()
    {
        return faultHook;
    }

    ErrorHandler errorHandler()
    {
        return errorHandler;
    }

    ThreadFactory threadFactory()
    {
        return null == threadFactory ? durability.threadFactory() : threadFactory;
    }

    NanoClock clock()
    {
        return clock;
    }

    private static int processors()
    {
        return Runtime.getRuntime().availableProcessors();
    }

    private void checkNotFrozen()
    {
        if (isConcluded)
        {
            throw new IllegalStateException("the context is frozen: an engine was launched with it");
        }
    }
}
