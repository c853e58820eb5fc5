package io.escapement.perf.loop;

/**
 * The deadlines of a rate, for frames that come when they like. A frame serves the latest deadline that is due; those
 * before it that no frame has served were missed.
 */
final class FrameDeadlines
{
    private static final long SECOND_NS = 1_000_000_000L;

    private final int hz;
    private long startNs;
    private long served;
    private long due;
    private long missed;

    FrameDeadlines(final int hz)
    {
        this.hz = hz;
    }

    /** The deadlines are a period, two periods and so on from here. */
    void start(final long nowNs)
    {
        startNs = nowNs;
    }

    /**
     * A frame begins.
     *
     * @return how many deadlines have fallen due since the last that was served, 0 when the frame is early.
     */
    long serve(final long nowNs)
    {
        final long last = (nowNs - startNs) * hz / SECOND_NS;
        final long fallenDue = last - served;
        if (fallenDue > 0)
        {
            due += fallenDue;
            missed += fallenDue - 1;
            served = last;
        }
        return fallenDue;
    }

    /** The deadline that was served last. */
    long lastNs()
    {
        return startNs + served * SECOND_NS / hz;
    }

    long due()
    {
        return due;
    }

    long missed()
    {
        return missed;
    }
}
