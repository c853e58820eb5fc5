package io.escapement.driver.guard;

import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;

/** The counters of one driver. The conductor allocates them. Sender and receiver write different ones. */
final class OffloadCounters
{
    private final AtomicCounter[] counters = new AtomicCounter[OffloadCounter.values().length];

    OffloadCounters(final CountersManager manager)
    {
        for (final OffloadCounter counter : OffloadCounter.values())
        {
            counters[counter.ordinal()] = manager.newCounter(counter.label(), counter.typeId());
        }
    }

    void count(final OffloadCounter counter, final int amount)
    {
        counters[counter.ordinal()].getAndAddRelease(amount);
    }
}
