package io.escapement.engine;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Counts numbers that come in order, and has a service acknowledge each. A number that is missing or comes twice is
 * counted as a violation. A player's message is answered by the count.
 */
final class LedgerRoom implements RoomLogic
{
    static final int TYPE = 1;
    static final int SERVICE = 7;
    /** In place of a number: have the service take the count and the violations. */
    static final long REPORT = -1;

    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[24]);
    private Room room;
    private long count;
    private long violations;

    static RoomType type()
    {
        return RoomType.of(TYPE, "ledger", 1, LedgerRoom::new)
            .seats(8).requests(1_024).graceNs(TimeUnit.MINUTES.toNanos(5));
    }

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        room = opened;
    }

    @Override
    public void onSignal(final long from, final DirectBuffer buffer, final int offset, final int length)
    {
        final long number = buffer.getLong(offset);
        if (REPORT != number)
        {
            violations += number == count + 1 ? 0 : 1;
            count = number;
        }
        bytes.putLong(0, number);
        bytes.putLong(8, count);
        bytes.putLong(16, violations);
        room.async(SERVICE, 0, bytes, 0, 24);
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        bytes.putLong(0, ++count);
        room.sendEvent(from, bytes, 0, 8);
    }

    @Override
    public void onReply(
        final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
    {
        // The service has acknowledged the number.
    }
}
