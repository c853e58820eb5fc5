package io.escapement.arena.program;

import io.escapement.engine.Engine;
import io.escapement.engine.monitor.LoopRecorder;
import java.lang.management.ManagementFactory;
import org.HdrHistogram.Histogram;

/** Statistics of a server for the interval since the last call. Used by the monitor's thread. */
final class ServerStats
{
    private static final double NS_A_MS = 1e6;
    private static final double NS_A_SECOND = 1e9;

    private final Engine engine;
    private final boolean isReadingHistograms;
    private final int loops;
    private final Histogram lateness = new Histogram(1, 60_000_000_000L, 3);
    private final Histogram[] intervals;
    private long lastNs = System.nanoTime();
    private long lastCommands;
    private long lastFrames;
    private long lastMissed;
    private long lastCpuNs;

    ServerStats(final ArenaServer server, final boolean isReadingHistograms)
    {
        engine = server.engine();
        this.isReadingHistograms = isReadingHistograms;
        loops = engine.loops();
        intervals = new Histogram[loops];
    }

    Line next()
    {
        final long nowNs = System.nanoTime();
        final double seconds = (nowNs - lastNs) / NS_A_SECOND;
        lastNs = nowNs;
        final long commands = sum("commands");
        final long frames = sum("room-frames run");
        final long missed = sum("room-frames that never ran");
        final long cpuNs = ((com.sun.management.OperatingSystemMXBean)ManagementFactory.getOperatingSystemMXBean())
            .getProcessCpuTime();
        lateness.reset();
        for (int i = 0; isReadingHistograms && i < loops; i++)
        {
            final LoopRecorder recorder = engine.recorder(i);
            intervals[i] = recorder.frameLateness().getIntervalHistogram(intervals[i]);
            lateness.add(intervals[i]);
        }
        final Line line = new Line(ServeCommand.STATS)
            .put("rooms", sum("rooms open") - 1)
            .put("trunks", engine.counter("escapement edge: trunks up"))
            .put("commands", (commands - lastCommands) / seconds)
            .put("frames", frames - lastFrames)
            .put("framesPerSecond", (frames - lastFrames) / seconds)
            .put("missed", missed - lastMissed)
            .put("late50", lateness.getValueAtPercentile(50) / NS_A_MS)
            .put("late99", lateness.getValueAtPercentile(99) / NS_A_MS)
            .put("late999", lateness.getValueAtPercentile(99.9) / NS_A_MS)
            .put("dropped", sum("states dropped"))
            .put("failed", sum("rooms failed"))
            .put("cpu", (cpuNs - lastCpuNs) / NS_A_SECOND / seconds);
        lastCommands = commands;
        lastFrames = frames;
        lastMissed = missed;
        lastCpuNs = cpuNs;
        return line;
    }

    private long sum(final String what)
    {
        long sum = 0;
        for (int i = 0; i < loops; i++)
        {
            sum += engine.counter("escapement loop " + i + ": " + what);
        }
        return sum;
    }
}
