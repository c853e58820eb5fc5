package io.escapement.perf.loop;

import java.util.concurrent.TimeUnit;

/** Whether frames come as fast as they should, seen from one room: first and last frame that count, and their times. */
final class FramePace
{
    private static final long BILLION = 1_000_000_000L;

    private static final int NOT_RECORDING = 0;

    /** Which recording it is. */
    private volatile int recording = NOT_RECORDING;
    private int recordings;
    private int recorded;
    private long firstFrame;
    private long firstNs;
    private long lastFrame;
    private long lastNs;

    /** Forget what came before, and take what comes now. From one thread, any. */
    void begin()
    {
        recording = ++recordings;
    }

    /** From that thread. */
    void end()
    {
        recording = NOT_RECORDING;
    }

    /** In the room's thread. */
    void frame(final long frame)
    {
        final int now = recording;
        if (NOT_RECORDING == now)
        {
            return;
        }
        lastFrame = frame;
        lastNs = System.nanoTime();
        if (recorded != now)
        {
            recorded = now;
            firstFrame = frame;
            firstNs = lastNs;
        }
    }

    /** Once that thread has ended: how much longer than planned a period is, in parts of a thousand million. */
    long driftPpb(final int hz)
    {
        if (recorded != recordings || lastFrame <= firstFrame)
        {
            throw new IllegalStateException("too short: not two frames");
        }
        final double periodNs = (lastNs - firstNs) / (double)(lastFrame - firstFrame);
        return Math.round((periodNs * hz / TimeUnit.SECONDS.toNanos(1) - 1) * BILLION);
    }

    /** What a room does in a frame: keep its thread busy. */
    static void work(final long ns)
    {
        if (0 != ns)
        {
            final long startNs = System.nanoTime();
            while (System.nanoTime() - startNs < ns)
            {
                Thread.onSpinWait();
            }
        }
    }
}
