package io.escapement.engine;

import io.escapement.engine.edge.EdgeAgent;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentInvoker;

/**
 * The edge in one thread with what else is to run there: an embedded driver, and the loops. The driver is invoked once
 * a turn, where it first lets out what the turn before left it and then brings in what has come.
 */
final class CombinedAgent implements Agent
{
    private final String roleName;
    private final AgentInvoker driver;
    private final EdgeAgent edge;
    private final Agent[] loops;

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
        int work = null == driver ? 0 : driver.invoke();
        work += edge.doWork();
        for (final Agent loop : loops)
        {
            work += loop.doWork();
        }
        return work;
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
}
