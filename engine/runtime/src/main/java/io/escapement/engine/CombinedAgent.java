package io.escapement.engine;

import io.escapement.engine.edge.EdgeAgent;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentInvoker;

/**
 * The edge in one thread with what else is to run there: an embedded driver, and the loops. The driver is invoked
 * before, to bring in what has come, and after, to let out what is to leave.
 */
final class CombinedAgent implements Agent
{
    /**
     * Aeron takes one datagram a socket each time it is invoked. What came alone is handed on at once; under load a few
     * in a row keep the sockets from filling.
     */
    private static final int DRIVER_INVOKES_UNDER_LOAD = 4;
    private static final int LOAD = 2;

    private final String roleName;
    private final AgentInvoker driver;
    private final EdgeAgent edge;
    private final Agent[] loops;
    private int lastWork;

    CombinedAgent(final String roleName, final AgentInvoker driver, final EdgeAgent edge, final Agent[] loops)
    {
        this.roleName = roleName;
        this.driver = driver;
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
        final int driverWork = invokeDriver();
        lastWork = edge.doWork();
        int loopWork = 0;
        for (final Agent loop : loops)
        {
            loopWork += loop.doWork();
        }
        if (0 != loopWork && null != driver)
        {
            driver.invoke();
        }
        return driverWork + lastWork + loopWork;
    }

    @Override
    public void onClose()
    {
        for (final Agent loop : loops)
        {
            loop.onClose();
        }
        edge.onClose();
    }

    private int invokeDriver()
    {
        if (null == driver)
        {
            return 0;
        }
        int work = driver.invoke();
        for (int i = 1; i < DRIVER_INVOKES_UNDER_LOAD && lastWork >= LOAD && 0 != work; i++)
        {
            work += driver.invoke();
        }
        return work;
    }
}
