package io.escapement.rooms.host;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.rooms.DirectoryEntry;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.loop.LoopLimits;
import io.escapement.rooms.loop.LoopState;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A room of a loop that does what a signal requests, and notes what reaches it. */
final class Sender extends Quiet
{
    static final int TYPE = 1;
    static final int LOOP = 1;
    static final int LOOPS = 3;
    static final int OPEN_REQUESTS = 4;
    static final int QUEUE_LENGTH = LoopLimits.MIN_QUEUE_LENGTH;
    /** Orders to a room, as the first number of a signal of the program. */
    static final long SIGNAL = 1;
    static final long ASYNC = 2;
    static final long OPEN = 3;
    static final long RESERVE = 4;
    static final long CLOSE = 5;
    static final long SUBSCRIBE = 6;
    static final long SIGNAL_LONG = 7;
    /** From another room. */
    static final long OVERFLOW = 8;
    /** Send a signal that overflows the stack of its receiver. */
    static final long SIGNAL_OVERFLOW = 9;

    private final List<String> events;
    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[Room.MAX_REQUEST_LENGTH]);
    private long sum;

    Sender(final List<String> events)
    {
        this.events = events;
    }

    /** A host with the state of a loop. */
    static HostRig rig(final List<String> events)
    {
        return new HostRig((context) -> context.linkLimit(8)
            .loopState(new LoopLimits(LOOP, LOOPS, OPEN_REQUESTS, QUEUE_LENGTH)), type(1, events));
    }

    static RoomType type(final int version, final List<String> events)
    {
        return RoomType.of(TYPE, "sender", version, () -> new Sender(events)).seats(4).requests(16);
    }

    static long roomId(final int loop, final long serial)
    {
        return ((long)loop << 54) | serial;
    }

    /** A room of this loop. */
    static long own(final long serial)
    {
        return roomId(LOOP, serial);
    }

    /** Templates of the requests that are sent. */
    static List<Integer> requests(final LoopState state, final int most)
    {
        final List<Integer> templates = new ArrayList<>();
        state.sendRequests((source, offset, length) ->
            templates.size() < most && templates.add(SchemaRules.templateId(source, offset)));
        return templates;
    }

    @Override
    public void onSignal(final long from, final DirectBuffer source, final int offset, final int length)
    {
        final long first = source.getLong(offset);
        if (OVERFLOW == first)
        {
            throw new StackOverflowError("planted");
        }
        if (0 != from)
        {
            sum = sum * 31 + first;
            events.add(room.roomId() + " got " + first + " of " + from);
            return;
        }
        final long argument = source.getLong(offset + 8);
        bytes.putLong(0, argument);
        if (SIGNAL == first)
        {
            room.signal(argument, bytes, 0, 8);
        }
        else if (SIGNAL_OVERFLOW == first)
        {
            bytes.putLong(0, OVERFLOW);
            room.signal(argument, bytes, 0, 8);
        }
        else if (SIGNAL_LONG == first)
        {
            room.signal(argument, bytes, 0, 1_000);
        }
        else if (ASYNC == first)
        {
            room.async((int)argument, 7, bytes, 0, 8);
        }
        else if (OPEN == first)
        {
            room.openRoom(TYPE, bytes, 0, 8);
        }
        else if (RESERVE == first)
        {
            room.reserve(argument, 77, 1_000_000_000L);
        }
        else if (CLOSE == first)
        {
            room.close();
        }
        else if (SUBSCRIBE == first)
        {
            room.subscribeToDirectory();
        }
    }

    @Override
    public void onReply(
        final long correlationId, final int status, final DirectBuffer source, final int offset, final int length)
    {
        sum = sum * 31 + status;
        events.add(room.roomId() + " answered " + correlationId + " with " + status +
            (8 == length ? " room " + (source.getLong(offset) & 0xFFFF) : ""));
    }

    @Override
    public void onDirectory(final DirectoryEntry entry)
    {
        events.add(room.roomId() + " directory " + entry.change() + " " + entry.roomId());
    }

    @Override
    public void onAway(final Seat seat)
    {
        events.add(room.roomId() + " away " + seat.index() + " at " + room.epochMs());
    }

    @Override
    public void onDrain(final Room drained, final long deadlineNs)
    {
    }

    @Override
    public void onSnapshot(final StateWriter writer)
    {
        writer.putLong(sum);
    }

    @Override
    public void onRestore(final Room restored, final int version, final StateReader reader)
    {
        super.onRestore(restored, version, reader);
        sum = reader.getLong();
    }
}
