package io.escapement.engine.internal.monitor;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import static io.escapement.engine.internal.monitor.LogWatchdog.LIMIT_NS;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** A log without room is reported after a second, once, and again when it happens again. */
class LogWatchdogTest
{
    private final List<String> reports = new ArrayList<>();
    private long sinceNs = -1;
    private final LogWatchdog watchdog = new LogWatchdog(3, () -> sinceNs, (ex) -> reports.add(ex.getMessage()));

    @Test
    void shouldReportALogWithoutRoomOnceEachTime()
    {
        assertEquals(0, watchdog.poll(5 * LIMIT_NS));
        sinceNs = 7;
        assertEquals(0, watchdog.poll(6 + LIMIT_NS));
        assertEquals(1, watchdog.poll(7 + LIMIT_NS));
        assertEquals(0, watchdog.poll(8 + LIMIT_NS));
        assertEquals(List.of("the log of loop 3 has had no room for turns for 1000 ms, so its commands wait: " +
            "its disk or the other nodes do not keep up"), reports);
        sinceNs = -1;
        assertEquals(0, watchdog.poll(9 * LIMIT_NS));
        sinceNs = 8 * LIMIT_NS;
        assertEquals(1, watchdog.poll(10 * LIMIT_NS));
        assertEquals(2, reports.size());
    }
}
