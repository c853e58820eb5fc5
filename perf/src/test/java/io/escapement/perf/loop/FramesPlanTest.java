package io.escapement.perf.loop;

import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

class FramesPlanTest
{
    private final FramesPlan plan = new FramesPlan();

    @Test
    void shouldGiveMemoryToTheActionsOfOneSubjectOnly()
    {
        assertEquals(0, ownedBytes(FramesPlan.ENGINE));
        assertEquals(0, ownedBytes(FramesPlan.NULL));
        assertEquals(0, ownedBytes(FramesPlan.GAME_LOOP_THREAD));
        assertEquals(1_500, ownedBytes(FramesPlan.GAME_LOOP_THREAD_1500));
    }

    @Test
    void shouldDivideTheLeastWarmUpIntoFourRounds()
    {
        plan.warmUpMs = 8_000;
        assertEquals(1_500, plan.fastMs());
        assertEquals(500, plan.paceMs());
        plan.warmUpMs = 0;
        assertEquals(0, plan.fastMs() + plan.paceMs());
    }

    private int ownedBytes(final String subject)
    {
        plan.subject = subject;
        return plan.ownedBytes();
    }
}
