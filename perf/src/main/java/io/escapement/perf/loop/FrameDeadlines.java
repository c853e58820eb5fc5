package io.escapement.perf.loop;

/**
 * The deadlines of a rate, for a loop that does not follow them. A frame serves the latest deadline that is due.
 * Earlier unserved deadlines are missed.
 */
final class FrameDeadlines
{
    private static final long SECOND_NS = 1_000_000_000L;

    private final int hz;
    private final long startNs;
    private long served;
    long missed;

    /** The deadlines are whole periods after a time. */
    FrameDeadlines(final int hz, final long startNs)
    {
        this.hz = hz;
        this.startNs = startNs;
    }

    /** A frame starts. Returns the number of deadlines since the last served deadline, 0 if the frame is early. */
    long serve(final long nowNs)
    {
        final long last = (nowNs - startNs) * hz / SECOND_NS;
        final long newlyDue = last - served;
        if (newlyDue > 0)
        {
            missed += newlyDue - 1;
            served = last;
        }
        return newlyDue;
    }

    /** The deadline served last. */
    long lastNs()
    {
        return startNs + served * SECOND_NS / hz;
    }
}
