package io.escapement.engine.internal.monitor;

import io.aeron.Aeron;
import io.escapement.config.ConfigException;
import io.escapement.engine.internal.loop.LoopCounters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersReader;

/**
 * The engine's counters. They are in the engine's memory, and the edge copies them to the media driver's counters file
 * periodically: when a driver dies, its client unmaps that file, and a write to unmapped memory would crash the JVM.
 */
public final class EngineCounters implements LoopCounters.Factory
{
    private static final int LIMIT = 8_192;

    /**
     * A counter and its description.
     *
     * @param typeId  as in the counters file.
     * @param label   as in the counters file.
     * @param isGauge whether the value may decrease.
     * @param counter in the engine's memory.
     */
    public record Named(int typeId, String label, boolean isGauge, AtomicCounter counter)
    {
    }

    private final UnsafeBuffer values = new UnsafeBuffer(
        BufferUtil.allocateDirectAligned(LIMIT * CountersReader.COUNTER_LENGTH, BitUtil.CACHE_LINE_LENGTH));
    private final List<Named> all = new ArrayList<>();
    private final Map<String, AtomicCounter> counterByLabelMap = new HashMap<>();
    private final Set<String> series = new HashSet<>();
    private final List<AtomicCounter> shown = new ArrayList<>();

    @Override
    public AtomicCounter counter(final int typeId, final String label)
    {
        return named(typeId, label, false);
    }

    @Override
    public AtomicCounter gauge(final int typeId, final String label)
    {
        return named(typeId, label, true);
    }

    /**
     * Allocate a counter of the driver for each. Before the engine's threads run.
     *
     * @param aeron client. This thread invokes its conductor.
     */
    public void show(final Aeron aeron)
    {
        for (final Named named : all)
        {
            shown.add(aeron.addCounter(named.typeId(), named.label()));
        }
    }

    /** Copy all values to the driver's counters. In the thread that invokes the Aeron client's conductor. */
    public void copy()
    {
        for (int i = 0; i < shown.size(); i++)
        {
            shown.get(i).setRelease(all.get(i).counter().getAcquire());
        }
    }

    /**
     * Read a counter, from any thread.
     *
     * @param label of the counter.
     */
    public long value(final String label)
    {
        final AtomicCounter counter = counterByLabelMap.get(label);
        if (null == counter)
        {
            throw new IllegalArgumentException("no counter has the label '" + label + "'");
        }
        return counter.getAcquire();
    }

    /** All counters, in the order in which they were made. From any thread, once the engine runs. */
    public List<Named> all()
    {
        return all;
    }

    private AtomicCounter named(final int typeId, final String label, final boolean isGauge)
    {
        if (LIMIT == all.size())
        {
            throw new IllegalStateException("more than " + LIMIT + " counters");
        }
        final AtomicCounter counter = new AtomicCounter(values, all.size());
        all.add(new Named(typeId, label, isGauge, counter));
        final EngineMetric metric = EngineMetric.of(typeId, label, isGauge);
        final boolean isNew =
            null == counterByLabelMap.putIfAbsent(label, counter) && series.add(metric.name() + metric.labels());
        ConfigException.check(isNew, "counter", label, "is the name of two counters: choose another");
        return counter;
    }
}
