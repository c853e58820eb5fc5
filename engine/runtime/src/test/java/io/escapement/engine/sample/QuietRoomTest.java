package io.escapement.engine.sample;

import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class QuietRoomTest
{
    private final RoomBench bench = RoomBench.of(QuietRoom.type());
    private final BenchSeat ann = bench.join(1);
    private final BenchSeat ben = bench.join(2);

    @Test
    void shouldStayOpenWhilePlayersTalk()
    {
        bench.runFor(QuietRoom.QUIET_NS * 2 / 3);
        ann.send("hello");
        bench.runFor(QuietRoom.QUIET_NS * 2 / 3);
        assertEquals(List.of("hello"), ben.texts());
        assertTrue(ben.isPresent());
        bench.replayAndCompare();
        bench.restoreAndCompare();
    }

    @Test
    void shouldCloseAfterAMinuteWithoutALine()
    {
        bench.runFor(QuietRoom.QUIET_NS / 2);
        ann.send("x".repeat(QuietRoom.MAX_LINE + 1));
        bench.runFor(QuietRoom.QUIET_NS * 2 / 3);
        assertEquals(List.of(QuietRoom.TOO_LONG), ann.refusals());
        assertEquals(List.of(), ben.texts());
        assertFalse(ben.isPresent());
        assertEquals(QuietRoom.QUIET, ben.leaveCode());
        bench.replayAndCompare();
    }
}
