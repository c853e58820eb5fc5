package io.escapement.perf.crowd;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.Engine;
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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.HdrHistogram.Histogram;

/** The engine's counts in one part of a run. Lives in the main thread of the server's process, beside the engine. */
final class EngineWindow
{
    private static final String EDGE = "escapement edge: ";
    private static final String JVM = "escapement jvm: ";
    private static final String REFUSED = "refused ";
    private static final int INTERVALS = 40;
    private static final long MIN_INTERVAL_MS = 100;
    private static final int LADDER_LIMIT = 64;
    private static final Path STATUS = Path.of("/proc/self/status");

    private final OperatingSystemMXBean system =
        (OperatingSystemMXBean)ManagementFactory.getOperatingSystemMXBean();
    private final ThreadMXBean threadBean = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final Engine engine;
    private final TurnRecorders recorders;
    private final DriverMeter driver;
    private final List<Thread> threads;
    private final AtomicInteger errors;
    private final int loops;
    private final long intervalNs;
    private final List<Histogram> lateness = new ArrayList<>();
    /** Changes of the frame ladder. */
    private final Measurements ladder = new Measurements();
    private final Map<String, Long> before;
    private final long startNs;
    private final Map<TurnRecorder, Long> lateTurnsBefore = new LinkedHashMap<>();
    private final long statesBefore;
    private int ladderChanges;
    private long ladderLevel;
    private Map<String, Long> after;
    private long endNs;
    private long sampledNs;

    /** Start to count. */
    EngineWindow(
        final Engine engine,
        final TurnRecorders recorders,
        final DriverMeter driver,
        final List<Thread> threads,
        final AtomicInteger errors,
        final int loops,
        final int durationMs)
    {
        this.engine = engine;
        this.recorders = recorders;
        this.driver = driver;
        this.threads = threads;
        this.errors = errors;
        this.loops = loops;
        intervalNs = TimeUnit.MILLISECONDS.toNanos(Math.max(MIN_INTERVAL_MS, durationMs / INTERVALS));
        recorders.all.forEach((recorder) -> lateTurnsBefore.put(recorder, recorder.lateTurns.get()));
        statesBefore = statesSent();
        for (int i = 0; i < loops; i++)
        {
            // Discard the values recorded before this part.
            engine.recorder(i).frameLateness().getIntervalHistogram();
        }
        before = counts();
        startNs = System.nanoTime();
        sampledNs = startNs;
        recorders.isMeasuring = true;
    }

    /** Sample what changes during the part: lateness and the frame ladder. */
    void sample()
    {
        if (null != after)
        {
            return;
        }
        final long nowNs = System.nanoTime();
        if (nowNs - sampledNs >= intervalNs)
        {
            sampledNs = nowNs;
            takeLateness();
        }
        final long level = IntStream.range(0, loops)
            .mapToLong((i) -> engine.counter(loop(i) + "steps down the frame ladder")).max().orElse(0);
        if (level != ladderLevel && ladderChanges < LADDER_LIMIT)
        {
            final String name = CrowdFigures.LADDER + "." + ladderChanges++ + ".";
            ladder.put(name + "atMs", TimeUnit.NANOSECONDS.toMillis(nowNs - startNs)).put(name + "level", level);
            ladderLevel = level;
        }
    }

    /** Stop counting. */
    void stop()
    {
        recorders.isMeasuring = false;
        endNs = System.nanoTime();
        after = counts();
        takeLateness();
    }

    /** The results, a moment after {@link #stop()}, so that the states of the last turn are counted. */
    Measurements measurements()
    {
        final Measurements measurements = new Measurements()
            .put(CrowdFigures.SERVER_NS, endNs - startNs)
            .put(CrowdFigures.STATES_SENT, statesSent() - statesBefore)
            .put(CrowdFigures.RSS_KB, rssKb())
            .put(CrowdFigures.ERRORS, errors.get() + (engine.isAlive() ? 0 : 1))
            .put(CrowdFigures.ROOM_FRAMES, lateness.stream().mapToLong(Histogram::getTotalCount).sum());
        after.forEach((name, value) ->
        {
            final long delta = value - before.getOrDefault(name, 0L);
            if (0 != delta || !isOptional(name))
            {
                measurements.put(name, delta);
            }
        });
        addLateTurns(measurements.put(CrowdFigures.LADDER, ladderChanges).addAll(ladder));
        return measurements.add(CrowdFigures.LATENESS, lateness.toArray(new Histogram[0]));
    }

    /** Not every code has a counter, and not every JVM reports safepoints. */
    private static boolean isOptional(final String name)
    {
        return name.startsWith(CrowdFigures.SHED) || name.startsWith(CrowdFigures.ROOM_REFUSED) ||
            name.startsWith(CrowdFigures.SAFEPOINTS);
    }

