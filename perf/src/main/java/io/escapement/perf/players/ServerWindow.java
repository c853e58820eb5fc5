package io.escapement.perf.players;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.Engine;
import io.escapement.perf.process.CompilerTime;
import io.escapement.perf.process.Findings;
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
import org.HdrHistogram.Histogram;

/** What the engine counted from a beginning to an end. In the main thread of its process, beside the engine. */
final class ServerWindow
{
    private static final String EDGE = "escapement edge: ";
    private static final String JVM = "escapement jvm: ";
    private static final String REFUSED = "refused ";
    private static final int INTERVALS = 40;
    private static final long LEAST_INTERVAL_MS = 100;
    private static final int LADDER_LIMIT = 64;
    private static final Path STATUS = Path.of("/proc/self/status");

    private final OperatingSystemMXBean system =
        (OperatingSystemMXBean)ManagementFactory.getOperatingSystemMXBean();
    private final ThreadMXBean threadBean = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final Engine engine;
    private final Tallies tallies;
    private final DriverShare driver;
    private final List<Thread> threads;
    private final AtomicInteger errors;
    private final int loops;
    private final long intervalNs;
    private final List<Histogram> lateness = new ArrayList<>();
    private final List<long[]> ladder = new ArrayList<>();
    private final Map<String, Long> before;
    private final long startNs;
    private final Map<TurnTally, Long> missedTurnsBefore = new LinkedHashMap<>();
    private final long statesBefore;
    private Map<String, Long> after;
    private long endNs;
    private long takenNs;

    ServerWindow(
        final Engine engine,
        final Tallies tallies,
        final DriverShare driver,
        final List<Thread> threads,
        final int loops,
        final int durationMs,
        final AtomicInteger errors)
    {
        this.engine = engine;
        this.tallies = tallies;
        this.driver = driver;
        this.threads = threads;
        this.loops = loops;
        this.errors = errors;
        intervalNs = TimeUnit.MILLISECONDS.toNanos(Math.max(LEAST_INTERVAL_MS, durationMs / INTERVALS));
        tallies.all().forEach((tally) -> missedTurnsBefore.put(tally, tally.missedTurns()));
        statesBefore = sum(TurnTally::states);
        for (int i = 0; i < loops; i++)
        {
            // What was recorded so far is the warm-up's.
            engine.recorder(i).frameLateness().getIntervalHistogram();
        }
        before = counts();
        startNs = System.nanoTime();
        takenNs = startNs;
        tallies.count(true);
    }

    /** Take what has to be looked at now and then. */
    void look()
    {
        final long nowNs = System.nanoTime();
        if (null != after)
        {
            return;
        }
        if (nowNs - takenNs >= intervalNs)
        {
            takenNs = nowNs;
            takeLateness();
        }
        long level = 0;
        for (int i = 0; i < loops; i++)
        {
            level = Math.max(level, level(i));
        }
        final long last = ladder.isEmpty() ? 0 : ladder.get(ladder.size() - 1)[1];
        if (level != last && ladder.size() < LADDER_LIMIT)
        {
            ladder.add(new long[]{TimeUnit.NANOSECONDS.toMillis(nowNs - startNs), level});
        }
    }

    /** The end: what has happened until now counts. */
    void end()
    {
        tallies.count(false);
        endNs = System.nanoTime();
        after = counts();
        takeLateness();
    }

    /** What it found, a moment after the end, when the states of the last turn have been counted too. */
    Findings findings()
    {
        final Findings findings = new Findings()
            .put(PlayersRun.SERVER_NS, endNs - startNs)
            .put(PlayersRun.STATES_SENT, sum(TurnTally::states) - statesBefore)
            .put(PlayersRun.RSS_KB, rssKb())
            .put(PlayersRun.ERRORS, errors.get() + (engine.isAlive() ? 0 : 1))
            .put(PlayersRun.ROOM_FRAMES, lateness.stream().mapToLong(Histogram::getTotalCount).sum());
        after.forEach((name, value) ->
        {
            final long delta = value - before.getOrDefault(name, 0L);
            if (0 != delta || !isOptional(name))
            {
                findings.put(name, delta);
            }
        });
        findings.put(PlayersRun.LADDER, ladder.size());
        for (int i = 0; i < ladder.size(); i++)
        {
            findings.put(PlayersRun.LADDER + "." + i + ".atMs", ladder.get(i)[0])
                .put(PlayersRun.LADDER + "." + i + ".level", ladder.get(i)[1]);
        }
        missedTurns(findings);
        return findings.add(PlayersRun.LATENESS, lateness.toArray(new Histogram[0]));
    }

    /** Not every code has a counter, and not every JVM tells of its safepoints. */
    private static boolean isOptional(final String name)
    {
        return name.startsWith(PlayersRun.SHED) || name.startsWith(PlayersRun.ROOM_REFUSED) ||
            name.startsWith(PlayersRun.SAFEPOINTS);
    }

