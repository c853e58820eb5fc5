package io.escapement.rooms.host;

import io.escapement.rooms.CloseReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.loop.LoopLimits;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A room that asks another as signals of the program request, and notes each answer. */
final class Asker implements RoomLogic
{
    static final int LIMIT = 3;
    static final int TYPE = 1;
    static final int MUTE_TYPE = 2;
    static final long TIMEOUT_NS = 50_000_000;
    /** Orders to a room: ask another, and answer one or all questions that it has. */
    static final long ASK = 1;
    static final long ANSWER = 2;
    static final long ANSWER_ALL = 3;
    static final long CLOSE = 4;
    static final long FAIL = 5;
    /** Questions: answer at once, with a code, later; throw; answer all and overflow the stack; close; answer twice. */
    static final long NOW = 10;
    static final long CODE = 11;
    static final long LATER = 12;
    static final long THROW = 13;
    static final long OVERFLOW = 14;
    static final long CLOSE_UNANSWERED = 15;
    static final long TWICE = 16;
    static final int STATUS = RoomLogic.FIRST_APPLICATION_CODE + 3;

    private final List<String> events;
    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[64]);
    private final List<Long> open = new ArrayList<>();
    private Room room;
    private long goesOn;
    private long sum;

    Asker(final List<String> events)
    {
        this.events = events;
    }

    /** A host with the state of a loop. */
    static HostRig rig(final List<String> events)
    {
        return new HostRig((context) -> context.linkLimit(8)
            .loopState(new LoopLimits(Sender.LOOP, Sender.LOOPS, 4, 64 * 1_024)),
            RoomType.of(TYPE, "asker", 1, () -> new Asker(events)).seats(4).requests(64).questions(LIMIT),
            RoomType.of(MUTE_TYPE, "mute", 1, () -> new Asker(events)).seats(4).requests(64));
    }

    /** Have a room ask another. */
    static int ask(final HostRig rig, final long roomId, final long toRoomId, final long question)
    {
        return rig.signal(roomId, ASK, toRoomId, question, TIMEOUT_NS);
    }

    @Override
    public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
    {
        room = opened;
    }

    @Override
    public void onMessage(final Seat from, final DirectBuffer source, final int offset, final int length)
    {
    }

    @Override
    public void onSignal(final long from, final DirectBuffer source, final int offset, final int length)
    {
        final long argument = source.getLong(8);
        switch ((int)source.getLong(0))
        {
            case (int)ASK ->
            {
                bytes.putLong(0, source.getLong(16));
                saw(1, room.ask(argument, source.getLong(24), bytes, 0, 8));
            }
            case (int)ANSWER -> answer(argument);
            case (int)ANSWER_ALL -> answerAll();
            case (int)CLOSE -> room.close();
            default ->
            {
                goesOn = argument;
                throw new IllegalStateException("on purpose");
            }
        }
    }

    @Override
    public void onAsk(
        final long askId, final long from, final DirectBuffer source, final int offset, final int length)
    {
        final long question = source.getLong(offset);
        saw(2, askId * 31 + from);
        open.add(askId);
        switch ((int)question)
        {
            case (int)NOW -> answer(askId);
            case (int)CODE ->
            {
                room.answer(askId, STATUS, bytes, 0, 0);
                open.remove(askId);
            }
            case (int)TWICE ->
            {
                answer(askId);
                events.add("again " + room.answer(askId, 0, bytes, 0, 0));
            }
            case (int)THROW ->
            {
                goesOn = 1;
                throw new IllegalStateException("on purpose");
            }
            case (int)OVERFLOW ->
            {
                answerAll();
                throw new StackOverflowError("planted");
            }
            case (int)CLOSE_UNANSWERED -> room.close();
            default -> saw(3, question);
        }
    }

    @Override
    public void onReply(
        final long correlationId, final int status, final DirectBuffer source, final int offset, final int length)
    {
        saw(4, correlationId * 31 + status);
        events.add((room.roomId() & 0xFF) + ": " + correlationId + " got " + status +
            (8 == length ? " answer " + source.getLong(offset) : ""));
    }

    @Override
    public void onClose(final CloseReason reason)
    {
        events.add((room.roomId() & 0xFF) + " closed");
    }

    @Override
    public AfterError onError(final Throwable thrown, final Seat seat)
    {
        return 0 == goesOn ? AfterError.CLOSE : AfterError.CONTINUE;
    }

    @Override
    public void onDrain(final Room drained, final long deadlineNs)
    {
    }

    @Override
    public void onSnapshot(final StateWriter writer)
    {
        writer.putLong(sum);
        writer.putLong(goesOn);
        writer.putInt(open.size());
        open.forEach(writer::putLong);
    }

    @Override
    public void onRestore(final Room restored, final int version, final StateReader reader)
    {
        room = restored;
        sum = reader.getLong();
        goesOn = reader.getLong();
        for (int i = reader.getInt(); i > 0; i--)
        {
            open.add(reader.getLong());
        }
    }

    private void answerAll()
    {
        while (!open.isEmpty())
        {
            answer(open.get(open.size() / 2));
        }
    }

    private void answer(final long askId)
    {
        bytes.putLong(0, askId);
        saw(5, room.answer(askId, 0, bytes, 0, 8) ? 1 : 0);
        open.remove(askId);
    }

    private void saw(final int what, final long value)
    {
        sum = (sum * 31 + what) * 0x9E3779B97F4A7C15L + value;
    }
}
