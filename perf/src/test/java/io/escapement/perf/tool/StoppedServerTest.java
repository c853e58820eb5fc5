package io.escapement.perf.tool;

import io.escapement.perf.loopback.Echo;
import io.escapement.perf.loopback.EchoPlan;
import io.escapement.perf.rig.Measurements;
import io.escapement.testsupport.RealTime;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import picocli.CommandLine;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Tests the rig itself against coordinated omission: the server is stopped for half of the run, so half of the samples
 * must be late. A client that waited for answers would send nothing during the stop and record one slow message.
 */
@RealTime("a process that is stopped while it is measured")
@EnabledOnOs({OS.LINUX, OS.MAC})
class StoppedServerTest
{
    private static final int RATE = 5_000;
    private static final int RUN_MS = 3_000;
    private static final long BEFORE_MS = 700;
    private static final long STOP_MS = 1_500;

    private long stoppedMs;

    @Test
    void shouldRecordTheMessagesPlannedDuringAStopOfTheServer()
    {
        final EchoPlan plan = CommandLine.populateCommand(new EchoPlan(), "--rate=" + RATE, "--warm-up-limit-ms=500")
            .forRun(new EchoPlan(), Echo.ENGINE, 500, RUN_MS);
        final Measurements run = MeasuredProcess.runPair(
            "echo", plan, (server) -> stoppedMs = Stopped.pause(server, BEFORE_MS, STOP_MS)).get(0);
        final Histogram latency = run.total(Echo.LATENCY);
        assertEquals(run.value(Echo.SENT), run.value(Echo.RECEIVED), "lost messages");
        assertEquals((long)RATE * RUN_MS / 1_000, latency.getTotalCount(), "not every planned message counts");
        assertTrue(latency.getMaxValue() >= ms(1_400), "the longest was " + latency.getMaxValue() + " ns");
        assertTrue(latency.getMaxValue() <= ms(stoppedMs + 700), "the longest was " + latency.getMaxValue() + " ns");
        // After half a second of warm-up most code is not compiled yet.
        assertTrue(ProcessUse.compiledMs(run) > 0, "nothing was compiled");
        // Messages planned during the stop that waited for more than a tenth of it.
        final double waited = latency.getCountBetweenValues(ms(STOP_MS / 10), latency.getMaxValue());
        final double share = waited / latency.getTotalCount();
        final double expected = 0.9 * STOP_MS / RUN_MS;
        assertTrue(share > expected - 0.05 && share < expected + 0.2,
            "waited: " + share + " of all, expected about " + expected);
    }

    private static long ms(final long ms)
    {
        return TimeUnit.MILLISECONDS.toNanos(ms);
    }
}
