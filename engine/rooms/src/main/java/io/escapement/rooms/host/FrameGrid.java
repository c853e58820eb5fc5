package io.escapement.rooms.host;

/**
 * The deadlines of one rate and phase: host time 0, plus the phase's share of a period, plus n periods. Each is
 * computed from n by whole seconds and a remainder, without drift or overflow.
 */
final class FrameGrid
{
    private static final long SECOND_NS = 1_000_000_000L;
    /** From here on the deadlines of a grid might overflow. The offset of a grid is below 1 s. */
    private static final long LAST_SECOND = Long.MAX_VALUE / SECOND_NS - 1;

    private final int rateHz;
    private final long offsetNs;

    FrameGrid(final int rateHz, final int phase, final int phases)
    {
        this.rateHz = rateHz;
        offsetNs = SECOND_NS * phase / ((long)rateHz * phases);
    }

    long deadlineNs(final long n)
    {
        final long seconds = n / rateHz;
        if (seconds >= LAST_SECOND)
        {
            // The end of time, at which no frame runs.
            return Long.MAX_VALUE;
        }
        return offsetNs + seconds * SECOND_NS + (n - seconds * rateHz) * SECOND_NS / rateHz;
    }

    /** The last n with a deadline not later than a time, or -1 if no deadline is. */
    long lastAt(final long nowNs)
    {
        if (nowNs < offsetNs)
        {
            return -1;
        }

        final long sinceNs = nowNs - offsetNs;
        final long seconds = sinceNs / SECOND_NS;
        // Deadlines are rounded down. Therefore the next deadline may be due although the quotient is 1 less.
        final long n = seconds * rateHz + (sinceNs - seconds * SECOND_NS) * rateHz / SECOND_NS;
        return deadlineNs(n + 1) <= nowNs ? n + 1 : n;
    }
}
