package io.escapement.arena.bots;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Messages that a room has not had, or has had twice, by its answers to pings. */
class DeliveryCheckTest
{
    private final List<Long> differences = new ArrayList<>();
    private final DeliveryCheck check = new DeliveryCheck(differences::add);

    @Test
    void shouldFindNothingWhenEachMessageRanOnce()
    {
        check.onPing(100, 3);
        check.onPong(100, 3);
        check.onPing(200, 9);
        check.onPing(300, 12);
        check.onPong(200, 9);
        check.onPong(300, 12);
        assertStats(3, 0, 0);
    }

    @Test
    void shouldCountAFaultOnce()
    {
        check.onPing(100, 3);
        check.onPong(100, 2);
        assertStats(1, 1, 0);
        check.onPing(200, 9);
        check.onPong(200, 8);
        assertStats(2, 1, 0);
        check.onPing(300, 12);
        check.onPong(300, 13);
        assertStats(3, 1, 2);
    }

    @Test
    void shouldDoWithoutAnswersOfAServerThatWasKilled()
    {
        for (int i = 1; i <= 200; i++)
        {
            check.onPing(100 * i, 5 * i);
        }
        // The first was forgotten, and the 199th has no answer.
        check.onPong(100, 7);
        assertStats(0, 0, 0);
        check.onPong(100 * 198, 5 * 198);
        check.onPong(100 * 200, 5 * 200 + 1);
        assertStats(2, 0, 1);
        check.onPong(100 * 200, 5 * 200 + 2);
        assertStats(2, 0, 1);
    }

    @Test
    void shouldForgiveWhatWasRefused()
    {
        check.onPing(100, 3);
        check.onRefused();
        check.onPong(100, 2);
        check.onPing(200, 4);
        check.onPong(200, 3);
        assertStats(1, 0, 0);
    }

    @Test
    void shouldBeginAgainOnAnotherSeat()
    {
        check.onPing(100, 8);
        check.onSeat();
        check.onPong(100, 1);
        check.onPing(200, 1);
        check.onPong(200, 1);
        assertStats(1, 0, 0);
    }

    private void assertStats(final long checked, final long lost, final long doubled)
    {
        assertEquals(checked, differences.size());
        assertEquals(lost, -differences.stream().mapToLong((more) -> Math.min(0, more)).sum());
        assertEquals(doubled, differences.stream().mapToLong((more) -> Math.max(0, more)).sum());
    }
}
