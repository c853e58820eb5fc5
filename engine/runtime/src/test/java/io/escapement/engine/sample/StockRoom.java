package io.escapement.engine.sample;

import io.escapement.engine.RoomHandle;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.concurrent.UnsafeBuffer;

/** A room that answers questions about a fixed stock, of rooms and of the program. */
final class StockRoom implements RoomLogic
{
    private static final int BAD_QUESTION = FIRST_APPLICATION_CODE;

    private final Long2LongHashMap countByItemMap = new Long2LongHashMap(0);
    private final UnsafeBuffer out = new UnsafeBuffer(new byte[Long.BYTES]);
    private Room room;

    static RoomType type()
    {
        return RoomType.of(7, "stock", 1, StockRoom::new).questions(64);
    }

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        begin(opened);
    }

    @Override
    public void onAsk(
        final long askId, final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
    {
        if (Long.BYTES != length)
        {
            room.answer(askId, BAD_QUESTION, out, 0, 0);
            return;
        }
        out.putLong(0, countByItemMap.get(buffer.getLong(offset)));
        room.answer(askId, 0, out, 0, Long.BYTES);
    }

    /** For the program. */
    static CompletableFuture<byte[]> ask(final RoomHandle stock, final UnsafeBuffer item)
    {
        return stock.ask(item, 0, Long.BYTES, TimeUnit.SECONDS.toNanos(2));
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        room.refuse(from, BAD_QUESTION);
    }

    @Override
    public void onRestore(final Room restored, final int version, final StateReader reader)
    {
        begin(restored);
    }

    private void begin(final Room opened)
    {
        room = opened;
        countByItemMap.put(1, 40);
    }
}
