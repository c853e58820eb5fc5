package io.escapement.perf.crowd;

import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TurnRecorderTest
{
    private final TurnRecorder recorder = new TurnRecorder(new DriverMeter());

    @Test
    void shouldKeepTheFiguresOfTheTurnBeforeMissedFrames()
    {
        recorder.onMove(1_000);
        recorder.onMove(1_000);
        recorder.onMove(1_000);
        recorder.onFrame(1_000, 0, true);
        recorder.onFrame(21_000, 1, true);
        recorder.onFrame(21_000, 2, true);
        recorder.onMove(21_000);
        recorder.onFrame(22_000, 0, true);

        assertEquals(1, recorder.lateTurns.get());
        assertEquals(3, recorder.kept[0].missed);
        assertEquals(20_000, recorder.kept[0].gapNs);
        assertEquals(3, recorder.kept[0].moves);
        assertEquals(1, recorder.kept[0].frames);
        assertTrue(0 != recorder.kept[0].atNs);
    }

    @Test
    void shouldIgnoreMissedFramesOutsideTheMeasuredPart()
    {
        recorder.onFrame(1_000, 5, false);
        assertEquals(0, recorder.lateTurns.get());
    }

    @Test
    void shouldKeepTheFirstTurnsAndCountAll()
    {
        for (int turn = 1; turn <= TurnRecorder.LIMIT + 3; turn++)
        {
            recorder.onFrame(turn * 1_000L, turn, true);
            recorder.onFrame(turn * 1_000L, 1, true);
        }
        assertEquals(TurnRecorder.LIMIT + 3, recorder.lateTurns.get());
        assertEquals(2, recorder.kept[0].missed);
        assertEquals(TurnRecorder.LIMIT + 1, recorder.kept[TurnRecorder.LIMIT - 1].missed);
    }
}
