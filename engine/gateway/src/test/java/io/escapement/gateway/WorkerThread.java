package io.escapement.gateway;

import io.netty.util.ResourceLeakDetector;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.util.concurrent.atomic.AtomicReference;

/** A thread as a worker's, whose buffers come from a cache of the thread, and whose stack traces are short. */
final class WorkerThread
{
    private WorkerThread()
    {
    }

    /** Run a test in such a thread, and throw what it throws. */
    static void run(final Runnable test) throws InterruptedException
    {
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final Thread thread = new FastThreadLocalThread(test, "gateway-test");
        thread.setUncaughtExceptionHandler((failed, ex) -> failure.set(ex));
        thread.start();
        thread.join();
        if (null != failure.get())
        {
            throw new AssertionError(failure.get());
        }
    }

    /** Run a test that measures allocations: no buffer is tracked. */
    static void runUntracked(final Runnable test) throws InterruptedException
    {
        final ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        try
        {
            run(test);
        }
        finally
        {
            ResourceLeakDetector.setLevel(level);
        }
    }
}
