package io.escapement.server;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomDescription;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.log.LogHistory;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A room that adds up what its players send, and throws at a negative number. */
final class DebuggedRoom implements RoomLogic
{
    private static final int VALUE = 8;
    /** From this sum on the version with a planted change counts twice. */
    static final long CHANGE_AT = 30;

    /** A player who sends this or more is sent the sum. */
    private static final long ANSWERED_FROM = 1_000;

    private final boolean isChanged;
    private final UnsafeBuffer answer = new UnsafeBuffer(new byte[Long.BYTES]);
    private Room room;
    private long sum;

    private DebuggedRoom(final boolean isChanged)
    {
        this.isChanged = isChanged;
    }

    static RoomType type(final int version)
    {
        return RoomType.of(1, "sum", version, () -> new DebuggedRoom(version > 1)).seats(4).outputLimit(1_024)
            .messages(DebuggedRoom.class, "debugged.xml");
    }

    /** The same rules by a later version. */
    static RoomType unchanged()
    {
        return RoomType.of(1, "sum", 3, () -> new DebuggedRoom(false)).seats(4).outputLimit(1_024);
    }

    /** A log of seats 0 and 1 that send 1 to a number in turn, and then, by seat 0, -1. */
    static byte[] log(final int count)
    {
        final RoomBench bench = RoomBench.of(type(1));
        final BenchSeat[] players = {bench.join(5), bench.join(6)};
        for (int i = 1; i <= count; i++)
        {
            send(players[i % 2], i);
            bench.step(1);
        }
        send(players[0], -1);
        return bench.log();
    }

    /** A log of seats 0 and 1 that send numbers in turn. Then seat 1 goes away. */
    static byte[] logOf(final long... values)
    {
        final RoomBench bench = RoomBench.of(type(1));
        final BenchSeat[] players = {bench.join(5), bench.join(6)};
        for (int i = 0; i < values.length; i++)
        {
            send(players[i % 2], values[i]);
        }
        players[1].disconnect();
        return bench.log();
    }

    static LogHistory history(final byte[] log)
    {
        return LogHistory.of(LogFile.openUnfinished(new UnsafeBuffer(log), 0, log.length));
    }

    private static void send(final BenchSeat player, final long value)
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[VALUE + Long.BYTES]);
        // A message Add, by its header.
        message.putShort(0, (short)Long.BYTES, ByteOrder.LITTLE_ENDIAN);
        message.putShort(2, (short)7, ByteOrder.LITTLE_ENDIAN);
        message.putShort(4, (short)99, ByteOrder.LITTLE_ENDIAN);
        message.putLong(VALUE, value, ByteOrder.LITTLE_ENDIAN);
        player.send(message, 0, message.capacity());
    }

    @Override
    public void onOpen(final Room room, final DirectBuffer args, final int offset, final int length)
    {
        this.room = room;
        room.frameRate(20);
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        final long value = buffer.getLong(offset + VALUE, ByteOrder.LITTLE_ENDIAN);
        if (value < 0)
        {
            throw new IllegalStateException("the sum of " + sum + " and a debt");
        }
        sum += isChanged && sum >= CHANGE_AT ? 2 * value : value;
        if (value >= ANSWERED_FROM)
        {
            answer.putLong(0, sum);
            room.sendEvent(from, answer, 0, Long.BYTES);
        }
    }

    @Override
    public void onDescribe(final RoomDescription description)
    {
        description.put("sum", sum);
    }

    @Override
    public void onSnapshot(final StateWriter writer)
    {
        writer.putLong(sum);
    }

    @Override
    public void onRestore(final Room room, final int version, final StateReader reader)
    {
        this.room = room;
        sum = reader.getLong();
    }
}
