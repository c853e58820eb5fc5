package io.escapement.perf.loop;

/** The mean period of the frames of one room, from its first and last frame in a recording. */
final class FramePace
{
    private static final long BILLION = 1_000_000_000L;
    private static final int NOT_RECORDING = 0;

    /** Number of the current recording. */
    private volatile int recording = NOT_RECORDING;
    private int recordings;
    private int recorded;
    private long firstFrame;
    private long firstNs;
    private long lastFrame;
    private long lastNs;

    /** Start a recording, which replaces the one before. Always from the same thread. */
    void start()
    {
        recording = ++recordings;
    }

    /** End the recording, from the thread that started it. */
    void stop()
    {
        recording = NOT_RECORDING;
    }

    /** A frame runs, in the room's thread. */
    void onFrame(final long frame)
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

    /** By how much the period exceeds that of a rate, in parts per billion. After the room's thread has ended. */
    long driftPpb(final int hz)
    {
        if (recorded != recordings || lastFrame <= firstFrame)
        {
            throw new IllegalStateException("too short: fewer than two frames");
        }
        final double periodNs = (lastNs - firstNs) / (double)(lastFrame - firstFrame);
        return Math.round((periodNs * hz / BILLION - 1) * BILLION);
    }
}
