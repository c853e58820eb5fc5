package io.escapement.engine.internal.queue;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingIdleStrategy;

/** Parks while an engine warms up, so that the compilers have a core, and then waits as another strategy does. */
public final class WarmUpIdleStrategy implements IdleStrategy
{
    private static final long PARK_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final IdleStrategy parked = new SleepingIdleStrategy(PARK_NS);
    private final BooleanSupplier isWarm;
    private final IdleStrategy strategy;

    /**
     * @param isWarm   whether the warm-up is over.
     * @param strategy from then on.
     */
    public WarmUpIdleStrategy(final BooleanSupplier isWarm, final IdleStrategy strategy)
    {
        this.isWarm = isWarm;
        this.strategy = strategy;
    }

    @Override
    public void idle(final int workCount)
    {
        (isWarm.getAsBoolean() ? strategy : parked).idle(workCount);
    }

    @Override
    public void idle()
    {
        idle(0);
    }

    @Override
    public void reset()
    {
        strategy.reset();
    }
}
