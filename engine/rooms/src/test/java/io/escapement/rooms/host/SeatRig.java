package io.escapement.rooms.host;

import io.escapement.codecs.Codes;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.codecs.trunk.JoinedDecoder;
import io.escapement.codecs.trunk.LeftDecoder;
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import io.escapement.codecs.trunk.RefusedDecoder;
import io.escapement.rooms.LeaveReason;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.log.LogFile;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.HostListener;
import io.escapement.rooms.replay.Replay;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A recording host with one room of id 1, a command a turn, and the messages to its trunks as text. */
final class SeatRig
{
    static final long ROOM = 1;

    final RoomEncoder encoder = new RoomEncoder();
    final UnsafeBuffer buffer = new UnsafeBuffer(new byte[4 * 1_024]);
    final List<String> toLinks = new ArrayList<>();
    final List<String> failures = new ArrayList<>();
    final ByteSink log = new ByteSink();
    RoomHost host;
    RecordedHost recorded;
    long nowNs;
    private final RoomType type;

    SeatRig(final RoomType type)
    {
        this.type = type;
        use(new RecordedHost(context().outputs(new Links()).listener(new Failures()), log));
        run(encoder.openRoom(buffer, 0, ROOM, 1, 0, 0, type.id(), buffer, 0, 0));
        for (int link = 0; link < 4; link++)
        {
            run(encoder.linkUp(buffer, 0, 10 + link, link));
        }
    }

    HostContext context()
    {
        return new HostContext().build("rig").roomType(type).outputs(new CountingOutputs());
    }

    int join(final long player, final int link)
    {
        return run(encoder.join(buffer, 0, ROOM, player, 100 + player, link, buffer, 0, 0));
    }

    int signal()
    {
        return run(encoder.signal(buffer, 0, ROOM, 0, 0, buffer, 0, 1));
    }

    int message(final int seatIndex, final int generation, final int link, final long sequence)
    {
        return run(encoder.message(
            buffer, 0, ROOM, sequence, seatIndex, generation, link, new UnsafeBuffer(new byte[8]), 0, 8));
    }

    /** Run a turn with the command that is encoded in the buffer. */
    int run(final int length)
    {
        return recorded.turn(++nowNs, buffer, length);
    }

    void pass(final long ns)
    {
        nowNs += ns;
        recorded.turn(nowNs, buffer, 0);
    }

    /** Go on in a host that is restored from a snapshot; the recording ends here. */
    void restore()
    {
        final long hash = host.stateHash();
        final ByteSink snapshot = new ByteSink();
        host.snapshot(snapshot);
        use(new RecordedHost(RoomHost.restore(
            context().outputs(new Links()).listener(new Failures()), snapshot.buffer(), 0, snapshot.length())));
        assertEquals(hash, host.stateHash());
    }

    private void use(final RecordedHost other)
    {
        recorded = other;
        host = other.host;
    }

    void assertReplays()
    {
        recorded.close();
        final Replay replay = new Replay(LogFile.open(log.buffer(), 0, log.length()), context()).run();
        assertTrue(replay.isSame(), replay.difference());
        assertEquals(host.stateHash(), replay.host().stateHash());
    }

    static List<String> take(final List<String> list)
    {
        final List<String> taken = List.copyOf(list);
        list.clear();
        return taken;
    }

    private final class Failures implements HostListener
    {
        @Override
        public void onRoomFailed(final long roomId, final int typeId, final long callback, final Throwable cause)
        {
            failures.add("failed at " + callback + " " + cause.getMessage());
        }

        @Override
        public void onRoomError(final long roomId, final int typeId, final long callback, final Throwable cause)
        {
            failures.add("error at " + callback + " " + cause.getMessage());
        }
    }

    private final class Links extends CountingOutputs
    {
        private final MessageHeaderDecoder header = new MessageHeaderDecoder();

        @Override
        public void toLink(final int link, final DirectBuffer bytes, final int offset, final int length)
        {
            toLinks.add(link + ": " + switch (SchemaRules.templateId(bytes, offset))
            {
                case JoinedDecoder.TEMPLATE_ID ->
                {
                    final JoinedDecoder joined = new JoinedDecoder().wrapAndApplyHeader(bytes, offset, header);
                    final String text =
                        "joined " + joined.requestId() + " " + joined.seatIndex() + "/" + joined.generation();
                    final byte[] answer = new byte[joined.answerLength()];
                    joined.getAnswer(answer, 0, answer.length);
                    yield 0 == answer.length ? text : text + " " + new String(answer, StandardCharsets.US_ASCII);
                }
                case LeftDecoder.TEMPLATE_ID ->
                {
                    final LeftDecoder left = new LeftDecoder().wrapAndApplyHeader(bytes, offset, header);
                    yield "left " + left.seatIndex() + "/" + left.generation() + " " +
                        LeaveReason.values()[left.reason()] + " " + left.code();
                }
                case RefusedDecoder.TEMPLATE_ID ->
                {
                    final RefusedDecoder refused = new RefusedDecoder().wrapAndApplyHeader(bytes, offset, header);
                    yield "refused " + refused.reference() + " " + Codes.nameOf(refused.code());
                }
                default -> "message " + SchemaRules.templateId(bytes, offset);
            });
        }
    }
}
