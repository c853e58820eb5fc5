package io.escapement.gateway.sample;

import io.escapement.rooms.RoomType;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

class ChatRoomTest
{
    @Test
    void shouldSendAMessageToTheOtherPlayers()
    {
        final RoomBench bench = RoomBench.of(RoomType.of(1, "chat", 1, ChatRoom::new));
        final BenchSeat ann = bench.join(1);
        final BenchSeat ben = bench.join(2);

        ann.send("hello");

        assertEquals(List.of("hello"), ben.texts());
        assertEquals(List.of(), ann.texts());
        bench.replayAndCompare();
    }
}
