package io.escapement.engine;

import io.escapement.engine.internal.queue.WarmUpIdleStrategy;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;

/**
 * How the threads of loops and of the edge wait for work. Frames and timers are on time with each strategy. The choice
 * trades the latency of a message to an idle thread for CPU time:
 *
 * <table>
 * <caption>Idle strategies</caption>
 * <tr><th>strategy</th><th>latency</th><th>CPU time when idle</th></tr>
 * <tr><td>{@link #BUSY}</td><td>lowest</td><td>a core for each thread</td></tr>
 * <tr><td>{@link #YIELD}</td><td>low unless other processes want the core</td><td>a core for each thread</td></tr>
 * <tr><td>{@link #BACKOFF}</td><td>grows with the idle time, up to the longest park</td><td>little</td></tr>
 * <tr><td>{@link #PARK}</td><td>an unpark from queues, up to one park from sockets</td><td>little</td></tr>
 * </table>
 *
 * <p>Take {@link #PARK} unless you have measured that you need another. Workers of services always park.
 */
public enum Idle
{
    /** Spin. Refused if there are more spinning threads than cores, because the threads would share a core. */
    BUSY,
    /** Call {@link Thread#yield()} in a loop: other processes can take the core when they need it. */
    YIELD,
    /** Agrona's backoff: spin, then yield, then park for longer and longer. */
    BACKOFF,
    /**
     * Park until shortly before the next deadline, then spin. The spin starts 100 to 300 us early, as much as this host
     * oversleeps. Producers unpark the thread. A thread that polls sockets or shared memory parks for at most 100 us.
     */
    PARK;

    /** Whether a thread without work keeps its core. */
    boolean isSpinning()
    {
        return BUSY == this || YIELD == this;
    }

    /** The strategy of a thread, which parks during the warm-up if it will spin. */
    IdleStrategy strategy(final WarmUp warmUp, final IdleStrategy park)
    {
        return switch (this)
        {
            case BUSY -> new WarmUpIdleStrategy(warmUp::isOver, BusySpinIdleStrategy.INSTANCE);
            case YIELD -> new WarmUpIdleStrategy(warmUp::isOver, YieldingIdleStrategy.INSTANCE);
            case BACKOFF -> new BackoffIdleStrategy();
            case PARK -> park;
        };
    }
}
