package io.escapement.arena.program;

import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Messages that a room has not had, or has had twice, by its answers to pings. */
class DeliveryCheckTest
{
    private final DeliveryCheck check = new DeliveryCheck();
    private final BotStats stats = new BotStats();

    @Test
    void shouldFindNothingWhenEachMessageRanOnce()
    {
        check.onPing(100, 3);
        check.onPong(100, 3, stats);
        check.onPing(200, 9);
        check.onPing(300, 12);
        check.onPong(200, 9, stats);
        check.onPong(300, 12, stats);
        assertStats(3, 0, 0);
    }

    @Test
    void shouldCountAFaultOnce()
    {
        check.onPing(100, 3);
        check.onPong(100, 2, stats);
        assertStats(1, 1, 0);
        check.onPing(200, 9);
        check.onPong(200, 8, stats);
        assertStats(2, 1, 0);
        check.onPing(300, 12);
        check.onPong(300, 13, stats);
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
        check.onPong(100, 7, stats);
        assertStats(0, 0, 0);
        check.onPong(100 * 198, 5 * 198, stats);
        check.onPong(100 * 200, 5 * 200 + 1, stats);
        assertStats(2, 0, 1);
        check.onPong(100 * 200, 5 * 200 + 2, stats);
        assertStats(2, 0, 1);
    }

    @Test
    void shouldForgiveWhatWasRefused()
    {
        check.onPing(100, 3);
        check.onRefused();
        check.onPong(100, 2, stats);
        check.onPing(200, 4);
        check.onPong(200, 3, stats);
        assertStats(1, 0, 0);
    }

    @Test
    void shouldBeginAgainOnAnotherSeat()
    {
        check.onPing(100, 8);
        check.onSeat();
        check.onPong(100, 1, stats);
        check.onPing(200, 1);
        check.onPong(200, 1, stats);
        assertStats(1, 0, 0);
    }

    private void assertStats(final long checked, final long lost, final long doubled)
    {
        final StatisticsLine line = stats.line("x", 1);
        assertEquals(checked, line.whole("checked"));
        assertEquals(lost, line.whole("lost"));
        assertEquals(doubled, line.whole("doubled"));
    }
}
