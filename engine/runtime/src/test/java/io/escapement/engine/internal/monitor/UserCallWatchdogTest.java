package io.escapement.engine.internal.monitor;

import io.escapement.engine.internal.loop.UserCall;
import io.escapement.engine.internal.queue.EngineClock;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.CachedNanoClock;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A call that does not return is reported once, with the stack of its thread. */
class UserCallWatchdogTest
{
    private static final long LIMIT_NS = 100;

    private final CachedNanoClock clock = new CachedNanoClock();
    private final List<Throwable> reports = new ArrayList<>();

    @Test
    void shouldReportEachCallThatExceedsItsLimitOnce()
    {
        final UserCall call = new UserCall("errorHandler", LIMIT_NS, new EngineClock(clock));
        final UserCallWatchdog watchdog = new UserCallWatchdog(call, reports::add);
        assertEquals(0, watchdog.poll(1_000_000));
        clock.update(5);
        call.begin();
        assertEquals(0, watchdog.poll(5 + LIMIT_NS - 1));
        assertEquals(1, watchdog.poll(5 + LIMIT_NS));
        assertEquals(0, watchdog.poll(1_000_000));
        final Throwable report = reports.get(0);
        assertEquals("errorHandler has not returned for 0 ms, and holds thread " + Thread.currentThread().getName(),
            report.getMessage());
        assertEquals(UserCallWatchdogTest.class.getName(), List.of(report.getStackTrace()).stream()
            .map(StackTraceElement::getClassName).filter((name) -> name.endsWith("Test")).findFirst().orElse(""));

        call.end();
        assertEquals(0, watchdog.poll(2_000_000));
        clock.update(3_000_000);
        call.begin();
        assertEquals(1, watchdog.poll(3_000_000 + LIMIT_NS));
        assertEquals(2, reports.size());
    }
}
