package io.escapement.perf.rig;

import io.escapement.engine.monitor.MonitorContext;
import java.util.HashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/**
 * Histograms of loops by the intervals of the monitor, which reads the recorders when a console observes the engine.
 * The monitor's thread brings them, and another takes them: up to an interval of one second later.
 */
public final class MonitoredIntervals implements LoopIntervals, MonitorContext.IntervalListener
{
    private final Map<String, Histogram> sumByNameMap = new HashMap<>();

    @Override
    public synchronized void onInterval(final int loop, final String measurement, final Histogram interval)
    {
        sumByNameMap.computeIfAbsent(name(loop, measurement), (name) -> new Histogram(3)).add(interval);
    }

    @Override
    public synchronized Histogram take(final int loop, final String measurement)
    {
        final Histogram sum = sumByNameMap.remove(name(loop, measurement));
        return null == sum ? new Histogram(3) : sum;
    }

    private static String name(final int loop, final String measurement)
    {
        return loop + " " + measurement;
    }
}
