package io.escapement.engine.internal.monitor;

import io.escapement.http.Metrics;
import io.escapement.testsupport.MetricsPage;
import java.nio.charset.StandardCharsets;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A loop's measurements, as Prometheus reads them. */
class LoopMetricsTest
{
    private final Histogram histogram = new Histogram(3);

    @Test
    void shouldCountTimesUpToTheEndsOfBuckets()
    {
        for (final long ns : new long[]{0, 1_023, 1_024, 1_030, 1_000_000, 20_000_000_000L})
        {
            histogram.recordValue(ns);
        }
        final MetricsPage page = page("loop-3.frameLateness", true);
        assertEquals("histogram", page.types().get("escapement_loop_frame_lateness_seconds"));
        assertBucket(3, page, "1.024E-6");
        assertBucket(4, page, "2.048E-6");
        assertBucket(4, page, "5.24288E-4");
        assertBucket(5, page, "0.001048576");
        assertBucket(5, page, "8.589934592");
        assertBucket(6, page, "+Inf");
        assertEquals(6, page.value("escapement_loop_frame_lateness_seconds_count{loop=\"3\"}"));
        assertEquals(20.001, page.value("escapement_loop_frame_lateness_seconds_sum{loop=\"3\"}"), 0.01);
    }

    @Test
    void shouldCountCounts()
    {
        histogram.recordValue(1);
        histogram.recordValue(3);
        histogram.recordValue(4);
        final MetricsPage page = page("loop-3.turnCommands", false);
        final String bucket = "escapement_loop_turn_commands_bucket{le=\"%s\",loop=\"3\"}";
        assertEquals(1, page.value(bucket.formatted("1.0")));
        assertEquals(1, page.value(bucket.formatted("2.0")));
        assertEquals(3, page.value(bucket.formatted("4.0")));
        assertEquals(3, page.value(bucket.formatted("4096.0")));
        assertEquals(8, page.value("escapement_loop_turn_commands_sum{loop=\"3\"}"));
    }

    private static void assertBucket(final int count, final MetricsPage page, final String end)
    {
        assertEquals(count, page.value(
            "escapement_loop_frame_lateness_seconds_bucket{le=\"" + end + "\",loop=\"3\"}"), end);
    }

    private MetricsPage page(final String tag, final boolean isTime)
    {
        final Metrics metrics = new Metrics();
        MetricsServer.histogram(metrics, tag, isTime, histogram);
        return MetricsPage.parse(new String(metrics.answer().body(), StandardCharsets.UTF_8));
    }
}
