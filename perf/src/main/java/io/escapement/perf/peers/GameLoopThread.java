package io.escapement.perf.peers;

import java.util.Arrays;

/**
 * A dedicated thread that runs a frame, sleeps, and runs the next: the usual server-side game loop. Whoever wants a
 * frame registers an action, which runs once; to be called each frame it registers itself again from within. There
 * are two arrays that grow and never shrink: one is being run while the other collects the next frame's actions, and
 * a lock guards which is which.
 * <p>
 * Its period is the frame's work plus the sleep, so that it is always late, by more under more load.
 */
public final class GameLoopThread implements Runnable, AutoCloseable
{
    /**
     * Watches the frames, in the thread of the loop.
     */
    @FunctionalInterface
    public interface Monitor
    {
        /**
         * A frame is over, and the sleep is about to begin.
         *
         * @param actions that ran.
         * @param startNs of {@link System#nanoTime()}, before the first.
         * @param endNs   of {@link System#nanoTime()}, after the last.
         */
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

    /**
     * Have an action run once, in the next frame. From any thread, also from an action that is being run.
     *
     * @param action to run. It must not throw.
     */
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

    /**
     * Run one frame, without the sleep: every action that was registered before it. From one thread at a time.
     *
     * @return number of actions that ran.
     */
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

    /**
     * Run frames, with a sleep after each, until closed or interrupted.
     */
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

    /**
     * Let {@link #run()} end after the frame and the sleep it is in. From any thread.
     */
    @Override
    public void close()
    {
        isClosed = true;
    }
}
