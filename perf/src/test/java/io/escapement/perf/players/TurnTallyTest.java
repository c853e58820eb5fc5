package io.escapement.perf.players;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(10)
class TurnTallyTest
{
    private final TurnTally tally = new TurnTally(new DriverShare());

    @Test
    void shouldTellWhatTheTurnHeldThatCameBeforeAMissedFrame()
    {
        final long beforeNs = System.nanoTime();
        tally.move(1_000);
        tally.move(1_000);
        tally.move(1_000);
        tally.frame(1_000, 0, true);
        tally.frame(21_000, 1, true);
        tally.frame(21_000, 2, true);
        tally.move(21_000);
        tally.frame(22_000, 0, true);

        assertEquals(1, tally.missedTurns());
        assertEquals(3, tally.kept(0, TurnTally.MISSED));
        assertEquals(20_000, tally.kept(0, TurnTally.GAP_NS));
        assertEquals(3, tally.kept(0, TurnTally.MOVES));
        assertEquals(1, tally.kept(0, TurnTally.FRAMES));
        assertTrue(tally.kept(0, TurnTally.AT_NS) >= beforeNs);
    }

    @Test
    void shouldNotTellOfWhatDoesNotCount()
    {
        tally.frame(1_000, 5, false);
        assertEquals(0, tally.missedTurns());
    }

    @Test
    void shouldKeepTheFirstAndCountAll()
    {
        for (int turn = 1; turn <= TurnTally.KEPT + 3; turn++)
        {
            tally.frame(turn * 1_000L, turn, true);
            tally.frame(turn * 1_000L, 1, true);
        }
        assertEquals(TurnTally.KEPT + 3, tally.missedTurns());
        assertEquals(2, tally.kept(0, TurnTally.MISSED));
        assertEquals(TurnTally.KEPT + 1, tally.kept(TurnTally.KEPT - 1, TurnTally.MISSED));
    }
}
