package io.escapement.rooms.host;

import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.RefusalDecoder;
import io.escapement.codecs.room.ReplyDecoder;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.CloseReason;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.loop.LoopLimits;
import io.escapement.rooms.output.ByteSink;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A recording host with the state of a loop, whose rooms ask each other as signals of the program request. */
final class AskRig
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

    final RoomEncoder encoder = new RoomEncoder();
    final UnsafeBuffer buffer = new UnsafeBuffer(new byte[RoomCommands.MAX_COMMAND_LENGTH]);
    final UnsafeBuffer payload = new UnsafeBuffer(new byte[64]);
    final List<String> events = new ArrayList<>();
    final ByteSink log = new ByteSink();
    RecordedHost recorded;
    RoomHost host;
    long nowNs;

    AskRig()
    {
        recorded = new RecordedHost(context(), log);
        host = recorded.host;
    }

    HostContext context()
    {
        return new HostContext().outputs(new ToProgram()).roomLimit(64).linkLimit(8).build("ask")
            .loopState(new LoopLimits(LoopRig.LOOP, LoopRig.LOOPS, 4, 64 * 1_024))
            .roomType(RoomType.of(TYPE, "asker", 1, Asker::new).seats(4).requests(64).questions(LIMIT))
            .roomType(RoomType.of(MUTE_TYPE, "mute", 1, Asker::new).seats(4).requests(64));
    }

    void turn(final Runnable commands)
    {
        recorded.turn(nowNs, commands);
    }

    /** Turns without commands, until no room has sent one to another. */
    void settle()
    {
        do
        {
            turn(() -> { });
        }
        while (0 != host.loopState().returns());
    }

    void advance(final long deltaNs)
    {
        nowNs += deltaNs;
        settle();
    }

    int open(final long roomId, final int type)
    {
        return command(encoder.openRoom(buffer, 0, roomId, roomId, 0, 0, type, payload, 0, 0));
    }

    int order(final long roomId, final long order, final long argument, final long question, final long timeoutNs)
    {
        payload.putLong(0, order);
        payload.putLong(8, argument);
        payload.putLong(16, question);
        payload.putLong(24, timeoutNs);
        return command(encoder.signal(buffer, 0, roomId, 0, 0, payload, 0, 32));
    }

    int ask(final long roomId, final long toRoomId, final long question)
    {
        return order(roomId, ASK, toRoomId, question, TIMEOUT_NS);
    }

    /** A question of the program. */
    int ask(final long toRoomId, final long correlationId, final long question, final long timeoutNs)
    {
        payload.putLong(0, question);
        return command(encoder.ask(buffer, 0, toRoomId, 0, correlationId, timeoutNs, payload, 0, 8));
    }

    int command(final int length)
    {
        return recorded.onCommand(buffer, 0, length);
    }

    /** Go on in a host that has the state of this one from a snapshot, without a log. */
    void restore()
    {
        final ByteSink sink = new ByteSink();
        host.snapshot(sink);
        final long hash = host.stateHash();
        recorded = new RecordedHost(RoomHost.restore(context(), sink.buffer(), 0, sink.length()));
        host = recorded.host;
        if (hash != host.stateHash())
        {
            throw new AssertionError("the restored host has another state");
        }
    }

    List<String> takeEvents()
    {
        final List<String> taken = new ArrayList<>(events);
        events.clear();
        return taken;
    }

    /** Notes the answers to the program. */
    private final class ToProgram extends CountingOutputs
    {
        private final MessageHeaderDecoder header = new MessageHeaderDecoder();

        @Override
        public void toProgram(final DirectBuffer source, final int offset, final int length)
        {
            if (ReplyDecoder.TEMPLATE_ID == SchemaRules.templateId(source, offset))
            {
                final ReplyDecoder reply = new ReplyDecoder().wrapAndApplyHeader(source, offset, header);
                events.add("program " + reply.correlationId() + ": " + reply.status() + " of " +
                    (reply.fromRoomId() & 0xFF));
            }
            else
            {
                final RefusalDecoder refusal = new RefusalDecoder().wrapAndApplyHeader(source, offset, header);
                events.add("program " + refusal.correlationId() + ": refused " + refusal.codeRaw());
            }
        }
    }

    final class Asker implements RoomLogic
    {
        private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[64]);
        private final List<Long> open = new ArrayList<>();
        private Room room;
        private long goesOn;
        private long sum;

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
}
