package io.escapement.engine.internal.monitor;

import io.escapement.engine.monitor.CounterTypes;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.status.AtomicCounter;

/** Looks once a second how often loops and the edge refused by each code, and records bursts. */
final class RefusalBursts
{
    private static final long PERIOD_NS = TimeUnit.SECONDS.toNanos(1);
    private static final String PREFIX = "escapement ";
    private static final String REFUSED = ": refused ";

    /** The refusals of a loop or the edge with one code, as their counter's label has them. */
    record Refusals(String source, int code, String reason, AtomicCounter counter)
    {
        static Refusals of(final EngineCounters.Named named)
        {
            final int end = named.label().indexOf(REFUSED);
            final int first =
                named.typeId() < CounterTypes.EDGE ? CounterTypes.LOOP_CODES : CounterTypes.EDGE_CODES;
            return new Refusals(named.label().substring(PREFIX.length(), end), named.typeId() - first,
                named.label().substring(end + REFUSED.length()), named.counter());
        }
    }

    private final List<Refusals> refusals;
    private final long[] countBefore;
    private final RefusalBurst event = new RefusalBurst();
    private long readNs;

    RefusalBursts(final EngineCounters counters)
    {
        refusals = counters.all().stream()
            .filter((named) -> named.label().startsWith(PREFIX) && named.label().contains(REFUSED))
            .map(Refusals::of).toList();
        countBefore = new long[refusals.size()];
    }

    void poll(final long nowNs)
    {
        if (nowNs - readNs < PERIOD_NS)
        {
            return;
        }
        readNs = nowNs;
        for (int i = 0; i < countBefore.length; i++)
        {
            final long count = refusals.get(i).counter().get();
            if (count != countBefore[i])
            {
                event.onSecond(refusals.get(i), count - countBefore[i]);
                countBefore[i] = count;
            }
        }
    }
}
