package io.escapement.perf.echo;

import io.escapement.driver.DriverDirectory;
import io.escapement.perf.Stopped;
import io.escapement.perf.process.Findings;
import io.escapement.perf.process.Ports;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The test of the rig itself: with the server stopped for half of the run, half of the samples have to tell. A client
 * that waited for its answers would have sent nothing meanwhile, and would have seen one slow message.
 */
@Timeout(60)
@EnabledOnOs({OS.LINUX, OS.MAC})
class StoppedServerTest
{
    private static final int RATE = 5_000;
    private static final int RUN_MS = 3_000;
    private static final long BEFORE_MS = 700;
    private static final long STOP_MS = 1_500;

    private long stoppedMs;

    @Test
    void shouldTellThatTheServerStoodStill()
    {
        final Findings findings = EchoRun.run(
            new EchoOptions("engine", "solo", "busy", "udp", RATE, 64, 500, RUN_MS, Ports.free(),
                DriverDirectory.temporary()),
            (server) -> stoppedMs = Stopped.forAWhile(server, BEFORE_MS, STOP_MS));
        final Histogram latency = findings.total(EchoRun.LATENCY);

        assertEquals(findings.value(EchoRun.SENT), findings.value(EchoRun.RECEIVED), "lost messages");
        assertEquals((long)RATE * RUN_MS / 1_000, latency.getTotalCount(), "not every planned message counts");
        assertTrue(latency.getMaxValue() >= ms(1_400), "the longest was " + latency.getMaxValue() + " ns");
        assertTrue(latency.getMaxValue() <= ms(stoppedMs + 700), "the longest was " + latency.getMaxValue() + " ns");

        // After half a second of warm-up nearly everything is still to be compiled.
        assertTrue(findings.value(EchoRun.COMPILED_MS) > 0, "nothing was compiled");

        // Of those planned while it stood, the ones that had to wait for more than a tenth of the time.
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
