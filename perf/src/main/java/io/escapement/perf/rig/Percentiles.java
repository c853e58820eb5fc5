package io.escapement.perf.rig;

import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/** Percentiles that the number of values can bear. */
public final class Percentiles
{
    private Percentiles()
    {
    }

    /** A percentile, NaN if fewer values than one are beyond it. The hundredth is the maximum. */
    public static double at(final Histogram histogram, final double percentile)
    {
        final long count = histogram.getTotalCount();
        // A hair's breadth less, because 99.9 has no exact double.
        final boolean isBorne = count > 0 && (100 == percentile || count * (100 - percentile) / 100 >= 1 - 1e-6);
        return isBorne ? histogram.getValueAtPercentile(percentile) : Double.NaN;
    }

    /**
     * A value for each frame, from values recorded for each room-frame: rooms with simultaneous frames are late
     * together, and count once.
     *
     * @param roomsPerFrame rooms that run together.
     */
    public static Histogram perFrame(final Histogram histogram, final long roomsPerFrame)
    {
        final Histogram frames = new Histogram(3);
        for (final HistogramIterationValue value : histogram.recordedValues())
        {
            frames.recordValueWithCount(value.getValueIteratedTo(),
                Math.max(1, Math.round((double)value.getCountAtValueIteratedTo() / Math.max(1, roomsPerFrame))));
        }
        return frames;
    }
}
