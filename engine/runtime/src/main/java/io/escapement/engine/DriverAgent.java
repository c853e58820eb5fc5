package io.escapement.engine;

import io.escapement.engine.internal.loop.LoopAgent;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.AgentTerminationException;

/**
 * The embedded driver in a thread of the engine. It runs first in that thread's duty cycle: it sends the data that the
 * previous cycle left in publications and then receives.
 *
 * <p>A driver sends one datagram per publication and invocation. When a loop of the same thread has given a link more
 * than that, the driver is invoked repeatedly, because replies would otherwise lag.
 */
final class DriverAgent implements Agent
{
    /** Limit of invocations per duty cycle, so that a burst going out does not delay reception. */
    private static final int MAX_INVOCATIONS = 8;

    private final AgentInvoker driver;
    private final TurnClock clock;
    private final LoopAgent[] loops;
    private final Runnable heartbeat;
    private int pendingDatagrams;

    DriverAgent(
        final AgentInvoker driver, final TurnClock clock, final LoopAgent[] loops, final Runnable heartbeat)
    {
        this.driver = driver;
        this.clock = clock;
        this.loops = loops;
        this.heartbeat = heartbeat;
    }

    @Override
    public String roleName()
    {
        return "escapement-driver";
    }

    @Override
    public int doWork()
    {
        for (final LoopAgent loop : loops)
        {
            pendingDatagrams += loop.takeDatagrams();
        }
        clock.update();
        int work = driver.invoke();
        for (int i = 1; i < MAX_INVOCATIONS && pendingDatagrams > 0; i++)
        {
            final int done = driver.invoke();
            // The count is an upper bound: an idle driver has sent everything.
            pendingDatagrams = 0 == done ? 0 : pendingDatagrams - 1;
            work += done;
        }
        heartbeat.run();
        if (driver.isClosed())
        {
            throw new AgentTerminationException("the embedded media driver has ended");
        }
        return work;
    }

    /** Closing the driver takes longer than a turn, and needs a clock that advances. */
    @Override
    public void onClose()
    {
        clock.stop();
    }
}
