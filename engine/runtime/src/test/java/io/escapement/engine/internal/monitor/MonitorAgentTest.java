package io.escapement.engine.internal.monitor;

import io.escapement.engine.internal.queue.EngineClock;
import io.escapement.engine.monitor.MonitorContext;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** How often a monitor looks. */
class MonitorAgentTest
{
    @Test
    void shouldLookSeveralTimesInAStallAndNoMoreOftenThanThat()
    {
        assertEquals(ms(20), periodNs(new MonitorContext().stallLimitNs()), "unless set");
        assertEquals(ms(4), periodNs(ms(20)));
        assertEquals(ms(20), periodNs(ms(1_000)), "periodic jobs wait for it");
        assertEquals(ms(1), periodNs(1), "it would take a core");
    }

    private static long periodNs(final long stallLimitNs)
    {
        final MonitorAgent monitor = new MonitorAgent(
            new MonitorContext().stalls(stallLimitNs, (stall) -> { }), List.of(), List.of(),
            new EngineCounters(), new EngineClock(SystemNanoClock.INSTANCE),
            new FaultReporter((ex) -> { }, null));
        try
        {
            return monitor.periodNs();
        }
        finally
        {
            monitor.onClose();
        }
    }

    private static long ms(final long ms)
    {
        return TimeUnit.MILLISECONDS.toNanos(ms);
    }
}
