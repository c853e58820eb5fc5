package io.escapement.perf.loop;

import io.escapement.engine.internal.loop.LoopMeasurements;
import io.escapement.engine.monitor.LoopRecorder;
import io.escapement.perf.peers.GameLoopThread;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * The frames of actions on a game loop thread, recorded between the work of a frame and the sleep after it.
 *
 * <p>An action owns memory if the plan says so, and reads and writes every cache line of it in each frame. The rooms of
 * the engine get no additional memory: each has about that much already, of which a frame touches a part. Without such
 * memory the thread costs less than a thread with rooms. With such memory it costs at least as much.
 */
final class GameLoopFrames extends FramesUnderTest
{
    private static final long SECOND_MS = 1_000;
    private static final int CACHE_LINE = 64;

    private final LoopMeasurements recorder = new LoopMeasurements();
    private final FrameAction[] actions;
    private final FrameDeadlines deadlines;
    private final GameLoopThread loop;
    private final Thread thread;
    private volatile long missed;

    /** Such loops sleep a whole number of milliseconds. */
    GameLoopFrames(final FramesPlan plan, final int hz)
    {
        super(plan, hz);
        actions = new FrameAction[plan.rooms];
        deadlines = new FrameDeadlines(hz, System.nanoTime());
        loop = new GameLoopThread(Math.max(1, SECOND_MS / hz), this::onFrames);
        Arrays.setAll(actions, (i) -> new FrameAction(0 == i));
        Stream.of(actions).forEach(loop::nextFrame);
        thread = new Thread(loop, "game-loop");
        thread.start();
    }

    @Override
    LoopRecorder recorder()
    {
        return recorder;
    }

    @Override
    long missed()
    {
        return missed;
    }

    @Override
    void check()
    {
        if (!thread.isAlive())
        {
            throw new IllegalStateException("the game loop thread failed");
        }
    }

    @Override
    public void close()
    {
        loop.close();
        try
        {
            thread.join();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    long countedFrames()
    {
        return Stream.of(actions).mapToLong(FrameAction::frames).sum();
    }

    private void onFrames(final int count, final long startNs, final long endNs)
    {
        recorder.frameWork().recordValueWithCount((endNs - startNs) / count, count);
        final long newlyDue = deadlines.serve(startNs);
        if (0 != newlyDue)
        {
            recorder.frameLateness().recordValueWithCount(endNs - deadlines.lastNs(), newlyDue * count);
            missed = deadlines.missed * count;
        }
    }

    /** An action, and its memory, which counts the frames in each of its cache lines. */
    private final class FrameAction implements Runnable
    {
        private final boolean isFirst;
        private final byte[] owned = new byte[plan.ownedBytes()];
        private long frames;

        FrameAction(final boolean isFirst)
        {
            this.isFirst = isFirst;
        }

        @Override
        public void run()
        {
            frames++;
            if (isFirst)
            {
                onFrame(frames);
            }
            for (int i = 0; i < owned.length; i += CACHE_LINE)
            {
                owned[i]++;
            }
            plan.work();
            loop.nextFrame(this);
        }

        /** The frames that it ran, or 0 if a cache line says otherwise. */
        long frames()
        {
            for (int i = 0; i < owned.length; i += CACHE_LINE)
            {
                if ((byte)frames != owned[i])
                {
                    return 0;
                }
            }
            return frames;
        }
    }
}
