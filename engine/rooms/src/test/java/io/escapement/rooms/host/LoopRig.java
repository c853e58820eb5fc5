package io.escapement.rooms.host;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.DirectoryEntry;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.loop.LoopLimits;
import io.escapement.rooms.loop.LoopState;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.NoOutputs;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A host with the state of a loop, whose rooms do what a signal requests and note what reaches them. */
final class LoopRig
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

    final RoomEncoder encoder = new RoomEncoder();
    final UnsafeBuffer buffer = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
    final UnsafeBuffer payload = new UnsafeBuffer(new byte[64]);
    final List<String> events = new ArrayList<>();
    RoomHost host;
    private RecordedHost recorded;
    private long nowNs;

    LoopRig()
    {
        use(new RoomHost(context()));
    }

    /** Go on with another host, which is not recorded. */
    void use(final RoomHost other)
    {
        recorded = new RecordedHost(other);
        host = other;
    }

    /** Record, from the beginning. */
    RecordedHost record(final ByteSink log)
    {
        recorded = new RecordedHost(context(), log);
        host = recorded.host;
        return recorded;
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

    HostContext context()
    {
        return context(new LoopLimits(LOOP, LOOPS, OPEN_REQUESTS, QUEUE_LENGTH));
    }

    HostContext context(final LoopLimits limits)
    {
        return new HostContext().outputs(NoOutputs.NONE).roomLimit(64).linkLimit(8).build("loop").loopState(limits)
            .roomType(RoomType.of(TYPE, "sender", 1, Sender::new).seats(4).requests(16));
    }

    /** A turn as a loop runs it. */
    void turn(final Runnable commands)
    {
        recorded.turn(++nowNs, commands);
    }

    int command(final int length)
    {
        return recorded.onCommand(buffer, 0, length);
    }

    int open(final long roomId, final long openerRoomId, final long correlationId)
    {
        return command(
            encoder.openRoom(buffer, 0, roomId, roomId, openerRoomId, correlationId, TYPE, payload, 0, 0));
    }

    /** Have a room do something with a number. */
    int request(final long roomId, final long action, final long argument)
    {
        payload.putLong(0, action);
        payload.putLong(8, argument);
        return command(encoder.signal(buffer, 0, roomId, 0, 0, payload, 0, 16));
    }

    int loopCommand(final int fromLoop, final long number, final long roomId, final long text)
    {
        final UnsafeBuffer inner = new UnsafeBuffer(new byte[256]);
        payload.putLong(0, text);
        final int length = encoder.signal(inner, 0, roomId, roomId(fromLoop, 1), 5, payload, 0, 8);
        return command(encoder.loopCommand(buffer, 0, number, fromLoop, inner, 0, length));
    }

    int resumed(final int incarnation, final long epochMs)
    {
        return command(encoder.hostResumed(buffer, 0, epochMs, incarnation, 0));
    }

    ByteSink snapshot()
    {
        final ByteSink sink = new ByteSink();
        host.snapshot(sink);
        return sink;
    }

    RoomHost restored(final HostContext context)
    {
        final ByteSink snapshot = snapshot();
        return RoomHost.restore(context, snapshot.buffer(), 0, snapshot.length());
    }

    RoomHost restored()
    {
        return restored(context());
    }

    /** Templates of the requests that are sent. */
    static List<Integer> requests(final LoopState state, final int most)
    {
        final List<Integer> templates = new ArrayList<>();
        state.sendRequests((source, offset, length) ->
            templates.size() < most && templates.add(SchemaRules.templateId(source, offset)));
        return templates;
    }

    final class Sender extends Quiet
    {
        private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[Room.MAX_REQUEST_LENGTH]);
        private long sum;

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
}
