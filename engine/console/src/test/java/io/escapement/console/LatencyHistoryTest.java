package io.escapement.console;

import io.escapement.testsupport.Tests;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The windows of frame lateness, with a clock that the test holds. */
class LatencyHistoryTest
{
    private static final String LATENESS = "frameLateness";
    private static final long MS = 1_000_000;

    private final CachedNanoClock clock = new CachedNanoClock();
    private final LatencyHistory history = new LatencyHistory(clock);

    @Test
    void shouldForgetOldPartsOfEachWindow()
    {
        add(16 * MS, 1_000);
        assertMedianUs(16_000, LatencyHistory.Window.values());
        seconds(9);
        assertMedianUs(16_000, LatencyHistory.Window.SHORT);
        seconds(1);
        assertEquals(0, history.curve(0, LatencyHistory.Window.SHORT).length);
        assertMedianUs(16_000, LatencyHistory.Window.LONG);
        seconds(300);
        assertEquals(0, history.curve(0, LatencyHistory.Window.LONG).length);
        assertMedianUs(16_000, LatencyHistory.Window.ALL);
    }

    @Test
    void shouldForgetAfterALongPause()
    {
        add(MS, 10);
        seconds(100_000);
        assertEquals(0, history.curve(0, LatencyHistory.Window.LONG).length);
        for (long i = 0; i < LatencyHistory.COLUMNS; i++)
        {
            assertEquals(0, Arrays.stream(history.column(0, history.second() - i)).sum());
        }
    }

    @Test
    void shouldEndACurveWhereItsFramesEnd()
    {
        assertEquals(0, history.curve(0, LatencyHistory.Window.ALL).length);
        add(MS, 1);
        assertEquals(1, history.curve(0, LatencyHistory.Window.ALL).length);
        add(MS, 99);
        // x = 100: one frame in a hundred is beyond.
        assertEquals(9, history.curve(0, LatencyHistory.Window.ALL).length);
        add(MS, 100_000_000);
        assertEquals(LatencyHistory.POINTS, history.curve(0, LatencyHistory.Window.ALL).length);
    }

    /** Against a histogram of all values, with the precision of two digits. */
    @Test
    void shouldHaveThePercentilesOfAllValues()
    {
        final long seed = Tests.seed();
        final Random random = new Random(seed);
        final Histogram all = new Histogram(3);
        for (int i = 0; i < 50; i++)
        {
            final Histogram interval = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);
            for (int j = 0; j < 200; j++)
            {
                final long value = 1_000L << random.nextInt(20);
                interval.recordValue(value);
                all.recordValue(value);
            }
            history.onInterval(0, LATENESS, interval);
            seconds(random.nextInt(3));
        }
        final double[] us = history.curve(0, LatencyHistory.Window.LONG);
        for (int i = 0; i < us.length; i++)
        {
            final double expected = all.getValueAtPercentile(100 - 100 / Math.pow(10, i / 4.0)) / 1_000.0;
            assertEquals(expected, us[i], expected * 0.01, "seed " + seed + ", point " + i);
        }
    }

    @Test
    void shouldCountFramesByPowersOfTwo()
    {
        add(500, 3);
        add(1_999, 1);
        add(2_000, 5);
        assertArrayEquals(new int[]{0, 0, 1, 23}, new int[]{LatencyHistory.row(0), LatencyHistory.row(1_999),
            LatencyHistory.row(2_000), LatencyHistory.row(Long.MAX_VALUE)});
        final int[] column = history.column(0, history.second());
        assertEquals(4, column[0]);
        assertEquals(5, column[1]);
        assertEquals(0, history.column(0, history.second() - LatencyHistory.COLUMNS)[0]);
        assertArrayEquals(new int[LatencyHistory.ROWS], history.column(9, history.second()));
    }

    @Test
    void shouldKeepOtherMeasurementsApart()
    {
        final Histogram work = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);
        work.recordValueWithCount(20_000, 100);
        history.onInterval(1, "frameWork", work);
        history.onInterval(1, "turnCommands", work);
        assertArrayEquals(new double[]{20, 20, 20}, history.summary(1, 0), 0.2);
        assertArrayEquals(new double[3], history.summary(1, 1));
        assertArrayEquals(new double[3], history.summary(5, 0));
        assertEquals(0, history.curve(1, LatencyHistory.Window.ALL).length);
    }

    @Test
    void shouldEstimateHowManyRoomsFit()
    {
        assertEquals(70, Sampler.fit(0.5, 100));
        assertEquals(0, Sampler.fit(0.9, 100));
        assertTrue(Double.isNaN(Sampler.fit(0.5, 0)));
        assertTrue(Double.isNaN(Sampler.fit(0, 10)));
    }

    private void assertMedianUs(final double us, final LatencyHistory.Window... windows)
    {
        for (final LatencyHistory.Window window : windows)
        {
            assertEquals(us, history.curve(0, window)[1], us * 0.01, window.name());
        }
    }

    private void add(final long ns, final int count)
    {
        final Histogram interval = new Histogram(TimeUnit.MINUTES.toNanos(1), 3);
        interval.recordValueWithCount(ns, count);
        history.onInterval(0, LATENESS, interval);
    }

    private void seconds(final long count)
    {
        clock.update(clock.nanoTime() + TimeUnit.SECONDS.toNanos(count));
    }
}
