package io.escapement.driver.guard;

import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;

/**
 * The counters of one driver. The conductor allocates them. Each has a single writer, because receiver, sender and
 * conductor count different reasons.
 */
final class GuardCounters
{
    private final AtomicCounter[] counters = new AtomicCounter[GuardCounter.values().length];

    GuardCounters(final CountersManager manager)
    {
        for (final GuardCounter counter : GuardCounter.values())
        {
            counters[counter.ordinal()] = manager.newCounter(counter.label(), counter.typeId());
        }
    }

    void count(final GuardCounter counter)
    {
        counters[counter.ordinal()].incrementRelease();
    }
}
