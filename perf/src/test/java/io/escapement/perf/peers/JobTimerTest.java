package io.escapement.perf.peers;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class JobTimerTest
{
    private final JobTimer timer = new JobTimer();
    private final List<Long> ran = new ArrayList<>();

    @Test
    void shouldRunWhatIsDueInTheOrderOfDeadlines()
    {
        for (final long deadlineNs : new long[]{50, 10, 40, 20, 30})
        {
            timer.reserve(deadlineNs, () -> ran.add(deadlineNs));
        }
        assertEquals(0, timer.distribute(9));
        assertEquals(3, timer.distribute(30));
        assertEquals(List.of(10L, 20L, 30L), ran);
        assertEquals(2, timer.distribute(100));
        assertEquals(0, timer.distribute(1_000));
    }

    @Test
    void shouldCancelTheOneThatIsMeantAndNoneTwice()
    {
        final JobTimer.Reservation first = timer.reserve(10, () -> ran.add(1L));
        timer.reserve(10, () -> ran.add(2L));
        assertTrue(timer.cancel(first));
        assertFalse(timer.cancel(first));
        assertEquals(1, timer.distribute(10));
        assertEquals(List.of(2L), ran);
    }

    @Test
    void shouldLetAJobReserveTheNext()
    {
        timer.reserve(10, () -> timer.reserve(5, () -> ran.add(5L)));
        assertEquals(1, timer.distribute(10));
        assertEquals(List.of(), ran);
        assertEquals(1, timer.distribute(10));
        assertEquals(List.of(5L), ran);
    }
}
