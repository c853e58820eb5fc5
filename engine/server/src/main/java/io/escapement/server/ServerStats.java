package io.escapement.server;

import io.escapement.engine.Engine;
import io.escapement.engine.WarmUp;
import io.escapement.engine.monitor.MonitorContext;
import java.lang.management.ManagementFactory;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;

/**
 * Statistics of a server for the interval since the last call. The monitor's thread brings the histograms, and the
 * thread of jobs calls.
 */
final class ServerStats implements MonitorContext.IntervalListener
{
    private static final double NS_A_MS = 1e6;
    private static final double NS_A_SECOND = 1e9;

    private final Game game;
    private final Histogram lateness = new Histogram(1, 60_000_000_000L, 3);
    private long lastNs;
    private long lastCommands;
    private long lastFrames;
    private long lastMissed;
    private long lastCpuNs;
    private long lastCompiledMs = WarmUp.compiledMs();
    private double late50Ms;
    private double late99Ms;
    private double late999Ms;

    ServerStats(final Game game, final long nowNs)
    {
        this.game = game;
        lastNs = nowNs;
    }

    @Override
    public void onInterval(final int loop, final String measurement, final Histogram interval)
    {
        if ("frameLateness".equals(measurement))
        {
            synchronized (lateness)
            {
                lateness.add(interval);
            }
        }
    }

    StatisticsLine next(final Engine engine)
    {
        final long cpuNs = ((com.sun.management.OperatingSystemMXBean)ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime();
        return next(engine.loops(), engine::counter, System.nanoTime(), cpuNs);
    }

    StatisticsLine next(final int loops, final ToLongFunction<String> counters, final long nowNs, final long cpuNs)
    {
        final double seconds = (nowNs - lastNs) / NS_A_SECOND;
        lastNs = nowNs;
        final long commands = sum(loops, counters, "commands");
        final long frames = sum(loops, counters, game.frames());
        // The few of other rooms included.
        final long missed = sum(loops, counters, "room-frames that never ran");
        synchronized (lateness)
        {
            // The monitor's interval is also a second, and may finish just after this.
            if (0 != lateness.getTotalCount())
            {
                late50Ms = lateness.getValueAtPercentile(50) / NS_A_MS;
                late99Ms = lateness.getValueAtPercentile(99) / NS_A_MS;
                late999Ms = lateness.getValueAtPercentile(99.9) / NS_A_MS;
                lateness.reset();
            }
        }
        final long compiledMs = WarmUp.compiledMs();
        final StatisticsLine line = new StatisticsLine(ServeCommand.STATS)
            .put("rooms", Math.max(0, sum(loops, counters, "rooms open") - game.otherRooms()))
            .put("trunks", counters.applyAsLong("escapement edge: trunks up"))
            .put("commands", (commands - lastCommands) / seconds)
            .put("seconds", seconds)
            .put("frames", frames - lastFrames)
            .put("framesPerSecond", (frames - lastFrames) / seconds)
            .put("missed", missed - lastMissed)
            .put("late50", late50Ms)
            .put("late99", late99Ms)
            .put("late999", late999Ms)
            .put("dropped", sum(loops, counters, "states dropped"))
            .put("failed", sum(loops, counters, "rooms failed"))
            .put("cpu", (cpuNs - lastCpuNs) / NS_A_SECOND / seconds)
            .put("compiled", compiledMs - lastCompiledMs);
        lastCommands = commands;
        lastFrames = frames;
        lastMissed = missed;
        lastCpuNs = cpuNs;
        lastCompiledMs = compiledMs;
        return line;
    }

    private static long sum(final int loops, final ToLongFunction<String> counters, final String what)
    {
        long sum = 0;
        for (int i = 0; i < loops; i++)
        {
            sum += counters.applyAsLong("escapement loop " + i + ": " + what);
        }
        return sum;
    }
}
