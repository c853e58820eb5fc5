package io.escapement.perf.players;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Round trips by the time at which they were planned to begin, in slices of equal length. All its memory is there from
 * the start.
 */
final class PlannedPings
{
    private static final long LONGEST_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long LEAST_SLICE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int MOST_SLICES = 40;
    private static final int DIGITS = 3;
    /** What is not answered by then was no service. */
    private static final double LEAST_SHARE = 0.99;

    private final Histogram[] slices;
    private final long sliceNs;
    private final double movesPerSlice;
    private long startNs;
    private long startMs;

    PlannedPings(final Phase phase)
    {
        final long durationNs = TimeUnit.MILLISECONDS.toNanos(phase.durationMs());
        sliceNs = Math.max(LEAST_SLICE_NS, durationNs / MOST_SLICES);
        slices = new Histogram[(int)Math.max(1, durationNs / sliceNs)];
        movesPerSlice = phase.movesPerSecond() * (sliceNs / 1e9);
        for (int i = 0; i < slices.length; i++)
        {
            slices[i] = new Histogram(1, LONGEST_NS, DIGITS);
        }
    }

    void start(final long nowNs)
    {
        startNs = nowNs;
        startMs = System.currentTimeMillis();
    }

    void record(final long plannedNs, final long pingNs)
    {
        final int slice = (int)Math.max(0, Math.min(slices.length - 1, (plannedNs - startNs) / sliceNs));
        slices[slice].recordValue(Math.max(1, Math.min(LONGEST_NS, pingNs)));
    }

    /**
     * From the beginning until the first while began in which the players were served well: nearly every move was
     * answered, and 99 of 100 within the limit.
     *
     * @return milliseconds, or {@link PlayersRun#UNKNOWN} when there was no such while.
     */
    long recoveredMs(final long limitNs, final long whileNs)
    {
        final int length = (int)Math.max(1, Math.min(slices.length, whileNs / sliceNs));
        for (int first = 0; first + length <= slices.length; first++)
        {
            final Histogram total = new Histogram(1, LONGEST_NS, DIGITS);
            for (int i = first; i < first + length; i++)
            {
                total.add(slices[i]);
            }
            if (total.getTotalCount() >= Math.max(1, Math.floor(LEAST_SHARE * movesPerSlice * length)) &&
                total.getValueAtPercentile(99) <= limitNs)
            {
                return TimeUnit.NANOSECONDS.toMillis(first * sliceNs);
            }
        }
        return PlayersRun.UNKNOWN;
    }

    /** The slices that hold anything, with their wall times. */
    Histogram[] intervals()
    {
        for (int i = 0; i < slices.length; i++)
        {
            slices[i].setStartTimeStamp(startMs + TimeUnit.NANOSECONDS.toMillis(i * sliceNs));
            slices[i].setEndTimeStamp(startMs + TimeUnit.NANOSECONDS.toMillis((i + 1) * sliceNs));
        }
        return Arrays.stream(slices).filter((slice) -> 0 != slice.getTotalCount()).toArray(Histogram[]::new);
    }
}
