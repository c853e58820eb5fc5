package io.escapement.engine.watch;

import java.util.List;
import java.util.function.BiConsumer;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/** The histograms of a loop as they are read: each interval's, and all of it. */
final class LoopHistograms
{
    /** One of the four. */
    private static final class Kept
    {
        private final String name;
        private final SingleWriterRecorder recorder;
        private Histogram interval;
        private Histogram total;

        Kept(final String name, final SingleWriterRecorder recorder)
        {
            this.name = name;
            this.recorder = recorder;
        }
    }

    private final List<Kept> kept;

    LoopHistograms(final WatchedLoop loop)
    {
        final String prefix = "loop-" + loop.number() + ".";
        kept = List.of(
            new Kept(prefix + "frameLateness", loop.recorder().frameLateness()),
            new Kept(prefix + "frameWork", loop.recorder().frameWork()),
            new Kept(prefix + "ringWait", loop.recorder().ringWait()),
            new Kept(prefix + "commandWork", loop.recorder().commandWork()));
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

    synchronized void intervals(final BiConsumer<String, Histogram> reader)
    {
        kept.forEach((one) -> reader.accept(one.name, one.interval));
    }

    synchronized void totals(final BiConsumer<String, Histogram> reader)
    {
        for (final Kept one : kept)
        {
            if (null != one.total)
            {
                reader.accept(one.name, one.total);
            }
        }
    }
}
