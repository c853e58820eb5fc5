package io.escapement.cluster;

import io.escapement.engine.RoomHandle;
import io.escapement.engine.spi.AsyncService;
import io.escapement.testsupport.Tests;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Sends numbers to the ledger room of whichever node leads, and is the service that acknowledges them, on every node of
 * the process. A number that is not acknowledged may be in the ledger or not; it is not sent again.
 */
final class LedgerClient implements AsyncService
{
    private static final int LONG = 1_000;

    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong reports = new AtomicLong();
    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[LONG]);
    private volatile long count;
    private volatile long violations;
    private long sent;

    @Override
    public int onRequest(final Request request)
    {
        final long number = request.buffer().getLong(request.offset());
        if (number > 0)
        {
            acknowledged.accumulateAndGet(number, Math::max);
        }
        else
        {
            count = request.buffer().getLong(request.offset() + 8);
            violations = request.buffer().getLong(request.offset() + 16);
            reports.incrementAndGet();
        }
        return 0;
    }

    /** Send the next number. */
    void send(final RoomHandle room)
    {
        send(room, 16);
    }

    /** Send the next number in a long message. */
    void sendLong(final RoomHandle room)
    {
        final long before = sent;
        Tests.await(() ->
        {
            send(room, LONG);
            return sent > before;
        }, "room in the inbox");
    }

    private void send(final RoomHandle room, final int length)
    {
        bytes.putLong(0, sent + 1);
        bytes.putLong(8, acknowledged.get());
        if (room.signal(bytes, 0, length))
        {
            sent++;
        }
    }

    /** Ask for a report. */
    void askForReport(final RoomHandle room)
    {
        bytes.putLong(0, 0);
        bytes.putLong(8, 0);
        room.signal(bytes, 0, 16);
    }

    long sent()
    {
        return sent;
    }

    long acknowledged()
    {
        return acknowledged.get();
    }

    long reports()
    {
        return reports.get();
    }

    /** Numbers in the ledger, as the last report says. */
    long count()
    {
        return count;
    }

    long violations()
    {
        return violations;
    }
}
