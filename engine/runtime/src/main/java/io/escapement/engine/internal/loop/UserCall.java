package io.escapement.engine.internal.loop;

import io.escapement.engine.internal.queue.EngineClock;

/**
 * The call of application code that one thread of the engine is in. The monitor reports a call that does not return.
 * One thread writes, any thread reads.
 */
public final class UserCall
{
    /** No call. */
    public static final long NONE = -1;

    private final String option;
    private final long limitNs;
    private final EngineClock clock;
    private volatile Thread thread;
    private volatile long sinceNs = NONE;

    /**
     * Make one.
     *
     * @param option  that the code was given with.
     * @param limitNs after which the call is reported.
     * @param clock   of the engine.
     */
    public UserCall(final String option, final long limitNs, final EngineClock clock)
    {
        this.option = option;
        this.limitNs = limitNs;
        this.clock = clock;
    }

    /** The call starts, in the thread that makes it. */
    public void begin()
    {
        thread = Thread.currentThread();
        sinceNs = clock.nowNs();
    }

    /** The call has returned. */
    public void end()
    {
        sinceNs = NONE;
    }

    /** The option that the code was given with. */
    public String option()
    {
        return option;
    }

    /** How long the call may take until it is reported. */
    public long limitNs()
    {
        return limitNs;
    }

    /** The thread of the last call. */
    public Thread thread()
    {
        return thread;
    }

    /** When the call started, or {@link #NONE}. */
    public long sinceNs()
    {
        return sinceNs;
    }
}
