package io.escapement.engine.internal.loop;

import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.trunk.FeedBeginsDecoder;
import io.escapement.codecs.trunk.FeedPacket;
import io.escapement.codecs.trunk.MessageHeaderDecoder;
import io.escapement.codecs.trunk.RoomMessage;
import io.escapement.codecs.trunk.TurnDecoder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The publication of a feed, in memory. Offers succeed unless the test has set other results. */
final class PacketPublication implements LinkPublication
{
    final List<UnsafeBuffer> packets = new ArrayList<>();
    final ArrayDeque<Long> results = new ArrayDeque<>();
    long result = 1;
    int offers;
    boolean isRecording = true;

    @Override
    public int maxPayloadLength()
    {
        return MemoryPublication.PACKET_LENGTH;
    }

    @Override
    public boolean isConnected()
    {
        return true;
    }

    @Override
    public boolean isClosed()
    {
        return false;
    }

    @Override
    public long availableWindow()
    {
        return Integer.MAX_VALUE;
    }

    @Override
    public long position()
    {
        return 0;
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length)
    {
        offers++;
        final long status = results.isEmpty() ? result : results.remove();
        if (status > 0 && isRecording)
        {
            final byte[] packet = new byte[length];
            buffer.getBytes(offset, packet);
            packets.add(new UnsafeBuffer(packet));
        }
        return status;
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length, final int padding)
    {
        throw new AssertionError("a feed pads its packets itself");
    }

    /** The packets since the last call, as "#number turn: entries". */
    List<String> take(final int feedId)
    {
        final List<String> taken = packets.stream().map((packet) -> text(packet, feedId)).toList();
        packets.clear();
        return taken;
    }

    static String text(final UnsafeBuffer packet, final int feedId)
    {
        assertEquals(feedId, FeedPacket.feedId(packet, 0));
        final StringBuilder text =
            new StringBuilder("#" + FeedPacket.number(packet, 0) + " " + FeedPacket.turn(packet, 0) + ":");
        final int end = packet.capacity();
        int at = FeedPacket.HEADER_LENGTH;
        while (at < end && !TrunkMessages.isPadding(packet, at, end))
        {
            text.append(' ').append(entry(packet, at, end, FeedPacket.NUMBER_LENGTH));
            at += RoomMessage.entrySize(packet, at);
        }
        for (int i = at; i < end; i++)
        {
            assertEquals(0, packet.getByte(i), "padding");
        }
        return text.toString();
    }

    /** An entry as text, of a feed with the number of its room. */
    static String entry(final UnsafeBuffer buffer, final int at, final int end, final int numberLength)
    {
        if (RoomMessage.isAt(buffer, at, end))
        {
            final RoomMessage message = new RoomMessage();
            final int size = message.wrap(buffer, at, end);
            assertTrue(size > 0);
            final String value = "" + buffer.getLong(numberLength + message.payloadOffset());
            return 0 == numberLength ? (message.isState() ? "state " : "event ") + value :
                message.number() + "/" + FeedPacket.roomNumber(buffer, message.payloadOffset()) + "=" + value;
        }
        assertTrue(TrunkMessages.entryLength(buffer, at, end) > 0);
        final int from = at + TrunkMessages.ENTRY_HEADER_LENGTH;
        final int template = SchemaRules.templateId(buffer, from);
        return switch (template)
        {
            case TurnDecoder.TEMPLATE_ID ->
                "turn " + new TurnDecoder().wrapAndApplyHeader(buffer, from, new MessageHeaderDecoder()).number();
            case FeedBeginsDecoder.TEMPLATE_ID ->
            {
                final FeedBeginsDecoder begin =
                    new FeedBeginsDecoder().wrapAndApplyHeader(buffer, from, new MessageHeaderDecoder());
                yield "begin " + begin.turn() + " #" + begin.packet();
            }
            default -> "template " + template;
        };
    }
}
