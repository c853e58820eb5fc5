package io.escapement.perf.players;

import io.escapement.perf.Stopped;
import io.escapement.perf.process.Findings;
import io.escapement.perf.process.Ports;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The test of the rig itself: a process that stands still for a while has to be seen, whichever it is. */
@Timeout(60)
@EnabledOnOs({OS.LINUX, OS.MAC})
class StoppedPlayersTest
{
    private static final long BEFORE_MS = 300;
    private static final long STOP_MS = 600;
    private static final int RUN_MS = 1_500;
    private static final int MOVES = 320;
    private static final Crowd CROWD = new Crowd(4, 4, 50, 2, 64, Crowd.SPREAD);

    @Test
    void shouldTellThatTheServerStoodStill()
    {
        final Findings found = run((server, bots) -> Stopped.forAWhile(server, BEFORE_MS, STOP_MS));

        final double leastNs = 0.9 * ms(STOP_MS);
        // A room's period is 20 ms: it lost all of the frames but one.
        final long missed = found.value(PlayersRun.MISSED);
        assertTrue(missed >= CROWD.rooms() * (STOP_MS / 20 - 3), "missed " + missed);
        long told = 0;
        long longestGapNs = 0;
        for (int i = 0; i < found.value(PlayersRun.MISSED_TURNS_TOLD); i++)
        {
            told += found.value(PlayersRun.MISSED_TURNS + "." + i + ".missed");
            longestGapNs = Math.max(longestGapNs, found.value(PlayersRun.MISSED_TURNS + "." + i + ".gapNs"));
        }
        // A host that is busy as well may bring more turns than are kept.
        final boolean isAllTold = found.value(PlayersRun.MISSED_TURNS) == found.value(PlayersRun.MISSED_TURNS_TOLD);
        assertTrue(isAllTold ? missed == told : missed > told, "the turns tell of " + told + " of " + missed);
        assertTrue(longestGapNs >= leastNs, "the longest turn took " + longestGapNs + " ns");
    }

    @Test
    void shouldCountFromThePlannedSendWhenTheBotsStoodStill()
    {
        run((server, bots) -> Stopped.forAWhile(bots, BEFORE_MS, STOP_MS));
    }

    /** Whoever stood still: the moves that were planned meanwhile had to wait, and nobody saw a state. */
    private static Findings run(final PlayersRun.AtGo atGo)
    {
        final PlayersOptions options = new PlayersOptions(CROWD, PlayersHost.of(2, "park", 1_408, 500, Ports.free()),
            0, new Phase(MOVES, 500), List.of(List.of(new Phase(MOVES, RUN_MS))));
        final Findings found = PlayersRun.run(options, (line) -> { }, atGo).get(0);
        assertEquals(MOVES * RUN_MS / 1_000, found.value(PlayersRun.SENT));
        assertEquals(found.value(PlayersRun.SENT), found.value(PlayersRun.ANSWERED), "lost moves");
        assertEquals(0, found.value(PlayersRun.MOVES_UNSEEN), "moves in no state");
        assertEquals(0, found.value(PlayersRun.CHECKSUM_DIFFERENCE));
        for (final String series : List.of(PlayersRun.PING + ".0", PlayersRun.MOVE_TO_STATE, PlayersRun.GAP))
        {
            final long longest = found.total(series).getMaxValue();
            assertTrue(longest >= 0.9 * ms(STOP_MS), series + ": the longest was " + longest + " ns");
        }
        final double waiting = found.total(PlayersRun.PING + ".0").getCountBetweenValues(ms(STOP_MS / 10), ms(60_000));
        final double share = waiting / found.value(PlayersRun.SENT);
        final double expected = 0.9 * STOP_MS / RUN_MS;
        assertTrue(share > expected - 0.05, "waited: " + share + " of all, expected at least " + expected);
        return found;
    }

    private static long ms(final long ms)
    {
        return TimeUnit.MILLISECONDS.toNanos(ms);
    }
}
