package io.escapement.cluster;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Counts the numbers that it is sent, each with the number before it that has been acknowledged. A number that comes
 * twice, or skips one that was acknowledged, is a violation. A service acknowledges the numbers of signals, an event
 * those of messages: {number, count, violations}. It has a timer, so that time is a part of its state.
 */
class LedgerRoom implements RoomLogic
{
    static final int TYPE = 1;
    static final int SERVICE = 7;
    static final int LENGTH = 24;
    private static final long PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(50);

    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[LENGTH]);
    private Room room;
    private long last;
    private long count;
    private long violations;
    private long ticks;

    static RoomType type()
    {
        return RoomType.of(TYPE, "ledger", 1, LedgerRoom::new)
            .seats(8).timers(4).requests(1_024).graceNs(TimeUnit.MINUTES.toNanos(5));
    }

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        room = opened;
        room.every(PERIOD_NS, 1, 0);
    }

    /** A number and the one that was acknowledged last; the first below 0 asks for a report. */
    @Override
    public void onSignal(final long from, final DirectBuffer buffer, final int offset, final int length)
    {
        enter(buffer, offset);
        acknowledge(buffer.getLong(offset));
    }

    private void enter(final DirectBuffer buffer, final int offset)
    {
        final long number = buffer.getLong(offset);
        if (number > 0)
        {
            violations += number > last && buffer.getLong(offset + 8) <= last ? 0 : 1;
            last = number;
            count++;
        }
        bytes.putLong(0, number);
        bytes.putLong(8, count);
        bytes.putLong(16, violations);
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        enter(buffer, offset);
        room.sendEvent(from, bytes, 0, LENGTH);
    }

    @Override
    public void onTimer(final long handle, final int kind, final long tag)
    {
        ticks++;
    }

    @Override
    public void onSnapshot(final StateWriter writer)
    {
        writer.putLong(last);
        writer.putLong(count);
        writer.putLong(violations);
        writer.putLong(ticks);
    }

    @Override
    public void onRestore(final Room restored, final int version, final StateReader reader)
    {
        room = restored;
        last = reader.getLong();
        count = reader.getLong();
        violations = reader.getLong();
        ticks = reader.getLong();
    }

    void acknowledge(final long number)
    {
        bytes.putLong(0, number);
        room.async(SERVICE, 0, bytes, 0, LENGTH);
    }
}
