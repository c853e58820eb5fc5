package io.escapement.perf.loop;

import java.util.concurrent.TimeUnit;

/** Whether frames come as fast as they should, seen from one room: first and last frame that count, and their times. */
final class FramePace
{
    private static final long BILLION = 1_000_000_000L;

    private volatile boolean isRecording;
    private long firstFrame = -1;
    private long firstNs;
    private long lastFrame = -1;
    private long lastNs;

    /** From any thread. */
    void record(final boolean value)
    {
        isRecording = value;
    }

    /** In the room's thread. */
    void frame(final long frame)
    {
        if (!isRecording)
        {
            return;
        }
        lastFrame = frame;
        lastNs = System.nanoTime();
        if (firstFrame < 0)
        {
            firstFrame = frame;
            firstNs = lastNs;
        }
    }

    /** Once that thread has ended: how much longer than planned a period is, in parts of a thousand million. */
    long driftPpb(final int hz)
    {
        if (lastFrame <= firstFrame)
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
