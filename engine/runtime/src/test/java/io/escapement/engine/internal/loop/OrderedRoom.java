package io.escapement.engine.internal.loop;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Does what a signal from outside orders, and notes what reaches it. */
class OrderedRoom implements RoomLogic
{
    static final int SERVICE = 4;
    /** Orders, as the first number of a signal from outside. */
    static final long NOTE = 1;
    static final long SIGNAL = 2;
    static final long REQUEST = 3;
    static final long OVERFLOW = 4;
    static final long TIMER = 5;
    static final long STATE = 6;

    private final List<String> events;
    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[8]);
    private Room room;
    private long sum;

    OrderedRoom(final List<String> events)
    {
        this.events = events;
    }

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        room = opened;
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
    {
        throw new AssertionError("no seats");
    }

    /** Answers an odd question at once, an even one never. */
    @Override
    public void onAsk(
        final long askId, final long from, final DirectBuffer buffer, final int offset, final int length)
    {
        final long question = buffer.getLong(offset);
        events.add(room.roomId() + " was asked " + question);
        if (0 != (question & 1))
        {
            room.answer(askId, 0, bytes, 0, 8);
        }
    }

    @Override
    public void onSignal(final long from, final DirectBuffer buffer, final int offset, final int length)
    {
        final long action = buffer.getLong(offset);
        sum = sum * 31 + action;
        if (0 != from)
        {
            events.add(room.roomId() + " got " + action);
            return;
        }
        final long argument = buffer.getLong(offset + 8);
        if (NOTE == action)
        {
            events.add(room.roomId() + " noted " + argument);
        }
        else if (SIGNAL == action)
        {
            bytes.putLong(0, 1);
            room.signal(argument, bytes, 0, 8);
        }
        else if (REQUEST == action)
        {
            room.async(SERVICE, 1, buffer, offset, 8);
        }
        else if (OVERFLOW == action)
        {
            throw new StackOverflowError("planted");
        }
        else if (TIMER == action)
        {
            room.after(argument, 1, 0);
        }
        else
        {
            label(argument);
        }
    }

    void label(final long argument)
    {
        bytes.putLong(0, argument);
        room.label(1, bytes, 0, 8);
    }

    @Override
    public void onTimer(final long handle, final int kind, final long tag)
    {
        events.add(room.roomId() + " timer");
    }

    @Override
    public void onReply(
        final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
    {
        events.add(room.roomId() + " answered " + correlationId);
    }

    @Override
    public void onSnapshot(final StateWriter writer)
    {
        writer.putLong(sum);
    }

    @Override
    public void onRestore(final Room restored, final int version, final StateReader reader)
    {
        room = restored;
        sum = reader.getLong();
    }

    /** Sends something else than the first build did. */
    static final class Liar extends OrderedRoom
    {
        Liar(final List<String> events)
        {
            super(events);
        }

        @Override
        void label(final long argument)
        {
            super.label(argument + 1);
        }
    }
}
