package io.escapement.engine.internal.monitor;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/** The histograms of a loop as they are read: each interval's, and all of it. */
final class LoopHistograms
{
    /** Is told of one after the other. */
    @FunctionalInterface
    interface Reader
    {
        /**
         * One histogram.
         *
         * @param name      of the loop and of what is measured.
         * @param isTime    whether its values are nanoseconds, and not numbers of something.
         * @param histogram which may be used until this returns.
         */
        void histogram(String name, boolean isTime, Histogram histogram);
    }

    /** One of them. */
    private static final class Kept
    {
        private final String name;
        private final boolean isTime;
        private final SingleWriterRecorder recorder;
        private Histogram interval;
        private Histogram total;

        Kept(final String name, final boolean isTime, final SingleWriterRecorder recorder)
        {
            this.name = name;
            this.isTime = isTime;
            this.recorder = recorder;
        }
    }

    private final List<Kept> kept;

    LoopHistograms(final MonitoredLoop loop)
    {
        final String prefix = "loop-" + loop.number() + ".";
        kept = List.of(
            new Kept(prefix + "frameLateness", true, loop.recorder().frameLateness()),
            new Kept(prefix + "frameWork", true, loop.recorder().frameWork()),
            new Kept(prefix + "ringWait", true, loop.recorder().ringWait()),
            new Kept(prefix + "commandWork", true, loop.recorder().commandWork()),
            new Kept(prefix + "turnCommands", false, loop.recorder().turnCommands()));
    }

    /** Take what was recorded since the last time. */
    synchronized void take()
    {
        for (final Kept one : kept)
        {
            one.interval = one.recorder.getIntervalHistogram(one.interval);
            one.interval.setTag(one.name);
            if (null == one.total)
            {
                one.total = new Histogram(one.interval);
            }
            one.total.add(one.interval);
        }
    }

    synchronized void intervals(final Reader reader)
    {
        kept.forEach((one) -> reader.histogram(one.name, one.isTime, one.interval));
    }

    synchronized void totals(final Reader reader)
    {
        for (final Kept one : kept)
        {
            if (null != one.total)
            {
                reader.histogram(one.name, one.isTime, one.total);
            }
        }
    }
}
