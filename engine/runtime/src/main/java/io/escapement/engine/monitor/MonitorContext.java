package io.escapement.engine.monitor;

import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** How an engine is watched. */
public final class MonitorContext
{
    /** No exporter. */
    public static final int NO_PORT = -1;

    private static final int[] DEFAULT_LADDER = {60, 30, 15, 8};
    private static final int MAX_PORT = 65_535;
    private static final int MAX_RATE_HZ = 1_000;

    private final Map<Integer, int[]> ladderByTypeIdMap = new TreeMap<>();
    private final Map<Integer, String> nameByCounterIdMap = new TreeMap<>();
    private Path histogramLog;
    private long intervalNs = TimeUnit.SECONDS.toNanos(1);
    private int metricsPort = NO_PORT;
    private long stallLimitNs = TimeUnit.MILLISECONDS.toNanos(100);
    private Consumer<Stall> stallHook;
    private boolean isGoverned = true;

    /**
     * Write the histograms of every interval to a file. Off unless set.
     *
     * @param file of the log; what is there is written over.
     * @return this.
     */
    public MonitorContext histogramLog(final Path file)
    {
        histogramLog = file;
        return this;
    }

    /**
     * How often the histograms are taken: a shorter interval shows more, and costs the file.
     *
     * @param ns nanoseconds, at least 100 ms.
     * @return this.
     */
    public MonitorContext intervalNs(final long ns)
    {
        check(ns >= TimeUnit.MILLISECONDS.toNanos(100), "intervalNs", ns);
        intervalNs = ns;
        return this;
    }

    /**
     * Serve metrics for Prometheus, {@code /health} and {@code /ready} on the loopback interface. Off unless set.
     *
     * @param port to listen on, 0 for any that is free.
     * @return this.
     */
    public MonitorContext metricsPort(final int port)
    {
        check(port >= 0 && port <= MAX_PORT, "metricsPort", port);
        metricsPort = port;
        return this;
    }

    /**
     * After how long in one turn a loop counts as stalled.
     *
     * @param ns   nanoseconds.
     * @param hook told of each stall, in the keeper's thread; null to tell the error handler.
     * @return this.
     */
    public MonitorContext stalls(final long ns, final Consumer<Stall> hook)
    {
        check(ns > 0, "stalls", ns);
        stallLimitNs = ns;
        stallHook = hook;
        return this;
    }

    /**
     * Whether frame rates go down when a loop has too much to do. They do unless this is set to false.
     *
     * @param value whether they do.
     * @return this.
     */
    public MonitorContext governor(final boolean value)
    {
        isGoverned = value;
        return this;
    }

    /**
     * The rates of a room type, 60, 30, 15 and 8 unless set.
     *
     * @param typeId  of the rooms.
     * @param ratesHz highest first; the first is not enforced. One alone, or none, and the type is not governed.
     * @return this.
     */
    public MonitorContext ladder(final int typeId, final int... ratesHz)
    {
        for (int i = 0; i < ratesHz.length; i++)
        {
            check(ratesHz[i] > 0 && ratesHz[i] <= MAX_RATE_HZ && (0 == i || ratesHz[i] < ratesHz[i - 1]),
                "ladder of type " + typeId, ratesHz[i]);
        }
        ladderByTypeIdMap.put(typeId, ratesHz.clone());
        return this;
    }

    /**
     * Name what rooms count under a number, so that it is shown beside the engine's own counters, for each loop. What
     * is counted under no name is added up in one.
     *
     * @param counterId as {@code Room.count} is told it.
     * @param name      in plain words.
     * @return this.
     */
    public MonitorContext counter(final int counterId, final String name)
    {
        final String before = nameByCounterIdMap.putIfAbsent(counterId, name);
        if (null != before)
        {
            throw new IllegalArgumentException("counter " + counterId + ": " + before + " already");
        }
        return this;
    }

    /**
     * What rooms count.
     *
     * @return the names by number.
     */
    public Map<Integer, String> counters()
    {
        return Collections.unmodifiableMap(nameByCounterIdMap);
    }

    /**
     * The port of the exporter.
     *
     * @return the port, 0 for any, or {@link #NO_PORT}.
     */
    public int metricsPort()
    {
        return metricsPort;
    }

    /**
     * The file that interval histograms are written to, or null.
     *
     * @return the file that interval histograms are written to, or null.
     */
    public Path histogramLog()
    {
        return histogramLog;
    }

    /**
     * How often histograms are taken, in nanoseconds.
     *
     * @return how often histograms are taken, in nanoseconds.
     */
    public long intervalNs()
    {
        return intervalNs;
    }

    /**
     * How long a turn may take before its loop counts as stalled, in nanoseconds.
     *
     * @return how long a turn may take before its loop counts as stalled, in nanoseconds.
     */
    public long stallLimitNs()
    {
        return stallLimitNs;
    }

    /**
     * Receives stalls, or null if the error handler does.
     *
     * @return receives stalls, or null if the error handler does.
     */
    public Consumer<Stall> stallHook()
    {
        return stallHook;
    }

    /**
     * Whether the governor lowers frame rates under load.
     *
     * @return whether the governor lowers frame rates under load.
     */
    public boolean isGoverned()
    {
        return isGoverned;
    }

    /**
     * The rates of a room type, highest first.
     *
     * @param typeId of the rooms.
     * @return the rates in Hz.
     */
    public int[] ladderOf(final int typeId)
    {
        return ladderByTypeIdMap.getOrDefault(typeId, DEFAULT_LADDER);
    }

    private static void check(final boolean isRight, final String option, final long value)
    {
        if (!isRight)
        {
            throw new IllegalArgumentException(option + ": " + value);
        }
    }
}
