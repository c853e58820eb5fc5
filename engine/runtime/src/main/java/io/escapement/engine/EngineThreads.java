package io.escapement.engine;

import io.escapement.driver.Cores;
import java.util.ArrayList;
import java.util.concurrent.ThreadFactory;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.IdleStrategy;

/** The threads of an engine: each runs an agent until it is closed, or until the agent gives up. */
final class EngineThreads implements AutoCloseable
{
    private final ThreadFactory factory;
    private final int[] cores;
    private final ErrorHandler errorHandler;
    private final ArrayList<AgentRunner> runners = new ArrayList<>();
    private final ArrayList<Thread> threads = new ArrayList<>();
    private int tied;

    EngineThreads(final ThreadFactory factory, final int[] cores, final ErrorHandler errorHandler)
    {
        this.factory = factory;
        this.cores = cores;
        this.errorHandler = errorHandler;
    }

    /** Start one of those that have a core of their own, if there is one left. */
    Thread startTied(final Agent agent, final IdleStrategy idle)
    {
        return start(agent, idle, Cores.pinned(cores, tied++, factory));
    }

    Thread start(final Agent agent, final IdleStrategy idle)
    {
        return start(agent, idle, factory);
    }

    private Thread start(final Agent agent, final IdleStrategy idle, final ThreadFactory threadFactory)
    {
        final AgentRunner runner = new AgentRunner(idle, errorHandler, null, agent);
        runners.add(runner);
        final Thread thread = AgentRunner.startOnThread(runner, threadFactory);
        threads.add(thread);
        return thread;
    }

    /** Whether every thread that was started still runs. */
    boolean areAlive()
    {
        boolean areAlive = true;
        for (final Thread thread : threads)
        {
            areAlive &= thread.isAlive();
        }
        return areAlive;
    }

    @Override
    public void close()
    {
        for (int i = runners.size() - 1; i >= 0; i--)
        {
            CloseHelper.close(errorHandler, runners.get(i));
        }
    }
}
