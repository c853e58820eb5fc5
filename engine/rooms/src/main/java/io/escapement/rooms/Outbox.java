package io.escapement.rooms;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Records of one length that a room hands to a service, in order and numbered from 1. A request has as many as fit, and
 * one request is in flight at a time. Therefore a slow service gets longer requests. If a request fails, its records
 * are resent, followed by the records that were added since, because the service may or may not have done it. If a
 * service keeps the records by their numbers, it has each record exactly once.
 */
public final class Outbox
{
    private static final long RETRY_NS = 100_000_000;

    private final int serviceId;
    private final int recordLength;
    private final int records;
    private final int timerKind;
    private final UnsafeBuffer ring;
    private final UnsafeBuffer request = new UnsafeBuffer(new byte[Room.MAX_REQUEST_LENGTH]);
    private Room room;
    private long added;
    private long confirmed;
    private long requestId = Room.NO_REQUEST;
    private int requested;

    /**
     * An empty outbox.
     *
     * @param serviceId    of the service.
     * @param recordLength of each record, in bytes.
     * @param records      that may wait.
     * @param timerKind    of the timer before a request is resent. The room has no other timer of this kind.
     */
    public Outbox(final int serviceId, final int recordLength, final int records, final int timerKind)
    {
        this.serviceId = serviceId;
        this.recordLength = recordLength;
        this.records = records;
        this.timerKind = timerKind;
        ring = new UnsafeBuffer(new byte[records * recordLength]);
    }

    /** The room that sends, before anything else is called. */
    public void room(final Room value)
    {
        room = value;
    }

    /** Whether this many records can be added. */
    public boolean hasSpace(final int count)
    {
        return added - confirmed + count <= records;
    }

    /** Number of the last record that was added. */
    public long added()
    {
        return added;
    }

    /** Number of the last record that the service has. */
    public long confirmed()
    {
        return confirmed;
    }

    /** Add a record. {@link #send} sends it. */
    public void add(final DirectBuffer record, final int offset)
    {
        ring.putBytes((int)(added % records) * recordLength, record, offset, recordLength);
        added++;
    }

    /** Send the records that wait, unless a request is under way. */
    public void send()
    {
        final long waiting = Math.min(added - confirmed, Room.MAX_REQUEST_LENGTH / recordLength);
        if (0 == waiting || 0 != requested)
        {
            return;
        }
        for (int i = 0; i < waiting; i++)
        {
            request.putBytes(i * recordLength, ring, (int)((confirmed + i) % records) * recordLength, recordLength);
        }
        requested = (int)waiting;
        requestId = room.async(serviceId, room.roomId(), request, 0, requested * recordLength);
        if (Room.NO_REQUEST == requestId)
        {
            retry();
        }
    }

    private void retry()
    {
        if (Room.NO_TIMER == room.after(RETRY_NS, timerKind, 0))
        {
            // It would wait for ever.
            throw new IllegalStateException("the room has no timer left for its outbox: see RoomType.timers");
        }
    }

    /** The answer to a request of the room, which may be another's. */
    public void onReply(final long correlationId, final int status)
    {
        if (correlationId != requestId)
        {
            return;
        }
        requestId = Room.NO_REQUEST;
        if (0 != status)
        {
            retry();
            return;
        }
        confirmed += requested;
        requested = 0;
        send();
    }

    /** A timer of the room, which may be another's. */
    public void onTimer(final int kind)
    {
        if (kind == timerKind)
        {
            requested = 0;
            send();
        }
    }

    /** Write the records that wait. */
    public void write(final StateWriter state)
    {
        state.putLong(added);
        state.putLong(confirmed);
        state.putLong(requestId);
        state.putInt(requested);
        for (long record = confirmed; record < added; record++)
        {
            state.putBytes(ring, (int)(record % records) * recordLength, recordLength);
        }
    }

    /** Read the records that wait. */
    public void read(final StateReader state)
    {
        added = state.getLong();
        confirmed = state.getLong();
        requestId = state.getLong();
        requested = state.getInt();
        for (long record = confirmed; record < added; record++)
        {
            state.getBytes(ring, (int)(record % records) * recordLength, recordLength);
        }
    }
}
