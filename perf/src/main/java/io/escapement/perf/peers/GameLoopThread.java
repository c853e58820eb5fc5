package io.escapement.perf.peers;

import java.util.Arrays;

/**
 * A dedicated thread that runs a frame, sleeps, and runs the next: the usual server-side game loop. An action is
 * registered for one frame, and re-registers itself for the next. Two arrays that grow and never shrink swap under a
 * lock: one runs while the other collects.
 *
 * <p>Because the period is the frame's work plus the sleep, the loop is late, and more so under load.
 */
public final class GameLoopThread implements Runnable, AutoCloseable
{
    /** Observes the frames, in the thread of the loop. */
    @FunctionalInterface
    public interface Monitor
    {
        /** Actions of a frame have run between two times of {@link System#nanoTime()}, and the sleep follows. */
        void onFrame(int actions, long startNs, long endNs);
    }

    private static final int INITIAL_CAPACITY = 16;

    private final Object lock = new Object();
    private final long sleepMs;
    private final Monitor monitor;
    private Runnable[] collecting = new Runnable[INITIAL_CAPACITY];
    private Runnable[] running = new Runnable[INITIAL_CAPACITY];
    private int collectedCount;
    private volatile boolean isClosed;

    /**
     * @param sleepMs to sleep after each frame's work, in milliseconds.
     */
    public GameLoopThread(final long sleepMs)
    {
        this(sleepMs, (actions, startNs, endNs) -> { });
    }

    /**
     * @param sleepMs to sleep after each frame's work, in milliseconds.
     * @param monitor of the frames that {@link #run()} runs.
     */
    public GameLoopThread(final long sleepMs, final Monitor monitor)
    {
        this.sleepMs = sleepMs;
        this.monitor = monitor;
    }

    /** Register an action for the next frame. From any thread, including a running action. It must not throw. */
    public void nextFrame(final Runnable action)
    {
        synchronized (lock)
        {
            if (collectedCount == collecting.length)
            {
                collecting = Arrays.copyOf(collecting, collectedCount * 2);
            }
            collecting[collectedCount++] = action;
        }
    }

    /** Run one frame without the sleep, from one thread at a time. Returns the number of actions that ran. */
    public int runFrame()
    {
        final Runnable[] actions;
        final int count;
        synchronized (lock)
        {
            actions = collecting;
            count = collectedCount;
            collecting = running;
            running = actions;
            collectedCount = 0;
        }
        for (int i = 0; i < count; i++)
        {
            actions[i].run();
            actions[i] = null;
        }
        return count;
    }

    /** Run frames, with a sleep after each, until closed or interrupted. */
    @Override
    public void run()
    {
        try
        {
            while (!isClosed)
            {
                final long startNs = System.nanoTime();
                final int actions = runFrame();
                monitor.onFrame(actions, startNs, System.nanoTime());
                Thread.sleep(sleepMs);
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** End {@link #run()} after the current frame and sleep. From any thread. */
    @Override
    public void close()
    {
        isClosed = true;
    }
}
