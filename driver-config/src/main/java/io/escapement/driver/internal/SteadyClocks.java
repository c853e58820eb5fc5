package io.escapement.driver.internal;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Clocks for the parts of Aeron that run in one process. Neither a pause of the process nor a wall clock that is set
 * makes them take each other for dead. A driver and its clients share an instance.
 */
public final class SteadyClocks
{
    private final NanoClock time;
    private final SlewedEpochClock epochClock;

    /** Clocks that follow the clocks of the system. */
    public SteadyClocks()
    {
        this(SystemNanoClock.INSTANCE, SystemEpochClock.INSTANCE);
    }

    /**
     * Clocks that follow others.
     *
     * @param time that cannot be set.
     * @param wall that may be set.
     */
    public SteadyClocks(final NanoClock time, final EpochClock wall)
    {
        this.time = time;
        epochClock = new SlewedEpochClock(wall, time);
    }

    /** A clock without the time in which the process did not run. */
    public NanoClock nanoClock()
    {
        return new CappedNanoClock(time);
    }

    /** A wall clock that catches up where the system's one steps. */
    public EpochClock epochClock()
    {
        return epochClock;
    }

    /** Whether the wall clock has stepped, and {@link #epochClock()} is catching up. */
    public boolean isBehind()
    {
        return epochClock.isBehind();
    }

    /** The time of the wall clock, for heartbeats that other processes compare with it. */
    public long wallMs()
    {
        return epochClock.wallMs();
    }

    /**
     * Give a driver the clocks that it has not been given.
     *
     * @param context of the driver.
     * @return the context.
     */
    public MediaDriver.Context applyTo(final MediaDriver.Context context)
    {
        if (null == context.nanoClock())
        {
            context.nanoClock(nanoClock());
        }
        if (null == context.epochClock())
        {
            context.epochClock(epochClock);
        }
        return context;
    }

    /**
     * Give a client the clocks.
     *
     * @param context of the client.
     * @return the context.
     */
    public Aeron.Context applyTo(final Aeron.Context context)
    {
        return context.nanoClock(nanoClock()).epochClock(epochClock);
    }
}
