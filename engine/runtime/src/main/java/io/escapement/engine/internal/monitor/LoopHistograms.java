package io.escapement.engine.internal.monitor;

import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/** The histograms of a loop on the reader's side: the last interval's and the totals. */
final class LoopHistograms
{
    /** Receives histograms one after the other. */
    @FunctionalInterface
    interface Reader
    {
        /**
         * Receive one.
         *
         * @param name      loop and measurement, such as {@code loop-0.frameWork}.
         * @param isTime    whether the values are nanoseconds. Otherwise they are counts.
         * @param histogram valid only during the call.
         */
        void histogram(String name, boolean isTime, Histogram histogram);
    }

    /** One measurement. */
    private static final class Measurement
    {
        private final String name;
        private final boolean isTime;
        private final SingleWriterRecorder recorder;
        private Histogram interval;
        private Histogram total;

        Measurement(final String name, final boolean isTime, final SingleWriterRecorder recorder)
        {
            this.name = name;
            this.isTime = isTime;
            this.recorder = recorder;
        }
    }

    private final int loop;
    private final List<Measurement> measurements;

    LoopHistograms(final MonitoredLoop loop)
    {
        this.loop = loop.number();
        final String prefix = "loop-" + loop.number() + ".";
        measurements = List.of(
            new Measurement(prefix + "frameLateness", true, loop.recorder().frameLateness()),
            new Measurement(prefix + "frameWork", true, loop.recorder().frameWork()),
            new Measurement(prefix + "ringWait", true, loop.recorder().ringWait()),
            new Measurement(prefix + "commitWait", true, loop.recorder().commitWait()),
            new Measurement(prefix + "commandWork", true, loop.recorder().commandWork()),
            new Measurement(prefix + "turnCommands", false, loop.recorder().turnCommands()));
    }

    /** Take the interval since the last call, and add it to the totals. */
    synchronized void takeIntervals()
    {
        for (final Measurement one : measurements)
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

    int loop()
    {
        return loop;
    }

    synchronized void forEachInterval(final Reader reader)
    {
        measurements.forEach((one) -> reader.histogram(one.name, one.isTime, one.interval));
    }

    synchronized void forEachTotal(final Reader reader)
    {
        for (final Measurement one : measurements)
        {
            if (null != one.total)
            {
                reader.histogram(one.name, one.isTime, one.total);
            }
        }
    }
}
