package io.escapement.engine.internal.queue;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.agrona.concurrent.IdleStrategy;

/**
 * Parks until shortly before the next deadline, then spins. A parked thread returns tens of microseconds late, and a
 * spinning thread does not. The spin starts as early as the host's wake-ups are late. That is measured: the strategy
 * keeps the worst oversleep, which decays with each later park.
 */
public final class DeadlineIdleStrategy implements IdleStrategy
{
    /** Time before a deadline at which an idle loop runs an empty turn. */
    public static final long WARM_UP_NS = 30_000;
    /** Minimum spin. Because the shortest park takes about this long, a later park would miss the deadline. */
    static final long MIN_SPIN_NS = 100_000;
    /** Maximum spin. A host that oversleeps longer is overloaded, and spinning longer would not help it. */
    public static final long MAX_SPIN_NS = 300_000;

    private static final int DECAY_SHIFT = 6;

    private final EngineClock clock;
    private final LongSupplier deadlineNs;
    private final Wakeup wakeup;
    private final BooleanSupplier isEmpty;
    private final long maxParkNs;
    private long spinNs = MIN_SPIN_NS;

    /**
     * Make one.
     *
     * @param clock      of the engine.
     * @param deadlineNs next engine time at which the thread has work.
     * @param wakeup     by which producers unpark the thread.
     * @param isEmpty    whether all queues of the thread are empty.
     * @param maxParkNs  longest park. It limits the latency of sources that do not unpark: sockets, shared memory.
     */
    public DeadlineIdleStrategy(
        final EngineClock clock,
        final LongSupplier deadlineNs,
        final Wakeup wakeup,
        final BooleanSupplier isEmpty,
        final long maxParkNs)
    {
        this.clock = clock;
        this.deadlineNs = deadlineNs;
        this.wakeup = wakeup;
        this.isEmpty = isEmpty;
        this.maxParkNs = maxParkNs;
    }

    @Override
    public void idle(final int workCount)
    {
        if (workCount <= 0)
        {
            idle();
        }
    }

    @Override
    public void idle()
    {
        final long nowNs = clock.nowNs();
        final long leftNs = deadlineNs.getAsLong() - nowNs;
        if (leftNs > spinNs)
        {
            final long parkNs = Math.min(maxParkNs, leftNs - spinNs);
            wakeup.park(parkNs, isEmpty);
            onOversleep(clock.nowNs() - nowNs - parkNs);
        }
        else
        {
            Thread.onSpinWait();
        }
    }

    @Override
    public void reset()
    {
        // The host's oversleep does not depend on the thread's work.
    }

    @Override
    public String alias()
    {
        return "park-until-deadline";
    }

    private void onOversleep(final long oversleepNs)
    {
        // If the value is negative, a producer unparked the thread. The value is then no measure of the host's
        // wake-ups.
        if (oversleepNs >= 0)
        {
            final long neededNs = Math.max(oversleepNs + WARM_UP_NS, spinNs - (spinNs >> DECAY_SHIFT));
            spinNs = Math.min(MAX_SPIN_NS, Math.max(MIN_SPIN_NS, neededNs));
        }
    }
}
