package io.escapement.engine.loop;

import java.util.function.LongSupplier;
import org.agrona.concurrent.IdleStrategy;

/**
 * Parks until shortly before the next deadline, then spins: a parked thread comes back tens of microseconds late, a
 * spinning one does not.
 */
public final class DeadlineIdleStrategy implements IdleStrategy
{
    /** A park takes at least this long, whatever was asked for; nearer to a deadline it does not pay. */
    public static final long SPIN_NS = 100_000;

    private final EngineTime time;
    private final LongSupplier deadlineNs;
    private final Wakeup wakeup;
    private final Wakeup.Emptiness isEmpty;
    private final long maxParkNs;

    /**
     * Make one.
     *
     * @param time       of the engine.
     * @param deadlineNs next time at which there is work, in engine time.
     * @param wakeup     by which writers wake this thread.
     * @param isEmpty    whether no queue has anything.
     * @param maxParkNs  how long to park at most, for what does not wake: sockets, shared memory.
     */
    public DeadlineIdleStrategy(
        final EngineTime time,
        final LongSupplier deadlineNs,
        final Wakeup wakeup,
        final Wakeup.Emptiness isEmpty,
        final long maxParkNs)
    {
        this.time = time;
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
        final long leftNs = deadlineNs.getAsLong() - time.nowNs();
        if (leftNs > SPIN_NS)
        {
            wakeup.park(Math.min(maxParkNs, leftNs - SPIN_NS), isEmpty);
        }
        else
        {
            Thread.onSpinWait();
        }
    }

    @Override
    public void reset()
    {
        // Nothing is kept from one idling to the next.
    }

    @Override
    public String alias()
    {
        return "park-until-deadline";
    }
}
