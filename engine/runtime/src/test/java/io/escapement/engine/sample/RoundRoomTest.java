package io.escapement.engine.sample;

import io.escapement.rooms.RoomType;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

class RoundRoomTest
{
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final RoomBench bench = RoomBench.of(RoomType.of(1, "round", 1, RoundRoom::new));
    private final BenchSeat ann = bench.join(1);
    private final BenchSeat ben = bench.join(2);

    @Test
    void shouldBeginWhenEverybodyIsReady()
    {
        bench.runFor(4 * SECOND_NS);
        ann.send("ready");
        assertEquals(List.of("2", "1"), ben.texts());
        ben.send("ready");
        bench.runFor(2 * SECOND_NS);
        assertEquals(List.of("2", "1", "go", "over"), ben.texts());
        bench.replayAndCompare();
    }

    @Test
    void shouldBeginWithoutTheIdle()
    {
        bench.runFor(4 * SECOND_NS);
        ann.send("ready");
        bench.runFor(31 * SECOND_NS);
        assertEquals(List.of("2", "1", "go", "over"), ann.texts());
        assertFalse(ben.isPresent());
        bench.replayAndCompare();
    }
}
