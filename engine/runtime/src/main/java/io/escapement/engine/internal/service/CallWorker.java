package io.escapement.engine.internal.service;

import io.escapement.engine.internal.queue.Wakeup;
import java.util.concurrent.Executor;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;

/**
 * Runs calls of the application's code, in order, outside the edge's thread, so that the code may block. The edge
 * limits the calls that wait. The calls do not throw.
 */
public final class CallWorker implements Agent, Executor
{
    private final String roleName;
    private final Wakeup wakeup;
    private final ManyToOneConcurrentLinkedQueue<Runnable> queue = new ManyToOneConcurrentLinkedQueue<>();

    /**
     * Make one.
     *
     * @param roleName of the worker's thread.
     * @param wakeup   of the worker's thread.
     */
    public CallWorker(final String roleName, final Wakeup wakeup)
    {
        this.roleName = roleName;
        this.wakeup = wakeup;
    }

    /** In the edge's thread. */
    @Override
    public void execute(final Runnable call)
    {
        queue.offer(call);
        wakeup.signalAllWhenBlocking();
    }

    /** Whether no call waits. */
    public boolean isEmpty()
    {
        return queue.isEmpty();
    }

    @Override
    public String roleName()
    {
        return roleName;
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
