package io.escapement.rules;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Adds up numbers by its rule, and answers with the sum. */
public final class RuledRoom implements RoomLogic
{
    /** Id of the type. */
    public static final int TYPE = 5;

    private final UnsafeBuffer answer = new UnsafeBuffer(new byte[8]);
    private Room room;
    private long sum;

    /** The type with the rule of this class's loader. */
    public static RoomType type()
    {
        return RoomType.of(TYPE, "ruled", Rule.VERSION, RuledRoom::new);
    }

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        room = opened;
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        sum += Rule.apply(buffer.getLong(offset));
        answer.putLong(0, sum);
        room.sendEvent(from, answer, 0, 8);
    }

    @Override
    public void onSnapshot(final StateWriter writer)
    {
        writer.putLong(sum);
    }

    @Override
    public void onRestore(final Room restored, final int version, final StateReader reader)
    {
        room = restored;
        sum = reader.getLong();
    }

    /** For a program that loads this class from a jar. */
    public static final class Provider implements RoomType.Provider
    {
        @Override
        public List<RoomType> roomTypes()
        {
            return List.of(type());
        }
    }
}
