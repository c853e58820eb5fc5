package io.escapement.rooms;

import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** The README's room and its test, kept here so that they stay true. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class ChatRoomTest
{
    static final class ChatRoom implements RoomLogic
    {
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            room.sendEvent(room.everyoneBut(from), buffer, offset, length);
        }
    }

    @Test
    void shouldTellTheOthers()
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
