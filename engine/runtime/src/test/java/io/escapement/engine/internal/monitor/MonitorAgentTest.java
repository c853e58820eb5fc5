package io.escapement.engine.internal.monitor;

import io.escapement.engine.internal.queue.EngineClock;
import io.escapement.engine.monitor.MonitorContext;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** How often a monitor looks, and when it calls the hook of a fault. */
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

    /** The hook may end the process, and each trunk is to have its Goodbye by then. */
    @Test
    void shouldCallTheHookOfAFaultOnceAndACheckLater()
    {
        final AtomicLong timeNs = new AtomicLong();
        final AtomicBoolean isFaulty = new AtomicBoolean();
        final AtomicInteger calls = new AtomicInteger();
        final MonitorAgent monitor = monitor(ms(100), timeNs::get);
        try
        {
            monitor.onFault(isFaulty::get, calls::incrementAndGet);
            work(monitor, timeNs, ms(200));
            isFaulty.set(true);
            work(monitor, timeNs, ms(60));
            assertEquals(0, calls.get(), "the trunks have not been told yet");
            work(monitor, timeNs, ms(60));
            assertEquals(1, calls.get());
            work(monitor, timeNs, ms(1_000));
            assertEquals(1, calls.get());
        }
        finally
        {
            monitor.onClose();
        }
    }

    private static void work(final MonitorAgent monitor, final AtomicLong timeNs, final long durationNs)
    {
        for (final long endNs = timeNs.get() + durationNs; timeNs.get() < endNs; timeNs.addAndGet(monitor.periodNs()))
        {
            monitor.doWork();
        }
    }

    private static long periodNs(final long stallLimitNs)
    {
        final MonitorAgent monitor = monitor(stallLimitNs, SystemNanoClock.INSTANCE);
        try
        {
            return monitor.periodNs();
        }
        finally
        {
            monitor.onClose();
        }
    }

    private static MonitorAgent monitor(final long stallLimitNs, final NanoClock clock)
    {
        return new MonitorAgent(
            new MonitorContext().stalls(stallLimitNs, (stall) -> { }), List.of(), List.of(),
            new EngineCounters(), new EngineClock(clock), new FaultReporter((ex) -> { }, null));
    }

    private static long ms(final long ms)
    {
        return TimeUnit.MILLISECONDS.toNanos(ms);
    }
}
