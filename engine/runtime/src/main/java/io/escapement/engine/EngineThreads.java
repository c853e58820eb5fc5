package io.escapement.engine;

import io.escapement.driver.Cores;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import org.agrona.CloseHelper;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.IdleStrategy;

/** The threads of an engine. Each runs an agent until it is closed or the agent terminates itself. */
final class EngineThreads implements AutoCloseable
{
    private final ThreadFactory factory;
    private final int[] cores;
    private final ErrorHandler errorHandler;
    private final List<AgentRunner> runners = new CopyOnWriteArrayList<>();
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private int coresTaken;

    EngineThreads(final ThreadFactory factory, final int[] cores, final ErrorHandler errorHandler)
    {
        this.factory = factory;
        this.cores = cores;
        this.errorHandler = errorHandler;
    }

    /** Start a thread on the next configured core, or on any core after the last of them. */
    Thread startPinned(final Agent agent, final IdleStrategy idle)
    {
        return start(agent, idle, Cores.pinned(cores, coresTaken++, factory));
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

    /** Whether all started threads still run. */
    boolean areAlive()
    {
        for (final Thread thread : threads)
        {
            if (!thread.isAlive())
            {
                return false;
            }
        }
        return true;
    }

    /** Stop the threads in reverse order, so that no thread outlives one it depends on. */
    @Override
    public void close()
    {
        for (int i = runners.size() - 1; i >= 0; i--)
        {
            CloseHelper.close(errorHandler, runners.get(i));
        }
    }
}
