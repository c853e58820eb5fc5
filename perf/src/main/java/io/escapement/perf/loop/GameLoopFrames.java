package io.escapement.perf.loop;

import io.escapement.perf.peers.GameLoopThread;
import io.escapement.perf.process.CompilerTime;
import io.escapement.perf.process.Findings;
import io.escapement.perf.process.IntervalRecorder;
import java.util.concurrent.TimeUnit;

/** Frames of actions on a game loop thread, measured where such a loop measures itself: between frame and sleep. */
final class GameLoopFrames
{
    private static final long SECOND_MS = 1_000;

    private final FramesOptions options;
    private final FramePace pace = new FramePace();
    private final FrameDeadlines deadlines;
    private final FrameAction[] actions;
    private final IntervalRecorder lateness;
    private final IntervalRecorder cost;
    private final long measureNs;
    private GameLoopThread loop;
    private long ran;
    private long startedNs;
    private long warmUntilNs;

    private GameLoopFrames(final FramesOptions options)
    {
        this.options = options;
        deadlines = new FrameDeadlines(options.hz());
        measureNs = TimeUnit.MILLISECONDS.toNanos(options.measureMs());
        lateness = new IntervalRecorder(measureNs, IntervalRecorder.DEFAULT_INTERVALS);
        cost = new IntervalRecorder(measureNs, IntervalRecorder.DEFAULT_INTERVALS);
        actions = new FrameAction[options.rooms()];
    }

    static Findings measure(final FramesOptions options)
    {
        return new GameLoopFrames(options).measure();
    }

    private Findings measure()
    {
        for (int i = 0; i < actions.length; i++)
        {
            actions[i] = new FrameAction(0 == i);
        }
        for (int round = 0; round < FramesOptions.WARM_UP_ROUNDS; round++)
        {
            warmUp(FramesOptions.FAST_HZ, options.fastNs());
            pace.begin();
            warmUp(options.hz(), options.paceNs());
            pace.end();
        }
        // As for rooms on a loop: not while it counts.
        System.gc();
        final long compiledMs = CompilerTime.ms();
        run(SECOND_MS / options.hz(), this::onFrame);
        final long compiledUntilMs = CompilerTime.ms();
        long counted = 0;
        for (final FrameAction action : actions)
        {
            counted += action.frames;
        }
        final long nowNs = System.nanoTime();
        return new Findings()
            .put(FramesRun.RAN, ran)
            .put(FramesRun.CHECKSUM_DIFFERENCE, counted - ran)
            .put(FramesRun.DUE, deadlines.due() * options.rooms())
            .put(FramesRun.MISSED, deadlines.missed() * options.rooms())
            .put(FramesRun.COMPILED_MS, compiledUntilMs - compiledMs)
            .put(FramesRun.DRIFT_PPB, pace.driftPpb(options.hz()))
            .add(FramesRun.LATENESS, lateness.stop(nowNs))
            .add(FramesRun.COST, cost.stop(nowNs));
    }

    /** Such loops sleep for whole milliseconds, as long as a frame is to be. Only the monitor ends it. */
    private void run(final long sleepMs, final GameLoopThread.Monitor monitor)
    {
        loop = new GameLoopThread(Math.max(1, sleepMs), monitor);
        for (final FrameAction action : actions)
        {
            loop.nextFrame(action);
        }
        loop.run();
    }

    private void warmUp(final int hz, final long ns)
    {
        warmUntilNs = System.nanoTime() + ns;
        run(SECOND_MS / hz, this::onWarmUpFrame);
    }

    private void onWarmUpFrame(final int count, final long startNs, final long endNs)
    {
        ran += count;
        if (endNs >= warmUntilNs)
        {
            loop.close();
        }
    }

    private void onFrame(final int count, final long startNs, final long endNs)
    {
        ran += count;
        if (!lateness.isStarted())
        {
            startedNs = startNs;
            deadlines.start(startNs);
            lateness.start(startNs);
            cost.start(startNs);
            pace.begin();
            return;
        }
        cost.record(endNs, (endNs - startNs) / count);
        final long fallenDue = deadlines.serve(startNs);
        if (0 != fallenDue)
        {
            lateness.record(endNs, endNs - deadlines.lastNs(), fallenDue * count);
        }
        if (startNs - startedNs >= measureNs)
        {
            pace.end();
            loop.close();
        }
    }

    private final class FrameAction implements Runnable
    {
        private final boolean isFirst;
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
                pace.frame(frames);
            }
            FramePace.work(options.workNs());
            loop.nextFrame(this);
        }
    }
}
