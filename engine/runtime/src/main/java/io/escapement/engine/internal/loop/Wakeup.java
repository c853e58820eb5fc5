package io.escapement.engine.internal.loop;

import com.lmax.disruptor.AlertException;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.SequenceBarrier;
import com.lmax.disruptor.WaitStrategy;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets a reader of queues park, and those who write to them wake it. Costs a writer a fence and a look at a flag.
 */
public final class Wakeup implements WaitStrategy
{
    private volatile Thread parked;

    /**
     * Park, unless something has come meanwhile.
     *
     * @param maxNs   for how long at most.
     * @param isEmpty looks once more, after writers know that the reader is about to park.
     */
    public void park(final long maxNs, final Emptiness isEmpty)
    {
        parked = Thread.currentThread();
        VarHandle.fullFence();
        if (isEmpty.isEmpty())
        {
            LockSupport.parkNanos(this, maxNs);
        }
        parked = null;
    }

    /** Whether there is nothing to read. */
    @FunctionalInterface
    public interface Emptiness
    {
        /**
         * Look.
         *
         * @return whether nothing waits.
         */
        boolean isEmpty();
    }

    @Override
    public void signalAllWhenBlocking()
    {
        // What was published must be seen before the flag is read, or both sides could miss each other.
        VarHandle.fullFence();
        final Thread thread = parked;
        if (null != thread)
        {
            LockSupport.unpark(thread);
        }
    }

    @Override
    public long waitFor(
        final long sequence, final Sequence cursor, final Sequence dependentSequence, final SequenceBarrier barrier)
        throws AlertException, InterruptedException
    {
        throw new UnsupportedOperationException("queues are polled");
    }
}
