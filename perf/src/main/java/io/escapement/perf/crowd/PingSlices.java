package io.escapement.perf.crowd;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** Round trips by the time that they were planned at, in equal slices. All memory is allocated up front. */
final class PingSlices
{
    private static final long HIGHEST_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long MIN_SLICE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int MAX_SLICES = 40;
    private static final int DIGITS = 3;
    /** Share of moves that must be answered in good service. */
    private static final double MIN_SHARE = 0.99;

    private final Histogram[] slices;
    private final long sliceNs;
    private final double movesPerSlice;
    private long startNs;
    private long startMs;

    PingSlices(final LoadPhase phase)
    {
        final long durationNs = TimeUnit.MILLISECONDS.toNanos(phase.durationMs());
        sliceNs = Math.max(MIN_SLICE_NS, durationNs / MAX_SLICES);
        slices = new Histogram[(int)Math.max(1, durationNs / sliceNs)];
        movesPerSlice = phase.movesPerSecond() * (sliceNs / 1e9);
        for (int i = 0; i < slices.length; i++)
        {
            slices[i] = new Histogram(1, HIGHEST_NS, DIGITS);
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
        slices[slice].recordValue(Math.max(1, Math.min(HIGHEST_NS, pingNs)));
    }

    /**
     * From the start until the first window of good service: nearly every move is answered, and 99 of 100 within the
     * limit.
     *
     * @return milliseconds, or {@link CrowdFigures#UNKNOWN} if there is no such window.
     */
    long recoveredMs(final long limitNs, final long windowNs)
    {
        final int length = (int)Math.max(1, Math.min(slices.length, windowNs / sliceNs));
        for (int first = 0; first + length <= slices.length; first++)
        {
            final Histogram total = new Histogram(1, HIGHEST_NS, DIGITS);
            for (int i = first; i < first + length; i++)
            {
                total.add(slices[i]);
            }
            if (total.getTotalCount() >= Math.max(1, Math.floor(MIN_SHARE * movesPerSlice * length)) &&
                total.getValueAtPercentile(99) <= limitNs)
            {
                return TimeUnit.NANOSECONDS.toMillis(first * sliceNs);
            }
        }
        return CrowdFigures.UNKNOWN;
    }

    /** The slices that hold values, with their wall times. */
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
