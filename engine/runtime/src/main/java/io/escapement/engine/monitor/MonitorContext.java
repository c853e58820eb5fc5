package io.escapement.engine.monitor;

import io.escapement.config.ConfigException;
import io.escapement.config.internal.PrivateFiles;
import io.escapement.driver.Endpoints;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * The options of monitoring. {@code Engine.launch} freezes this context: setters then throw
 * {@link IllegalStateException}.
 */
public final class MonitorContext
{
    /** Value of {@link #metricsPort()} when no metrics are served. */
    public static final int NO_PORT = -1;
    /** Default of {@link #intervalNs(long)}. */
    public static final long INTERVAL_NS_DEFAULT = TimeUnit.SECONDS.toNanos(1);
    /** Default of the limit in {@link #stalls}. */
    /** Turns of a loop until the classes of its rooms are loaded and its code is warm. */
    public static final long STALL_WARM_UP_DEFAULT = 1_000;
    public static final long STALL_LIMIT_NS_DEFAULT = TimeUnit.MILLISECONDS.toNanos(100);

    /** Receives the interval histograms of the loops. */
    @FunctionalInterface
    public interface IntervalListener
    {
        /**
         * Receive the histogram of one measurement, in the monitor's thread: copy it and return.
         *
         * @param loop        number of the loop.
         * @param measurement as {@link LoopRecorder} names it, such as {@code frameLateness}.
         * @param interval    valid only during the call.
         */
        void onInterval(int loop, String measurement, Histogram interval);
    }

    private static final int[] LADDER_DEFAULT = {60, 30, 15, 8};
    private static final long MIN_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int MAX_PORT = 65_535;
    private static final int MAX_RATE_HZ = 1_000;

    private final Map<Integer, int[]> ladderByTypeIdMap = new TreeMap<>();
    private final Map<Integer, String> nameByCounterIdMap = new TreeMap<>();
    private final List<IntervalListener> intervalListeners = new ArrayList<>();
    private Path histogramLog;
    private long intervalNs = INTERVAL_NS_DEFAULT;
    private int metricsPort = NO_PORT;
    private InetAddress metricsAddress = InetAddress.getLoopbackAddress();
    private URI otlpUrl;
    private long otlpIntervalNs;
    private long otlpTimeoutNs;
    private long stallLimitNs = STALL_LIMIT_NS_DEFAULT;
    private long stallWarmUp = STALL_WARM_UP_DEFAULT;
    private Consumer<Stall> stallHook;
    private boolean isGoverned = true;
    private boolean isConcluded;

    /**
     * Write interval histograms to a file that HdrHistogram's tools read. Default: no file.
     *
     * @param file of the log, which is overwritten.
     */
    public MonitorContext histogramLog(final Path file)
    {
        checkNotFrozen();
        histogramLog = file;
        return this;
    }

    /**
     * Add a receiver of interval histograms. A recorder has one reader. To get its histograms in addition to a log, an
     * exporter or a console, add a receiver here. Default: none.
     *
     * @param listener to call at the end of each interval.
     */
    public MonitorContext intervals(final IntervalListener listener)
    {
        checkNotFrozen();
        intervalListeners.add(Objects.requireNonNull(listener, "listener"));
        return this;
    }

    /** Receivers of interval histograms. */
    public List<IntervalListener> intervalListeners()
    {
        return Collections.unmodifiableList(intervalListeners);
    }

    /**
     * Length of a histogram interval. A short one shows short disturbances and makes a larger file.
     *
     * @param ns nanoseconds, at least 100 ms.
     */
    public MonitorContext intervalNs(final long ns)
    {
        checkNotFrozen();
        ConfigException.check(ns >= MIN_INTERVAL_NS, "intervalNs", ns, "use at least " + MIN_INTERVAL_NS);
        intervalNs = ns;
        return this;
    }

    /**
     * Send the metrics to a collector of OpenTelemetry, by OTLP over HTTP. Default: not sent. Exports that fail are
     * counted, and logged once per minute.
     *
     * @param url        of the collector, with its path {@code /v1/metrics} if it has no path.
     * @param intervalNs from one export to the next.
     * @param timeoutNs  after which an export has failed.
     */
    public MonitorContext otlp(final String url, final long intervalNs, final long timeoutNs)
    {
        checkNotFrozen();
        otlpUrl = Endpoints.parseUrl("otlp", url);
        otlpIntervalNs = intervalNs;
        otlpTimeoutNs = timeoutNs;
        return this;
    }

    /**
     * Serve {@code /metrics} in Prometheus' text format, {@code /health} and {@code /ready}. Default: not served.
     *
     * @param port to listen on, 0 for any free one.
     */
    public MonitorContext metricsPort(final int port)
    {
        checkNotFrozen();
        ConfigException.check(port >= 0 && port <= MAX_PORT, "metricsPort", port, "use 0 to " + MAX_PORT);
        metricsPort = port;
        return this;
    }

    /**
     * The address that {@link #metricsPort(int)} listens on. Default: the loopback interface. At any other address,
     * every host that can reach it can read the metrics, because requests are not authenticated: {@code Engine.launch}
     * warns.
     *
     * @param host name or address of an interface of this host; 0.0.0.0 for all, as in a container.
     */
    public MonitorContext metricsHost(final String host)
    {
        checkNotFrozen();
        try
        {
            metricsAddress = InetAddress.getByName(host);
        }
        catch (final UnknownHostException ex)
        {
            throw new ConfigException("metricsHost", host, "use a name or an address of this host", ex);
        }
        return this;
    }

