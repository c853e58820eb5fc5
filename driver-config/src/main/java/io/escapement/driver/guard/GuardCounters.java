package io.escapement.driver.guard;

import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;

/**
 * A driver's counters of what was dropped. Made by the conductor; each has one writer, since receiver, sender and
 * conductor count different things.
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
