package io.escapement.engine;

import io.escapement.engine.internal.edge.EdgeAgent;
import io.escapement.engine.internal.loop.LoopAgent;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentInvoker;

/**
 * The edge in one thread with what else is to run there: an embedded driver, and the loops. A turn begins with the
 * driver, which first lets out what the turn before left it and then brings in what has come.
 */
final class CombinedAgent implements Agent
{
    /** So many at most in a row, or what comes in would wait for what goes out. */
    private static final int MOST_INVOKES = 8;

    private final String roleName;
    private final AgentInvoker driver;
    private final TurnClock driverClock;
    private final EdgeAgent edge;
    private final LoopAgent[] loops;
    private int owedDatagrams;

    CombinedAgent(
        final String roleName,
        final AgentInvoker driver,
        final TurnClock driverClock,
        final EdgeAgent edge,
        final LoopAgent[] loops)
    {
        this.roleName = roleName;
        this.driver = driver;
        this.driverClock = driverClock;
        this.edge = edge;
        this.loops = loops;
    }

    @Override
    public String roleName()
    {
        return roleName;
    }

    @Override
    public int doWork() throws Exception
    {
        int work = invokeDriver() + edge.doWork();
        for (final LoopAgent loop : loops)
        {
            work += loop.doWork();
            owedDatagrams += loop.takeDatagrams();
        }
        return work;
    }

    @Override
    public void onClose()
    {
        for (final LoopAgent loop : loops)
        {
            loop.onClose();
        }
        edge.onClose();
        driverClock.stop();
    }

    /**
     * A driver lets out one datagram a publication each time it is invoked: a burst needs more, or answers would fall
     * behind what was asked.
     */
    private int invokeDriver()
    {
        if (null == driver)
        {
            owedDatagrams = 0;
            return 0;
        }
        driverClock.read();
        int work = driver.invoke();
        for (int i = 1; i < MOST_INVOKES && owedDatagrams > 0; i++)
        {
            final int done = driver.invoke();
            // With nothing left to do for a driver nothing is owed either, whatever was counted.
            owedDatagrams = 0 == done ? 0 : owedDatagrams - 1;
            work += done;
        }
        return work;
    }
}