    /**
     * The watchdog: a loop stalls when a turn exceeds a limit.
     *
     * @param ns   limit in nanoseconds.
     * @param hook receives each stall, in the monitor's thread, and must not block. Null for the error handler.
     */
    public MonitorContext stalls(final long ns, final Consumer<Stall> hook)
    {
        checkNotFrozen();
        ConfigException.check(ns > 0, "stalls", ns, "use a positive limit");
        stallLimitNs = ns;
        stallHook = hook;
        return this;
    }

    /**
     * The first turns of a loop, in which it loads classes and its code is interpreted: they may take a second before
     * the watchdog reports them. Default: {@value #STALL_WARM_UP_DEFAULT}.
     *
     * @param turns with work, 0 to judge from the first turn.
     */
    public MonitorContext stallWarmUp(final long turns)
    {
        checkNotFrozen();
        ConfigException.check(turns >= 0, "stallWarmUp", turns, "use a number of turns, or 0");
        stallWarmUp = turns;
        return this;
    }

    /**
     * Whether the governor lowers the frame rates of a loop that is overloaded. Default: true.
     *
     * @param value whether it does.
     */
    public MonitorContext governor(final boolean value)
    {
        checkNotFrozen();
        isGoverned = value;
        return this;
    }

    /**
     * The frame rates to which the governor caps a room type, one after the other. Default: 60, 30, 15, 8.
     *
     * @param typeId  of the rooms.
     * @param ratesHz in descending order. The first is the normal rate and no cap. With fewer than two rates the type
     *                is not governed.
     */
    public MonitorContext ladder(final int typeId, final int... ratesHz)
    {
        checkNotFrozen();
        for (int i = 0; i < ratesHz.length; i++)
        {
            ConfigException.check(
                ratesHz[i] > 0 && ratesHz[i] <= MAX_RATE_HZ && (0 == i || ratesHz[i] < ratesHz[i - 1]),
                "ladder of type " + typeId, ratesHz[i], "use descending rates from 1 to " + MAX_RATE_HZ + " Hz");
        }
        ladderByTypeIdMap.put(typeId, ratesHz.clone());
        return this;
    }

    /**
     * Name a counter of rooms ({@code Room.count}). It is then published for each loop alongside the engine's counters.
     * Counts under ids without a name are added up in one counter. The metric is
     * {@code escapement_loop_room_counts_total}, with the name as its label {@code counter}.
     *
     * @param counterId that rooms pass to {@code Room.count}.
     * @param name      of the counter, which no other counter of a loop has.
     */
    public MonitorContext counter(final int counterId, final String name)
    {
        checkNotFrozen();
        final String before = nameByCounterIdMap.putIfAbsent(counterId, name);
        ConfigException.check(null == before, "counter", counterId, "named " + before + " already, choose another id");
        return this;
    }

    /** Names of rooms' counters, by counter id. */
    public Map<Integer, String> counters()
    {
        return Collections.unmodifiableMap(nameByCounterIdMap);
    }

    /** URL of the collector that metrics are sent to, or null. */
    public URI otlpUrl()
    {
        return otlpUrl;
    }

    /** Time from one export to the next. */
    public long otlpIntervalNs()
    {
        return otlpIntervalNs;
    }

    /** Time after which an export has failed. */
    public long otlpTimeoutNs()
    {
        return otlpTimeoutNs;
    }

    /** Port of the exporter, 0 for any free one, or {@link #NO_PORT}. */
    public int metricsPort()
    {
        return metricsPort;
    }

    /** Address that the exporter listens on. */
    public InetAddress metricsAddress()
    {
        return metricsAddress;
    }

    /** File of the interval histograms, or null. */
    public Path histogramLog()
    {
        return histogramLog;
    }

    /** Length of a histogram interval, in nanoseconds. */
    public long intervalNs()
    {
        return intervalNs;
    }

    /** The first turns of a loop, which may take a second. */
    public long stallWarmUp()
    {
        return stallWarmUp;
    }

    /** Limit of a turn, in nanoseconds. */
    public long stallLimitNs()
    {
        return stallLimitNs;
    }

    /** Receiver of stalls, or null for the error handler. */
    public Consumer<Stall> stallHook()
    {
        return stallHook;
    }

    /** Whether the governor lowers frame rates under overload. */
    public boolean isGoverned()
    {
        return isGoverned;
    }

    /**
     * The frame rates of a room type.
     *
     * @param typeId of the rooms.
     * @return the rates in Hz, in descending order.
     */
    public int[] ladderOf(final int typeId)
    {
        return ladderByTypeIdMap.getOrDefault(typeId, LADDER_DEFAULT).clone();
    }

    /** Refuse what this host does not have, and freeze this context. {@code Engine.launch} calls this. */
    public void conclude()
    {
        if (NO_PORT != metricsPort)
        {
            Endpoints.checkTcp("metricsHost", "metricsPort", new InetSocketAddress(metricsAddress, metricsPort));
        }
        if (null != histogramLog)
        {
            PrivateFiles.checkFile("histogramLog", histogramLog);
        }
        isConcluded = true;
    }

    private void checkNotFrozen()
    {
        if (isConcluded)
        {
            throw new IllegalStateException("the context is frozen: an engine was launched with it");
        }
    }
}