    private void addLateTurns(final Measurements measurements)
    {
        long turns = 0;
        int listed = 0;
        for (final TurnRecorder recorder : recorders.all)
        {
            final long first = lateTurnsBefore.getOrDefault(recorder, 0L);
            final long end = recorder.lateTurns.get();
            turns += end - first;
            for (int i = (int)Math.min(TurnRecorder.LIMIT, first); i < Math.min(TurnRecorder.LIMIT, end); i++)
            {
                final String name = CrowdFigures.MISSED_TURNS + "." + listed++ + ".";
                final TurnRecorder.LateTurn turn = recorder.kept[i];
                measurements.put(name + "atNs", turn.atNs - startNs)
                    .put(name + "missed", turn.missed)
                    .put(name + "gapNs", turn.gapNs)
                    .put(name + "driverNs", turn.driverNs)
                    .put(name + "moves", turn.moves)
                    .put(name + "frames", turn.frames);
            }
        }
        measurements.put(CrowdFigures.MISSED_TURNS, turns).put(CrowdFigures.MISSED_TURNS_LISTED, listed);
    }

    private void takeLateness()
    {
        for (int i = 0; i < loops; i++)
        {
            final Histogram interval = engine.recorder(i).frameLateness().getIntervalHistogram();
            if (0 != interval.getTotalCount())
            {
                lateness.add(interval);
            }
        }
    }

    private Map<String, Long> counts()
    {
        final Map<String, Long> counts = new LinkedHashMap<>();
        counts.put(CrowdFigures.SERVER_CPU_NS, system.getProcessCpuTime());
        counts.put(CrowdFigures.SERVER_COMPILED_MS, Control.compiledMs());
        counts.put(CrowdFigures.ENGINE_BYTES, driver.engineBytes.get() + allocated(true));
        counts.put(CrowdFigures.MONITOR_BYTES, allocated(false));
        counts.put(CrowdFigures.DRIVER_BYTES, driver.bytes.get());
        counts.put(CrowdFigures.DRIVER_NS, driver.ns.get());
        counts.put(CrowdFigures.ACCEPTED, engine.counter(EDGE + "entries accepted"));
        counts.put(CrowdFigures.REFUSED, engine.counter(EDGE + "entries refused"));
        counts.put(CrowdFigures.SENT_BACK, engine.counter(EDGE + "batches sent back because a ring was full"));
        counts.put(CrowdFigures.REFUSALS_UNSENT, engine.counter(EDGE + "refusals dropped"));
        counts.put(CrowdFigures.MISSED, ofLoops("room-frames that never ran"));
        counts.put(CrowdFigures.STATES_DROPPED, ofLoops("states dropped"));
        counts.put(CrowdFigures.EVENTS_LOST, ofLoops("events lost with their trunk"));
        counts.put(CrowdFigures.ROOMS_REFUSED, ofLoops("commands refused"));
        counts.put(CrowdFigures.STALLS, ofLoops("stalls"));
        counts.put(CrowdFigures.LOOPS_BUSY_NS, ofLoops("nanoseconds at work"));
        counts.put(CrowdFigures.SAFEPOINTS, orZero(JVM + "safepoints"));
        counts.put(CrowdFigures.SAFEPOINT_NS, orZero(JVM + "nanoseconds in safepoints"));
        for (final TrunkCode code : TrunkCode.values())
        {
            counts.put(CrowdFigures.SHED + code, orZero(EDGE + REFUSED + code));
        }
        for (final RefusalCode code : RefusalCode.values())
        {
            counts.put(CrowdFigures.SHED + code, orZero(EDGE + REFUSED + code));
            counts.put(CrowdFigures.ROOM_REFUSED + code, ofLoops(REFUSED + code, this::orZero));
        }
        return counts;
    }

    /** Bytes allocated by the loops' threads, or by the engine's others; the driver's thread has its own meter. */
    private long allocated(final boolean isOfLoops)
    {
        long bytes = 0;
        for (final Thread thread : threads)
        {
            if (driver.carrier != thread && isOfLoops == thread.getName().startsWith("escapement-loop-"))
            {
                bytes += Math.max(0, threadBean.getThreadAllocatedBytes(thread.getId()));
            }
        }
        return bytes;
    }

    private long ofLoops(final String label)
    {
        return ofLoops(label, engine::counter);
    }

    private long ofLoops(final String label, final ToLongFunction<String> counter)
    {
        return IntStream.range(0, loops).mapToLong((i) -> counter.applyAsLong(loop(i) + label)).sum();
    }

    private long orZero(final String label)
    {
        try
        {
            return engine.counter(label);
        }
        catch (final IllegalArgumentException ex)
        {
            return 0;
        }
    }

    private static String loop(final int number)
    {
        return "escapement loop " + number + ": ";
    }

    private long statesSent()
    {
        return recorders.all.stream().mapToLong((recorder) -> recorder.states.get()).sum();
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
