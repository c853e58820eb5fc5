package io.escapement.perf.rig;

import io.escapement.engine.Engine;
import io.escapement.engine.monitor.LoopRecorder;
import io.escapement.engine.monitor.MonitorContext;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * The records of an engine's loops in a measured part: their turns, how long commands waited for them, and the lateness
 * of frames. A recorder has one reader. If a console observes the engine, the reader is the monitor. The monitor's
 * thread brings the intervals here up to a second late.
 */
public final class LoopMeter implements MonitorContext.IntervalListener
{
    /** Turns that ran commands. */
    public static final String TURNS = "turns";
    /** Series: time of a command in the ring until its turn. */
    public static final String RING_WAIT = "ringWait";
    /** Series: time of a turn from its proposal until it runs, of durable loops. */
    public static final String COMMIT_WAIT = "commitWait";

    private static final String FRAME_LATENESS = "frameLateness";
    private static final String TURN_COMMANDS = "turnCommands";
    /** By the names of the monitor. */
    private static final Map<String, Function<LoopRecorder, SingleWriterRecorder>> RECORDER_BY_NAME_MAP = Map.of(
        FRAME_LATENESS, LoopRecorder::frameLateness,
        RING_WAIT, LoopRecorder::ringWait,
        COMMIT_WAIT, LoopRecorder::commitWait,
        TURN_COMMANDS, LoopRecorder::turnCommands);

    private final Map<String, Histogram> sumByNameMap = new HashMap<>();
    private final boolean isMonitored;
    private Engine engine;

    /** @param isMonitored whether the monitor reads the recorders, which this listens to then. */
    public LoopMeter(final boolean isMonitored)
    {
        this.isMonitored = isMonitored;
    }

    /** Measure this engine. */
    public void engine(final Engine value)
    {
        engine = value;
    }

    /** Discard the values recorded before this part. */
    public void start()
    {
        for (int loop = 0; loop < engine.loops(); loop++)
        {
            take(loop, TURN_COMMANDS);
            take(loop, RING_WAIT);
            take(loop, COMMIT_WAIT);
        }
    }

    /** The results of this part. */
    public Measurements stop()
    {
        final Measurements measurements = new Measurements();
        long turns = 0;
        for (int loop = 0; loop < engine.loops(); loop++)
        {
            turns += take(loop, TURN_COMMANDS).getTotalCount();
            add(measurements, RING_WAIT, take(loop, RING_WAIT));
            add(measurements, COMMIT_WAIT, take(loop, COMMIT_WAIT));
        }
        return measurements.put(TURNS, turns);
    }

    /** The lateness of a loop's frames since the last call. */
    public Histogram lateness(final int loop)
    {
        return take(loop, FRAME_LATENESS);
    }

    @Override
    public synchronized void onInterval(final int loop, final String measurement, final Histogram interval)
    {
        sumByNameMap.computeIfAbsent(loop + measurement, (name) -> new Histogram(3)).add(interval);
    }

    private synchronized Histogram take(final int loop, final String measurement)
    {
        if (!isMonitored)
        {
            return RECORDER_BY_NAME_MAP.get(measurement).apply(engine.recorder(loop)).getIntervalHistogram();
        }
        final Histogram sum = sumByNameMap.remove(loop + measurement);
        return null == sum ? new Histogram(3) : sum;
    }

    private static void add(final Measurements measurements, final String series, final Histogram interval)
    {
        if (0 != interval.getTotalCount())
        {
            measurements.add(series, interval);
        }
    }
}
