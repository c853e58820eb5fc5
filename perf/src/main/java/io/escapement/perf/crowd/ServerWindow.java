package io.escapement.perf.crowd;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.escapement.perf.rig.Control;
import io.escapement.perf.rig.Measurements;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/**
 * The counts of a server in one part of a run. Lives in the main thread of the server's process, next to the server.
 */
abstract class ServerWindow
{
    private static final int INTERVALS = 40;
    private static final long MIN_INTERVAL_MS = 100;
    private static final long SAMPLE_MS = 20;
    private static final Path STATUS = Path.of("/proc/self/status");

    final ThreadMXBean threadBean = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final OperatingSystemMXBean system =
        (OperatingSystemMXBean)ManagementFactory.getOperatingSystemMXBean();
    private final LongAdder statesSent;
    private final List<Supplier<Histogram>> latenessByLoop;
    private final long intervalNs;
    private final int roomsPerFrame;
    private Measurements ofProcess;
    private final List<Histogram> lateness = new ArrayList<>();
    private Map<String, Long> before;
    private long statesBefore;
    private long startNs;
    private Map<String, Long> after;
    private long endNs;
    private long sampledNs;

    /** @param latenessByLoop takes the interval since the last call. */
    ServerWindow(
        final CrowdPlan plan,
        final LongAdder statesSent,
        final List<Supplier<Histogram>> latenessByLoop,
        final int durationMs)
    {
        roomsPerFrame = plan.roomsPerFrame();
        this.statesSent = statesSent;
        this.latenessByLoop = latenessByLoop;
        intervalNs = TimeUnit.MILLISECONDS.toNanos(Math.max(MIN_INTERVAL_MS, durationMs / INTERVALS));
    }

    /**
     * Follow the control lines of the tool until the end of input: they start and end each part.
     *
     * @param opening a window for a part by its duration in milliseconds.
     */
    static void serve(final CrowdPlan plan, final Control control, final IntFunction<ServerWindow> opening)
    {
        ServerWindow window = null;
        String line = control.poll(SAMPLE_MS);
        while (!Control.END_OF_INPUT.equals(line))
        {
            if (Control.BEGIN.equals(line))
            {
                final int durationMs = plan.partMs();
                window = opening.apply(durationMs);
                window.start();
                control.meter().start(durationMs);
                control.send(Control.BEGIN);
            }
            else if (CrowdFigures.END.equals(line))
            {
                window.ofProcess = control.meter().stop();
                window.stop();
                control.send(CrowdFigures.END);
            }
            else if (Control.REPORT.equals(line))
            {
                control.send(window.measurements(), plan.results);
                window = null;
                // Collect here, so that no collection of this part's garbage falls into the next part.
                System.gc();
            }
            else if (null != line)
            {
                control.warm(line);
            }
            else if (null != window && null == window.after)
            {
                window.sample(System.nanoTime());
            }
            line = control.poll(SAMPLE_MS);
        }
    }

    /** Counters of the server, which grow. */
    abstract void count(Map<String, Long> counts);

    /** Faults so far. */
    abstract long errors();

    /** Begin or end to count states and missed frames. */
    abstract void measuring(boolean isMeasuring);

    /** Sample what changes during the part. */
    void sample(final long nowNs)
    {
        if (nowNs - sampledNs >= intervalNs)
        {
            sampledNs = nowNs;
            takeLateness();
        }
    }

    /** The results, a moment after {@link #stop()}, so that the states of the last turn are counted. */
    Measurements measurements()
    {
        final Measurements measurements = new Measurements()
            .put(CrowdFigures.SERVER_NS, endNs - startNs)
            .put(CrowdFigures.STATES_SENT, statesSent.sum() - statesBefore)
            .put(CrowdFigures.RSS_KB, rssKb())
            .put(CrowdFigures.ERRORS, errors())
            .put(CrowdFigures.ROOMS_PER_FRAME, roomsPerFrame)
            .put(CrowdFigures.ROOM_FRAMES, lateness.stream().mapToLong(Histogram::getTotalCount).sum());
        after.forEach((name, value) ->
        {
            final long delta = value - before.getOrDefault(name, 0L);
            // Not every code has a counter.
            if (0 != delta || !name.contains("."))
            {
                measurements.put(name, delta);
            }
        });
        return measurements.add(CrowdFigures.LATENESS, lateness.toArray(new Histogram[0])).addAll(ofProcess);
    }

    final long startNs()
    {
        return startNs;
    }

    /** Start to count. */
    private void start()
    {
        statesBefore = statesSent.sum();
        // Discard the values recorded before this part.
        latenessByLoop.forEach(Supplier::get);
        before = counts();
        startNs = System.nanoTime();
        sampledNs = startNs;
        measuring(true);
    }

    /** Stop counting. */
    private void stop()
    {
        measuring(false);
        endNs = System.nanoTime();
        after = counts();
        takeLateness();
    }

    private Map<String, Long> counts()
    {
        final Map<String, Long> counts = new LinkedHashMap<>();
        counts.put(CrowdFigures.SERVER_CPU_NS, system.getProcessCpuTime());
        count(counts);
        return counts;
    }

    private void takeLateness()
    {
        for (final Supplier<Histogram> ofLoop : latenessByLoop)
        {
            final Histogram interval = ofLoop.get();
            if (0 != interval.getTotalCount())
            {
                lateness.add(interval);
            }
        }
    }

    private static long rssKb()
    {
        try (Stream<String> lines = Files.isReadable(STATUS) ? Files.lines(STATUS) : Stream.empty())
        {
            return lines.filter((line) -> line.startsWith("VmRSS:")).findFirst()
                .map((line) -> Long.parseLong(line.replaceAll("\\D", ""))).orElse(CrowdFigures.UNKNOWN);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
