package io.escapement.engine.sample;

import io.escapement.rooms.RoomType;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** The rooms of the guide's page about questions and groups. */
class ShopRoomTest
{
    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[Long.BYTES]);

    @Test
    void shouldAskTheStockRoom()
    {
        final RoomType shop = ShopRoom.type();
        final RoomBench bench = RoomBench.of(StockRoom.type(), shop);
        bytes.putLong(0, bench.roomId());
        final BenchSeat ann = bench.join(bench.open(shop, bytes, 0, Long.BYTES), 1, bytes, 0, 0);
        bytes.putLong(0, 1);
        assertEquals(0, ann.send(bytes, 0, Long.BYTES));
        assertEquals(1, ann.events().size());
        assertEquals(40, new UnsafeBuffer(ann.events().get(0)).getLong(0));
        assertEquals(List.of(), ann.refusals());
        assertEquals(0, ann.send(bytes, 0, 1));
        assertEquals(List.of(ShopRoom.NO_ANSWER), ann.refusals());
        assertEquals(List.of(), bench.failures());
        bench.replayAndCompare();
        bench.restoreAndCompare();
    }

    @Test
    void shouldSendToTheTeamOnly()
    {
        final RoomBench bench = RoomBench.of(RoomType.of(1, "teams", 1, TeamRoom::new));
        final BenchSeat ann = bench.join(1);
        final BenchSeat ben = bench.join(2);
        final BenchSeat cat = bench.join(3);
        assertEquals(0, ann.send("left"));
        assertEquals(List.of("left"), ann.texts());
        assertEquals(List.of("left"), cat.texts());
        assertEquals(List.of(), ben.texts());
        assertEquals(List.of(), bench.failures());
        bench.replayAndCompare();
        bench.restoreAndCompare();
    }
}
