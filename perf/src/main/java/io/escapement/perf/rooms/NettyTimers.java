package io.escapement.perf.rooms;

import io.netty.util.HashedWheelTimer;
import io.netty.util.Timeout;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Netty's wheel. Its worker completes a set or a cancellation at the next tick. */
final class NettyTimers extends WorkerTimers
{
    private final HashedWheelTimer timer = new HashedWheelTimer(this::worker, 1, TimeUnit.MILLISECONDS, SPOKES, false);

    NettyTimers(final long[] delays, final int[] cancelOrder)
    {
        super(delays, cancelOrder);
        timer.start();
    }

    @Override
    Object set(final Runnable task, final long delayNs)
    {
        return timer.newTimeout((timeout) -> task.run(), delayNs, TimeUnit.NANOSECONDS);
    }

    @Override
    boolean cancel(final Object timeout)
    {
        return ((Timeout)timeout).cancel();
    }

    /** The worker processes in order: when the last timer has fired, all before it are in the wheel. */
    @Override
    void settle()
    {
        final AtomicBoolean hasFired = new AtomicBoolean();
        timer.newTimeout((timeout) -> hasFired.set(true), 0, TimeUnit.NANOSECONDS);
        await(hasFired::get, PATIENCE_NS);
    }

    @Override
    void close()
    {
        timer.stop();
    }
}
