package io.escapement.engine;

import io.escapement.driver.Cores;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;

/** The threads of an engine. Each runs an agent until it is closed or the agent terminates itself. */
final class EngineThreads implements AutoCloseable
{
    /** Longest time in which all threads together may end. */
    static final long CLOSE_NS = TimeUnit.SECONDS.toNanos(3);
    /** Each thread gets at least this, and this once more after an interrupt. */
    private static final long MIN_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final ThreadFactory factory;
    private final int[] cores;
    private final ErrorHandler errorHandler;
    private final List<AgentThread> threads = new CopyOnWriteArrayList<>();
    private final List<Thread> pinned = new CopyOnWriteArrayList<>();
    private final List<Thread> stuck = new CopyOnWriteArrayList<>();
    private int coresTaken;
    private boolean isClosed;

    EngineThreads(final ThreadFactory factory, final int[] cores, final ErrorHandler errorHandler)
    {
        this.factory = factory;
        this.cores = cores;
        this.errorHandler = errorHandler;
    }

    /** Start the thread of a loop or the edge on the next configured core, or on any core after the last of them. */
    Thread startPinned(final Agent agent, final IdleStrategy idle)
    {
        final Thread thread = start(agent, idle, Cores.pinned(cores, coresTaken++, factory));
        pinned.add(thread);
        return thread;
    }

    Thread start(final Agent agent, final IdleStrategy idle)
    {
        return start(agent, idle, factory);
    }

    private synchronized Thread start(final Agent agent, final IdleStrategy idle, final ThreadFactory threadFactory)
    {
        if (isClosed)
        {
            throw new IllegalStateException("the engine is closed");
        }
        final AgentThread thread = new AgentThread(agent, idle, errorHandler, threadFactory);
        threads.add(thread);
        thread.start();
        return thread.thread();
    }

    /** Whether no thread has stopped. A thread that is about to start has not: the monitor may ask before it runs. */
    boolean areAlive()
    {
        for (final AgentThread thread : threads)
        {
            if (Thread.State.TERMINATED == thread.thread().getState())
            {
                return false;
            }
        }
        return true;
    }

    /** Whether a thread belongs to these threads. */
    boolean contains(final Thread other)
    {
        for (final AgentThread thread : threads)
        {
            if (thread.thread() == other)
            {
                return true;
            }
        }
        return false;
    }

    /** The threads that did not exit when they were closed. Application code holds them. */
    List<Thread> stuck()
    {
        return stuck;
    }

    /** Whether a thread that uses the memory of the Aeron client did not end. */
    boolean isClientInUse()
    {
        return stuck.stream().anyMatch(pinned::contains);
    }

    /** Stop the threads in reverse order, so that no thread outlives one it depends on. Bounded. */
    @Override
    public void close()
    {
        final List<AgentThread> closing;
        synchronized (this)
        {
            isClosed = true;
            closing = new ArrayList<>(threads);
        }
        final long endNs = System.nanoTime() + CLOSE_NS;
        for (int i = closing.size() - 1; i >= 0; i--)
        {
            final AgentThread thread = closing.get(i);
            thread.stop();
            if (!thread.hasEnded(Math.max(MIN_NS, endNs - System.nanoTime())))
            {
                thread.interrupt();
                if (!thread.hasEnded(MIN_NS))
                {
                    stuck.add(thread.thread());
                }
            }
        }
    }
}
