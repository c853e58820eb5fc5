package io.escapement.engine.internal.monitor;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.ErrorHandler;

/**
 * Calls the hooks of the application, above all its error handler, in a separate thread, where they may throw or
 * block without stopping an agent. Their exceptions are logged, at most once per second.
 */
public final class FaultReporter implements ErrorHandler, AutoCloseable
{
    /** Calls that may wait for a slow hook. Further calls are dropped and counted. */
    static final int LIMIT = 256;

    private static final System.Logger LOGGER = System.getLogger("io.escapement.engine");
    private static final long LOG_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long CLOSE_MS = 1_000;

    /** Faults that are remembered for consoles. */
    private static final int REMEMBERED = 32;

    /**
     * A fault that was reported.
     *
     * @param timeMs of the report, in epoch milliseconds.
     * @param cause  of the report.
     */
    public record Fault(long timeMs, Throwable cause)
    {
    }

    private final ArrayDeque<Fault> remembered = new ArrayDeque<>();
    private final ErrorHandler handler;
    private final ArrayBlockingQueue<Runnable> calls = new ArrayBlockingQueue<>(LIMIT);
    private final AtomicLong loggedNs = new AtomicLong(System.nanoTime() - LOG_NS);
    private final AtomicLong notLogged = new AtomicLong();
    private final Thread thread;
    private volatile boolean isClosed;

    /**
     * Start the thread.
     *
     * @param handler of the application.
     * @param factory of the thread, or null to call hooks in the thread that reports.
     */
    public FaultReporter(final ErrorHandler handler, final ThreadFactory factory)
    {
        this.handler = handler;
        thread = null == factory ? null : factory.newThread(this::run);
        if (null != thread)
        {
            thread.setName("escapement-faults");
            thread.setDaemon(true);
            thread.start();
        }
    }

    @Override
    public void onError(final Throwable fault)
    {
        remember(fault);
        call("errorHandler", () -> handler.onError(fault));
    }

    /** Remember a fault that another hook than the error handler receives. */
    void remember(final Throwable fault)
    {
        synchronized (remembered)
        {
            if (REMEMBERED == remembered.size())
            {
                remembered.removeFirst();
            }
            remembered.addLast(new Fault(System.currentTimeMillis(), fault));
        }
    }

    /** The last faults, oldest first. From any thread. */
    public List<Fault> remembered()
    {
        synchronized (remembered)
        {
            return List.copyOf(remembered);
        }
    }

    /**
     * Call a hook.
     *
     * @param name of the hook, for the log.
     * @param hook to call.
     */
    public void call(final String name, final Runnable hook)
    {
        final Runnable guarded = () -> guard(name, hook);
        if (null == thread || isClosed)
        {
            guarded.run();
        }
        else if (!calls.offer(guarded))
        {
            log(name + ": a hook of the application blocks, and further calls are dropped", null);
        }
    }

    /** Whether a thread calls the hooks. */
    public boolean isThread(final Thread other)
    {
        return other == thread;
    }

    /**
     * Allow the hooks a second to finish. A hook that blocks longer keeps its thread. That thread does not keep the
     * JVM.
     */
    @Override
    public void close()
    {
        isClosed = true;
        if (null == thread)
        {
            return;
        }
        if (calls.isEmpty())
        {
            // Wake it up.
            calls.offer(() -> { });
        }
        join();
        if (thread.isAlive())
        {
            thread.interrupt();
            final IllegalStateException at = new IllegalStateException("it is here");
            at.setStackTrace(thread.getStackTrace());
            LOGGER.log(System.Logger.Level.ERROR, "a hook of the application does not return", at);
        }
    }

    private void join()
    {
        boolean wasInterrupted = Thread.interrupted();
        final long endMs = System.nanoTime() / 1_000_000 + CLOSE_MS;
        for (long leftMs = CLOSE_MS; leftMs > 0 && thread.isAlive(); leftMs = endMs - System.nanoTime() / 1_000_000)
        {
            try
            {
                thread.join(leftMs);
            }
            catch (final InterruptedException ex)
            {
                wasInterrupted = true;
            }
        }
        if (wasInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void run()
    {
        while (!isClosed || !calls.isEmpty())
        {
            try
            {
                calls.take().run();
            }
            catch (final InterruptedException ex)
            {
                // By a hook. Closing does not need an interrupt.
                log("a hook of the application left its thread interrupted", null);
            }
        }
    }

    /**
     * Call a hook in the calling thread.
     *
     * @param name of the hook, for the log.
     * @param hook to call.
     */
    public void guard(final String name, final Runnable hook)
    {
        try
        {
            hook.run();
        }
        catch (final Throwable ex)
        {
            log(name + ": a hook of the application failed", ex);
        }
    }

    private void log(final String text, final Throwable cause)
    {
        final long nowNs = System.nanoTime();
        final long lastNs = loggedNs.get();
        if (nowNs - lastNs < LOG_NS || !loggedNs.compareAndSet(lastNs, nowNs))
        {
            notLogged.incrementAndGet();
            return;
        }
        final long more = notLogged.getAndSet(0);
        LOGGER.log(System.Logger.Level.ERROR, text + (0 == more ? "" : ", and " + more + " like it"), cause);
    }
}
