package io.escapement.engine.sample;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2LongHashMap;

/** A room that passes its players' questions on to a {@link StockRoom}. */
final class ShopRoom implements RoomLogic
{
    static final int NO_ANSWER = FIRST_APPLICATION_CODE + 1;

    private final Long2LongHashMap playerByQuestionMap = new Long2LongHashMap(0);
    private Room room;
    private long stockRoomId;

    static RoomType type()
    {
        return RoomType.of(8, "shop", 1, ShopRoom::new);
    }

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        room = opened;
        stockRoomId = args.getLong(offset);
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        final long questionId = room.ask(stockRoomId, TimeUnit.SECONDS.toNanos(2), buffer, offset, length);
        playerByQuestionMap.put(questionId, from.playerId());
    }

    @Override
    public void onReply(
        final long questionId, final int status, final DirectBuffer answer, final int offset, final int length)
    {
        final Seat seat = room.seatOf(playerByQuestionMap.remove(questionId));
        if (null != seat && 0 == status)
        {
            room.sendEvent(seat, answer, offset, length);
        }
        else if (null != seat)
        {
            room.refuse(seat, NO_ANSWER);
        }
    }

    @Override
    public void onSnapshot(final StateWriter writer)
    {
        writer.putLong(stockRoomId);
        writer.putInt(playerByQuestionMap.size());
        playerByQuestionMap.keySet().stream().sorted().forEach((questionId) ->
        {
            writer.putLong(questionId);
            writer.putLong(playerByQuestionMap.get(questionId.longValue()));
        });
    }

    @Override
    public void onRestore(final Room restored, final int version, final StateReader reader)
    {
        room = restored;
        stockRoomId = reader.getLong();
        for (int i = reader.getInt(); i > 0; i--)
        {
            playerByQuestionMap.put(reader.getLong(), reader.getLong());
        }
    }
}
