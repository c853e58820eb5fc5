package io.escapement.engine.internal.loop;

import java.util.function.LongSupplier;
import org.agrona.concurrent.IdleStrategy;

/**
 * Parks until shortly before the next deadline, then spins: a parked thread comes back tens of microseconds late, a
 * spinning one does not. How late depends on the host and on what else it does, so that it is learned: from the worst,
 * which counts for less with each park after it.
 */
public final class DeadlineIdleStrategy implements IdleStrategy
{
    /** A park takes at least this long, whatever was asked for; nearer to a deadline it does not pay. */
    static final long LEAST_SPIN_NS = 100_000;
    /** A host that is later than this is busy with something else: to spin for longer would not help it. */
    static final long MOST_SPIN_NS = 300_000;
    private static final int FORGET_SHIFT = 6;

    private final EngineTime time;
    private final LongSupplier deadlineNs;
    private final Wakeup wakeup;
    private final Wakeup.Emptiness isEmpty;
    private final long maxParkNs;
    private long spinNs = LEAST_SPIN_NS;

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
        final long nowNs = time.nowNs();
        final long leftNs = deadlineNs.getAsLong() - nowNs;
        if (leftNs > spinNs)
        {
            final long parkNs = Math.min(maxParkNs, leftNs - spinNs);
            wakeup.park(parkNs, isEmpty);
            learn(time.nowNs() - nowNs - parkNs);
        }
        else
        {
            Thread.onSpinWait();
        }
    }

    @Override
    public void reset()
    {
        // How late the host is does not change with what the thread does.
    }

    @Override
    public String alias()
    {
        return "park-until-deadline";
    }

    private void learn(final long lateNs)
    {
        // Who was woken by a writer came early, and learned nothing. Who comes back needs time to rehearse.
        if (lateNs >= 0)
        {
            final long wantedNs = Math.max(lateNs + LoopAgent.REHEARSAL_NS, spinNs - (spinNs >> FORGET_SHIFT));
            spinNs = Math.min(MOST_SPIN_NS, Math.max(LEAST_SPIN_NS, wantedNs));
        }
    }
}
