package io.escapement.engine.internal.queue;

import com.lmax.disruptor.AlertException;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.SequenceBarrier;
import com.lmax.disruptor.WaitStrategy;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Lets the reader of queues park and their producers unpark it. A publish costs the producer a full fence and one read
 * of a flag.
 *
 * <p>The reader sets the flag and then checks the queues. A producer publishes and then checks the flag. Each has a
 * full fence between its two steps. Because of the fences, at least one thread sees the other's step and no wake-up is
 * lost.
 */
public final class Wakeup implements WaitStrategy
{
    private volatile Thread parked;

    /**
     * Park the calling thread unless a queue has something for it. May return early.
     *
     * @param maxNs   longest park, in nanoseconds.
     * @param isEmpty whether all queues of the reader are empty. Checked once, after the flag is visible to producers.
     */
    public void park(final long maxNs, final BooleanSupplier isEmpty)
    {
        parked = Thread.currentThread();
        VarHandle.fullFence();
        if (isEmpty.getAsBoolean())
        {
            LockSupport.parkNanos(this, maxNs);
        }
        parked = null;
    }

    @Override
    public void signalAllWhenBlocking()
    {
        wakeUp();
    }

    /** Unpark the reader, if it is parked or about to park. Returns whether it is. */
    boolean wakeUp()
    {
        VarHandle.fullFence();
        final Thread thread = parked;
        if (null == thread)
        {
            return false;
        }
        LockSupport.unpark(thread);
        return true;
    }

    @Override
    public long waitFor(
        final long sequence, final Sequence cursor, final Sequence dependentSequence, final SequenceBarrier barrier)
        throws AlertException, InterruptedException
    {
        throw new UnsupportedOperationException("queues are polled");
    }
}
