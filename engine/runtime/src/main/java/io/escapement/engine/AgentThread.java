package io.escapement.engine;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.IdleStrategy;

/**
 * Runs an agent until it is stopped or the agent terminates itself. In contrast to Agrona's AgentRunner, an interrupt
 * does not stop it, because user code may have caused the interrupt. Waiting for its exit is bounded.
 */
final class AgentThread implements Runnable
{
    private static final long AFTER_ERROR_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MS_A_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Agent agent;
    private final IdleStrategy idle;
    private final ErrorHandler errorHandler;
    private final Thread thread;
    private volatile boolean isStopping;
    private boolean isInterruptReported;

    AgentThread(
        final Agent agent,
        final IdleStrategy idle,
        final ErrorHandler errorHandler,
        final ThreadFactory factory)
    {
        this.agent = agent;
        this.idle = idle;
        this.errorHandler = errorHandler;
        thread = factory.newThread(this);
        thread.setName(agent.roleName());
        // A thread that user code holds must not keep the JVM from its exit.
        thread.setDaemon(true);
    }

    void start()
    {
        thread.start();
    }

    Thread thread()
    {
        return thread;
    }

    /** For tests, which run the agent in their thread and do not start this one. */
    Agent agent()
    {
        return agent;
    }

    void stop()
    {
        isStopping = true;
        LockSupport.unpark(thread);
    }

    /** Wait for the thread to exit. Returns whether it has exited. */
    boolean hasEnded(final long timeoutNs)
    {
        final boolean wasInterrupted = Thread.interrupted();
        try
        {
            final long endNs = System.nanoTime() + timeoutNs;
            for (long leftNs = timeoutNs; leftNs > 0 && thread.isAlive(); leftNs = endNs - System.nanoTime())
            {
                thread.join(leftNs / MS_A_NS + 1);
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        if (wasInterrupted)
        {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }

    /** Ends a sleep or a wait in user code. */
    void interrupt()
    {
        thread.interrupt();
    }

    @Override
    public void run()
    {
        try
        {
            agent.onStart();
            runCycles();
        }
        catch (final Throwable ex)
        {
            errorHandler.onError(ex);
        }
        finally
        {
            closeAgent();
        }
    }

    private void runCycles()
    {
        while (!isStopping)
        {
            try
            {
                idle.idle(agent.doWork());
            }
            catch (final AgentTerminationException ex)
            {
                throw ex;
            }
            catch (final Throwable ex)
            {
                errorHandler.onError(ex);
                // The cycle may throw again.
                LockSupport.parkNanos(AFTER_ERROR_NS);
            }
            if (Thread.interrupted() && !isStopping && !isInterruptReported)
            {
                isInterruptReported = true;
                errorHandler.onError(new IllegalStateException(
                    thread.getName() + " was interrupted by code of the application; the interrupt is cleared"));
            }
        }
    }

    private void closeAgent()
    {
        try
        {
            agent.onClose();
        }
        catch (final Throwable ex)
        {
            errorHandler.onError(ex);
        }
    }
}