    private void missedTurns(final Findings findings)
    {
        long turns = 0;
        int told = 0;
        for (final TurnTally tally : tallies.all())
        {
            final long toldBefore = missedTurnsBefore.getOrDefault(tally, 0L);
            final long missedTurns = tally.missedTurns();
            turns += missedTurns - toldBefore;
            // Parts of a run follow each other: those of the ones before have been told.
            for (int i = (int)Math.min(TurnTally.KEPT, toldBefore); i < Math.min(TurnTally.KEPT, missedTurns); i++)
            {
                final String name = PlayersRun.MISSED_TURNS + "." + told++ + ".";
                findings.put(name + "atNs", tally.kept(i, TurnTally.AT_NS) - startNs)
                    .put(name + "missed", tally.kept(i, TurnTally.MISSED))
                    .put(name + "gapNs", tally.kept(i, TurnTally.GAP_NS))
                    .put(name + "driverNs", tally.kept(i, TurnTally.DRIVER_NS))
                    .put(name + "moves", tally.kept(i, TurnTally.MOVES))
                    .put(name + "frames", tally.kept(i, TurnTally.FRAMES));
            }
        }
        findings.put(PlayersRun.MISSED_TURNS, turns).put(PlayersRun.MISSED_TURNS_TOLD, told);
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
        counts.put(PlayersRun.SERVER_CPU_NS, system.getProcessCpuTime());
        counts.put(PlayersRun.SERVER_COMPILED_MS, CompilerTime.ms());
        counts.put(PlayersRun.ENGINE_BYTES, driver.othersBytes() + allocated(true));
        counts.put(PlayersRun.KEEPER_BYTES, allocated(false));
        counts.put(PlayersRun.DRIVER_BYTES, driver.bytes());
        counts.put(PlayersRun.DRIVER_NS, driver.ns());
        counts.put(PlayersRun.ACCEPTED, engine.counter(EDGE + "entries accepted"));
        counts.put(PlayersRun.REFUSED, engine.counter(EDGE + "entries refused"));
        counts.put(PlayersRun.SENT_BACK, engine.counter(EDGE + "batches sent back because a ring was full"));
        counts.put(PlayersRun.REFUSALS_UNTOLD, engine.counter(EDGE + "refusals dropped"));
        counts.put(PlayersRun.MISSED, ofLoops("room-frames that never ran"));
        counts.put(PlayersRun.STATES_DROPPED, ofLoops("states dropped"));
        counts.put(PlayersRun.EVENTS_LOST, ofLoops("events lost with their trunk"));
        counts.put(PlayersRun.ROOMS_REFUSED, ofLoops("commands refused"));
        counts.put(PlayersRun.STALLS, ofLoops("stalls"));
        counts.put(PlayersRun.LOOPS_BUSY_NS, ofLoops("nanoseconds at work"));
        counts.put(PlayersRun.SAFEPOINTS, orZero(JVM + "safepoints"));
        counts.put(PlayersRun.SAFEPOINT_NS, orZero(JVM + "nanoseconds in safepoints"));
        // Not every code has a counter: some are never told from there.
        for (final TrunkCode code : TrunkCode.values())
        {
            counts.put(PlayersRun.SHED + code, orZero(EDGE + REFUSED + code));
        }
        for (final RefusalCode code : RefusalCode.values())
        {
            counts.put(PlayersRun.SHED + code, orZero(EDGE + REFUSED + code));
            counts.put(PlayersRun.ROOM_REFUSED + code, ofLoops(REFUSED + code, this::orZero));
        }
        return counts;
    }

    /** Of the loops' own threads, or of the others of the engine; the one with the driver tells by itself. */
    private long allocated(final boolean isOfLoops)
    {
        long bytes = 0;
        for (final Thread thread : threads)
        {
            if (!driver.isCarrier(thread) && isOfLoops == thread.getName().startsWith("escapement-loop-"))
            {
                bytes += Math.max(0, threadBean.getThreadAllocatedBytes(thread.getId()));
            }
        }
        return bytes;
    }

    private long level(final int loop)
    {
        return engine.counter(loop(loop) + "steps down the frame ladder");
    }

    private long ofLoops(final String label)
    {
        return ofLoops(label, engine::counter);
    }

    private long ofLoops(final String label, final ToLongFunction<String> counter)
    {
        long sum = 0;
        for (int i = 0; i < loops; i++)
        {
            sum += counter.applyAsLong(loop(i) + label);
        }
        return sum;
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

    private long sum(final ToLongFunction<TurnTally> value)
    {
        return tallies.all().stream().mapToLong(value).sum();
    }

    private static long rssKb()
    {
        try
        {
            for (final String line : Files.isReadable(STATUS) ? Files.readAllLines(STATUS) : List.<String>of())
            {
                if (line.startsWith("VmRSS:"))
                {
                    return Long.parseLong(line.replaceAll("\\D", ""));
                }
            }
            return PlayersRun.UNKNOWN;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
