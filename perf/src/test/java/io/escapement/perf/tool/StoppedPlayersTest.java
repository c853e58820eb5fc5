package io.escapement.perf.tool;

import io.escapement.perf.crowd.CrowdFigures;
import io.escapement.perf.crowd.CrowdPlan;
import io.escapement.perf.crowd.LoadPhase;
import io.escapement.perf.rig.Measurements;
import io.escapement.testsupport.RealTime;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import picocli.CommandLine;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Tests the rig itself: a stop of either process must show in the measurements. */
@RealTime("a process that is stopped while it is measured")
@EnabledOnOs({OS.LINUX, OS.MAC})
class StoppedPlayersTest
{
    private static final long BEFORE_MS = 300;
    private static final long STOP_MS = 600;
    private static final int RUN_MS = 1_500;
    private static final int MOVES = 320;
    private static final int ROOMS = 4;

    @Test
    void shouldRecordAStopOfTheServer()
    {
        assertMissedFrames(run(null, (server, bots) -> Stopped.pause(server, BEFORE_MS, STOP_MS)));
    }

    @Test
    void shouldRecordAStopOfThePeer()
    {
        final Measurements run =
            run(CrowdPlan.TCP_PLAYERS, (server, bots) -> Stopped.pause(server, BEFORE_MS, STOP_MS));
        assertMissedFrames(run);
        assertEquals(0, run.value(CrowdFigures.STATES_DROPPED));
        assertEquals(run.value(CrowdFigures.STATES_SENT), run.value(CrowdFigures.STATES_SEEN));
    }

    @Test
    void shouldCountFromThePlannedSendWhenTheBotsStop()
    {
        run(null, (server, bots) -> Stopped.pause(bots, BEFORE_MS, STOP_MS));
    }

    private static void assertMissedFrames(final Measurements run)
    {
        // A room's period is 20 ms, so it missed all frames of the stop but one.
        final long missed = run.value(CrowdFigures.MISSED);
        assertTrue(missed >= ROOMS * (STOP_MS / 20 - 3), "missed " + missed);
    }

    /** Moves planned during the stop wait, and no player sees a state. */
    private static Measurements run(final String peer, final CrowdRun.AtStart atStart)
    {
        final CrowdPlan plan = CommandLine.populateCommand(new CrowdPlan(), "--seats=4", "--hz=50", "--trunks=2",
            "--state=64", "--sends=20", "--gather=500", "--warm-up-limit-ms=500")
            .forRun(500, ROOMS, 2, 0, List.of(List.of(new LoadPhase(MOVES, RUN_MS)))).beside(peer);
        final Measurements run = CrowdRun.run(plan, (line) -> { }, atStart).get(0);
        assertEquals(MOVES * RUN_MS / 1_000, run.value(CrowdFigures.SENT));
        assertEquals(run.value(CrowdFigures.SENT), run.value(CrowdFigures.ANSWERED), "lost moves");
        assertEquals(0, run.value(CrowdFigures.MOVES_UNSEEN), "moves in no state");
        assertEquals(0, run.value(CrowdFigures.CHECKSUM_DIFFERENCE));
        for (final String series : List.of(CrowdFigures.PING + ".0", CrowdFigures.MOVE_TO_STATE, CrowdFigures.GAP))
        {
            final long longest = run.total(series).getMaxValue();
            assertTrue(longest >= 0.9 * ms(STOP_MS), series + ": the longest was " + longest + " ns");
        }
        final double waited =
            run.total(CrowdFigures.PING + ".0").getCountBetweenValues(ms(STOP_MS / 10), ms(60_000));
        final double share = waited / run.value(CrowdFigures.SENT);
        final double expected = 0.9 * STOP_MS / RUN_MS;
        assertTrue(share > expected - 0.05, "waited: " + share + " of all, expected at least " + expected);
        return run;
    }

    private static long ms(final long ms)
    {
        return TimeUnit.MILLISECONDS.toNanos(ms);
    }
}
