package io.escapement.perf.peers;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class SafeAgronaTimersTest
{
    private static final long TICK_NS = 1024;

    private final SafeAgronaTimers timers = new SafeAgronaTimers(TICK_NS, 16, 4, 64);
    private final List<Long> fired = new ArrayList<>();

    @Test
    void shouldFireWhenDueAndNotBefore()
    {
        final long first = timers.set(10 * TICK_NS);
        final long second = timers.set(100 * TICK_NS);
        assertEquals(0, timers.poll(9 * TICK_NS, fired::add));
        assertEquals(1, timers.poll(11 * TICK_NS, fired::add));
        assertEquals(1, timers.poll(101 * TICK_NS, fired::add));
        assertEquals(List.of(first, second), fired);
        assertEquals(0, timers.poll(1_000 * TICK_NS, fired::add));
    }

    @Test
    void shouldNotCancelTheTimerThatTookAStaleOnesPlace()
    {
        final long stale = timers.set(10 * TICK_NS);
        assertTrue(timers.cancel(stale));
        final long successor = timers.set(10 * TICK_NS);
        assertNotEquals(stale, successor);
        assertFalse(timers.cancel(stale));
        assertEquals(1, timers.poll(11 * TICK_NS, fired::add));
        assertEquals(List.of(successor), fired);
        assertFalse(timers.cancel(successor));
    }

    @Test
    void shouldLetAHandlerSetAndCancel()
    {
        timers.set(2 * TICK_NS);
        final long victim = timers.set(50 * TICK_NS);
        timers.poll(
            3 * TICK_NS,
            (handle) ->
            {
                fired.add(handle);
                assertTrue(timers.cancel(victim));
                timers.set(60 * TICK_NS);
            });
        assertEquals(1, timers.poll(61 * TICK_NS, fired::add));
    }
}
