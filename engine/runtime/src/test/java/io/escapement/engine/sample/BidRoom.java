package io.escapement.engine.sample;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A room that sells one thing. A late bid moves the end of the sale. Version 2 counts the bids. */
final class BidRoom implements RoomLogic
{
    static final int SOLD = FIRST_APPLICATION_CODE;
    private static final int CLOSING = 1;
    private static final int REMINDER = 2;
    private static final long LAST_CALL_NS = TimeUnit.SECONDS.toNanos(5);

    private Room room;
    private long closing;
    private int bids;

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        room = opened;
        closing = room.after(TimeUnit.SECONDS.toNanos(30), CLOSING, 0);
        room.every(TimeUnit.SECONDS.toNanos(10), REMINDER, 0);
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        bids++;
        if (room.remainingNs(closing) < LAST_CALL_NS)
        {
            room.reschedule(closing, LAST_CALL_NS);
        }
    }

    @Override
    public void onTimer(final long handle, final int kind, final long tag)
    {
        switch (kind)
        {
            case CLOSING -> room.close(SOLD);
            case REMINDER -> say("bids: " + bids);
            default -> throw new IllegalStateException("no timer has the kind " + kind);
        }
    }

    @Override
    public void onSnapshot(final StateWriter writer)
    {
        writer.putLong(closing);
        writer.putInt(bids);
    }

    @Override
    public void onRestore(final Room restored, final int version, final StateReader reader)
    {
        room = restored;
        closing = reader.getLong();
        bids = version < 2 ? 0 : reader.getInt();
    }

    private void say(final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        room.sendEvent(room.everyone(), new UnsafeBuffer(bytes), 0, bytes.length);
    }
}
