package io.escapement.engine.sample;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;

/** A chat that closes after a minute without a line. The Javadoc of Room and RoomType shows parts of it. */
final class QuietRoom implements RoomLogic
{
    static final int TOO_LONG = FIRST_APPLICATION_CODE;
    static final int QUIET = FIRST_APPLICATION_CODE + 1;
    static final int MAX_LINE = 80;
    static final long QUIET_NS = TimeUnit.MINUTES.toNanos(1);

    private static final int TIMER_QUIET = 1;

    private Room room;
    private long timer;

    static RoomType type()
    {
        return RoomType.of(2, "quiet", 1, QuietRoom::new)
            .seats(32)
            .timers(1)
            .graceNs(TimeUnit.SECONDS.toNanos(10));
    }

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        room = opened;
        timer = room.after(QUIET_NS, TIMER_QUIET, 0);
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        if (length > MAX_LINE)
        {
            room.refuse(from, TOO_LONG);
            return;
        }
        room.reschedule(timer, QUIET_NS);
        room.sendEvent(room.everyoneBut(from), buffer, offset, length);
    }

    @Override
    public void onTimer(final long handle, final int kind, final long tag)
    {
        room.close(QUIET);
    }

    @Override
    public void onSnapshot(final StateWriter writer)
    {
        writer.putLong(timer);
    }

    @Override
    public void onRestore(final Room restored, final int version, final StateReader reader)
    {
        room = restored;
        timer = reader.getLong();
    }
}
