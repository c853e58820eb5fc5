package io.escapement.driver.guard;

import io.aeron.driver.MediaDriver;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;

/**
 * The counters of one driver. The conductor allocates them. Each has a single writer, because receiver, sender and
 * conductor count different reasons.
 */
final class GuardCounters
{
    private final AtomicCounter[] counters = new AtomicCounter[GuardCounter.values().length];

    GuardCounters(final MediaDriver.Context context)
    {
        final CountersManager manager = context.countersManager();
        for (final GuardCounter counter : GuardCounter.values())
        {
            counters[counter.ordinal()] = manager.newCounter(counter.label(), counter.typeId());
        }
        manager.newCounter(GuardedEndpoints.DATAGRAM_LENGTH_LABEL, GuardedEndpoints.DATAGRAM_LENGTH_TYPE_ID)
            .setRelease(context.mtuLength());
    }

    void count(final GuardCounter counter)
    {
        count(counter, 1);
    }

    void count(final GuardCounter counter, final int amount)
    {
        counters[counter.ordinal()].getAndAddRelease(amount);
    }
}
