package io.escapement.engine.internal.service;

import io.escapement.engine.internal.loop.Wakeup;
import java.util.concurrent.Executor;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;

/**
 * Runs the calls of the log-in service outside the edge's thread, so that the service may block. The limit of log-ins
 * per trunk bounds the queue. The calls do not throw.
 */
public final class LogInWorker implements Agent, Executor
{
    private final Wakeup wakeup;
    private final ManyToOneConcurrentLinkedQueue<Runnable> queue = new ManyToOneConcurrentLinkedQueue<>();

    /**
     * Make one.
     *
     * @param wakeup of the worker's thread.
     */
    public LogInWorker(final Wakeup wakeup)
    {
        this.wakeup = wakeup;
    }

    /** In the edge's thread. */
    @Override
    public void execute(final Runnable call)
    {
        queue.offer(call);
        wakeup.signalAllWhenBlocking();
    }

    /** Whether no log-in waits. */
    public boolean isEmpty()
    {
        return queue.isEmpty();
    }

    @Override
    public String roleName()
    {
        return "escapement-log-in";
    }

    @Override
    public int doWork()
    {
        final Runnable call = queue.poll();
        if (null == call)
        {
            return 0;
        }
        call.run();
        return 1;
    }
}
