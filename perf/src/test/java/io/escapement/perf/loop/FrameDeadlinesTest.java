package io.escapement.perf.loop;

import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

class FrameDeadlinesTest
{
    private static final long MS = 1_000_000;

    private final FrameDeadlines deadlines = new FrameDeadlines(100, 5 * MS);

    @Test
    void shouldServeEachDeadlineOnce()
    {
        assertEquals(1, deadlines.serve(15 * MS));
        assertEquals(15 * MS, deadlines.lastNs());
        assertEquals(0, deadlines.serve(24 * MS), "the next is not due");
        assertEquals(1, deadlines.serve(26 * MS));
        assertEquals(25 * MS, deadlines.lastNs());
        assertEquals(0, deadlines.missed);
    }

    @Test
    void shouldCountDeadlinesThatNoFrameServed()
    {
        assertEquals(1, deadlines.serve(16 * MS));
        assertEquals(4, deadlines.serve(56 * MS));
        assertEquals(55 * MS, deadlines.lastNs(), "it serves the last of them");
        assertEquals(3, deadlines.missed);
    }

    @Test
    void shouldFindAFrameTooManyWhenTheLoopIsFasterThanTheRate()
    {
        int served = 0;
        for (int frame = 1; frame <= 110; frame++)
        {
            served += deadlines.serve(5 * MS + frame * 1_000 * MS / 110);
        }
        assertEquals(100, served);
        assertEquals(0, deadlines.missed);
    }
}
