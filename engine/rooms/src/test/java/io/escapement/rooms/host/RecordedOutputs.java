package io.escapement.rooms.host;

import io.escapement.codecs.Codes;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.DirectoryEntryDecoder;
import io.escapement.codecs.room.RefusalDecoder;
import io.escapement.codecs.room.ReplyDecoder;
import io.escapement.codecs.trunk.JoinedDecoder;
import io.escapement.codecs.trunk.LeftDecoder;
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import io.escapement.codecs.trunk.RefusedDecoder;
import io.escapement.codecs.trunk.SeatAwayDecoder;
import io.escapement.codecs.trunk.SeatResumedDecoder;
import io.escapement.rooms.AwayReason;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.output.NoOutputs;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Records the output of a host, and decodes it for a test. */
public final class RecordedOutputs extends NoOutputs
{
    /** The receiver of an output, or its sender. */
    public enum Kind
    {
        /** Of a room, for seats. */
        MESSAGE,
        /** Control output to a trunk. */
        LINK,
        /** Of a room, to be observed. */
        COMMAND,
        /** To the directory. */
        EDGE,
        /** To the application. */
        PROGRAM
    }

    /**
     * An output.
     *
     * @param kind        of it.
     * @param link        of a message or of control output.
     * @param outputClass of a message.
     * @param bytes       of it.
     */
    public record Output(Kind kind, int link, int outputClass, byte[] bytes)
    {
        /** The bytes as text. */
        public String ascii()
        {
            return new String(bytes, StandardCharsets.US_ASCII);
        }
    }

    private final List<Output> all = new ArrayList<>();
    private boolean isStopped;
    private long messages;

    /** Record nothing from now on, for a test of allocation. */
    public RecordedOutputs stop()
    {
        isStopped = true;
        return this;
    }

    /** All output since the last call, in order. */
    public List<Output> take()
    {
        final List<Output> taken = List.copyOf(all);
        all.clear();
        return taken;
    }

    /** Remove the output of a kind, and read it. */
    public <T> List<T> take(final Kind kind, final Function<Output, T> reader)
    {
        final List<T> taken = new ArrayList<>();
        all.removeIf((output) -> kind == output.kind && taken.add(reader.apply(output)));
        return taken;
    }

    /** Bytes of the messages through a link since the beginning or the last take. */
    public List<byte[]> received(final int link)
    {
        return all.stream().filter((output) -> Kind.MESSAGE == output.kind && link == output.link)
            .map(Output::bytes).toList();
    }

    /** Messages since the beginning, recorded or not. */
    long messages()
    {
        return messages;
    }

    /** Control output to a trunk, as text. */
    static String toLink(final Output output)
    {
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        final UnsafeBuffer bytes = new UnsafeBuffer(output.bytes);
        return output.link + ": " + switch (SchemaRules.templateId(bytes, 0))
        {
            case JoinedDecoder.TEMPLATE_ID ->
            {
                final JoinedDecoder joined = new JoinedDecoder().wrapAndApplyHeader(bytes, 0, header);
                final String text =
                    "joined " + joined.requestId() + " " + seat(joined.seatIndex(), joined.generation());
                final byte[] answer = new byte[joined.answerLength()];
                joined.getAnswer(answer, 0, answer.length);
                yield 0 == answer.length ? text : text + " " + new String(answer, StandardCharsets.US_ASCII);
            }
            case SeatResumedDecoder.TEMPLATE_ID ->
            {
                final SeatResumedDecoder seat = new SeatResumedDecoder().wrapAndApplyHeader(bytes, 0, header);
                yield "resumed " + seat(seat.seatIndex(), seat.generation());
            }
            case SeatAwayDecoder.TEMPLATE_ID ->
            {
                final SeatAwayDecoder away = new SeatAwayDecoder().wrapAndApplyHeader(bytes, 0, header);
                yield "away " + seat(away.seatIndex(), away.generation()) + " " +
                    AwayReason.values()[away.reason()];
            }
            case LeftDecoder.TEMPLATE_ID ->
            {
                final LeftDecoder left = new LeftDecoder().wrapAndApplyHeader(bytes, 0, header);
                yield "left " + seat(left.seatIndex(), left.generation()) + " " +
                    LeaveReason.values()[left.reason()] + " " + left.code();
            }
            default ->
            {
                final RefusedDecoder refused = new RefusedDecoder().wrapAndApplyHeader(bytes, 0, header);
                yield "refused " + refused.reference() + " " + Codes.nameOf(refused.code());
            }
        };
    }

    /** An answer to the program, as text. */
    static String toApplication(final Output output)
    {
        final io.escapement.codecs.room.MessageHeaderDecoder header =
            new io.escapement.codecs.room.MessageHeaderDecoder();
        final UnsafeBuffer bytes = new UnsafeBuffer(output.bytes);
        if (ReplyDecoder.TEMPLATE_ID == SchemaRules.templateId(bytes, 0))
        {
            final ReplyDecoder reply = new ReplyDecoder().wrapAndApplyHeader(bytes, 0, header);
            return "program " + reply.correlationId() + ": " + reply.status() + " of " + (reply.fromRoomId() & 0xFF);
        }
        final RefusalDecoder refusal = new RefusalDecoder().wrapAndApplyHeader(bytes, 0, header);
        return "program " + refusal.correlationId() + ": refused " + refusal.codeRaw();
    }

    /** A change of the directory. */
    static DirectoryEntryDecoder toEdge(final Output output)
    {
        return new DirectoryEntryDecoder().wrapAndApplyHeader(
            new UnsafeBuffer(output.bytes), 0, new io.escapement.codecs.room.MessageHeaderDecoder());
    }

    @Override
    public void message(
        final int link,
        final long roomId,
        final int outputClass,
        final int audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        messages++;
        add(Kind.MESSAGE, link, outputClass, buffer, offset, length);
    }

    @Override
    public void toLink(final int link, final DirectBuffer buffer, final int offset, final int length)
    {
        add(Kind.LINK, link, 0, buffer, offset, length);
    }

    @Override
    public void onCommand(final DirectBuffer buffer, final int offset, final int length)
    {
        add(Kind.COMMAND, NO_LINK, 0, buffer, offset, length);
    }

    @Override
    public void toEdge(final DirectBuffer buffer, final int offset, final int length)
    {
        add(Kind.EDGE, NO_LINK, 0, buffer, offset, length);
    }

    @Override
    public void toApplication(final DirectBuffer buffer, final int offset, final int length)
    {
        add(Kind.PROGRAM, NO_LINK, 0, buffer, offset, length);
    }

    private void add(
        final Kind kind,
        final int link,
        final int outputClass,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        if (isStopped)
        {
            return;
        }
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        all.add(new Output(kind, link, outputClass, bytes));
    }

    private static String seat(final int index, final int generation)
    {
        return index + "/" + generation;
    }
}
