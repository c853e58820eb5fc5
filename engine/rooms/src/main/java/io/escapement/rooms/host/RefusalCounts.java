package io.escapement.rooms.host;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.output.HostListener;
import io.escapement.rooms.output.RoomFigures;
import java.util.ArrayList;
import java.util.List;

/** Counts refusals per code. */
final class RefusalCounts
{
    /** The highest code that fits the wire. */
    static final int MAX_CODE = 0xFFFF;

    /** The engine's codes are counted separately. Application codes share the last count. */
    private static final int COUNTED_CODES = 128;

    /** Refusals of a host's rooms that are kept for operators. They are not state. */
    private static final int REMEMBERED = 256;
    private static final int LAST_OF_ROOM = 8;

    private HostListener listener;
    private final long[] counts = new long[COUNTED_CODES + 1];
    private final long[] lastRoomIds = new long[REMEMBERED];
    private final int[] lastSeats = new int[REMEMBERED];
    private final int[] lastTemplateIds = new int[REMEMBERED];
    private final int[] lastCodes = new int[REMEMBERED];
    private long remembered;

    RefusalCounts(final HostListener listener)
    {
        this.listener = listener;
    }

    void listener(final HostListener value)
    {
        listener = value;
    }

    /** Count a refusal, and return its code. */
    int counted(final int code)
    {
        counts[Math.min(code, COUNTED_CODES)]++;
        listener.onRefused(code);
        return code;
    }

    /** Keep a refusal of a command to a room. */
    void remember(final RoomInstance room, final int seatIndex, final int templateId, final int code)
    {
        room.countRefusal();
        final int at = (int)(remembered++ % REMEMBERED);
        lastRoomIds[at] = room.roomId();
        lastSeats[at] = seatIndex;
        lastTemplateIds[at] = templateId;
        lastCodes[at] = code;
    }

    /** The last refusals of a room among the kept refusals of its host, newest first. */
    List<RoomFigures.Refusal> last(final long roomId)
    {
        final List<RoomFigures.Refusal> last = new ArrayList<>();
        for (long i = remembered - 1; i >= Math.max(0, remembered - REMEMBERED) && last.size() < LAST_OF_ROOM; i--)
        {
            final int at = (int)(i % REMEMBERED);
            if (lastRoomIds[at] == roomId)
            {
                last.add(new RoomFigures.Refusal(lastSeats[at], lastTemplateIds[at], lastCodes[at]));
            }
        }
        return last;
    }

    long count(final int code)
    {
        return counts[Math.min(code, COUNTED_CODES)];
    }

    void write(final StateWriter writer)
    {
        for (final long count : counts)
        {
            writer.putLong(count);
        }
    }

    void read(final StateReader reader)
    {
        for (int i = 0; i < counts.length; i++)
        {
            counts[i] = reader.getLong();
        }
    }
}
