package io.escapement.engine.watch;

import io.escapement.engine.loop.LoopCounters;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.concurrent.status.AtomicCounter;

/** Makes the engine's counters, and keeps what each is called. */
public final class NamedCounters implements LoopCounters.Factory
{
    /**
     * A counter and its name.
     *
     * @param label   as it stands in the counters file.
     * @param isGauge whether it goes down too.
     * @param counter in the counters file.
     */
    public record Named(String label, boolean isGauge, AtomicCounter counter)
    {
    }

    private final LoopCounters.Factory factory;
    private final List<Named> all = new CopyOnWriteArrayList<>();

    /**
     * Make one.
     *
     * @param factory that makes the counters.
     */
    public NamedCounters(final LoopCounters.Factory factory)
    {
        this.factory = factory;
    }

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
     * What a counter says.
     *
     * @param label of the counter.
     * @return its value.
     */
    public long value(final String label)
    {
        for (final Named named : all)
        {
            if (named.label().equals(label))
            {
                return named.counter().get();
            }
        }
        throw new IllegalArgumentException("no counter is called '" + label + "'");
    }

    List<Named> all()
    {
        return all;
    }

    private AtomicCounter named(final int typeId, final String label, final boolean isGauge)
    {
        final AtomicCounter counter = factory.counter(typeId, label);
        all.add(new Named(label, isGauge, counter));
        return counter;
    }
}
