package io.escapement.codecs;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.Audience;
import io.escapement.codecs.trunk.EventEncoder;
import io.escapement.codecs.trunk.HelloEncoder;
import io.escapement.codecs.trunk.MessageHeaderEncoder;
import io.escapement.codecs.trunk.SendEncoder;
import io.escapement.codecs.trunk.TrunkCode;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Holds PROTOCOL.md against the code: its examples, codes, messages and lengths. */
@Timeout(30)
class ProtocolPageTest
{
    /** A line of an example: bytes, and behind at least two spaces what they are, perhaps with their number. */
    private static final Pattern LINE = Pattern.compile("((?:[0-9a-f]{2} ?)+)(?: +[^:]+(?:: (\\d+))?.*)?");
    private static final String IDENTITY = "gateway-7";
    private static final long ROOM_ID = 0x0040000000000005L;

    private final String page = Files.readString(Path.of("PROTOCOL.md"), StandardCharsets.UTF_8);
    private final UnsafeBuffer frame = new UnsafeBuffer(new byte[256]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private int length;

    ProtocolPageTest() throws IOException
    {
    }

    @Test
    void shouldShowAHello()
    {
        final HelloEncoder hello = new HelloEncoder().wrapAndApplyHeader(frame, 2, header);
        hello.nonce().high(0x0102030405060708L).low(0x1112131415161718L);
        entry(hello.protocolVersion(TrunkMessages.PROTOCOL_VERSION).applicationVersion(5)
            .putIdentity(bytes(IDENTITY), 0, IDENTITY.length()).encodedLength());
        assertShown("hello", 1);
        assertSaid("nonce `0102030405060708` `1112131415161718`, application version 5, identity `gateway-7`");
    }

    @Test
    void shouldShowASendOfTwo()
    {
        final SendEncoder send = new SendEncoder().wrapAndApplyHeader(frame, 2, header).roomId(ROOM_ID);
        final SendEncoder.MessagesEncoder messages = send.messagesCount(2);
        messages.next().sequence(1).generation(1).seatIndex(3).putPayload(bytes("hi"), 0, 2);
        messages.next().sequence(9).generation(2).seatIndex(4).putPayload(bytes(""), 0, 0);
        entry(send.encodedLength());
        assertShown("send", 1);
        assertSaid("room 5 of loop 1, 0x0040000000000005: seat 3 of generation 1 says `hi` with sequence 1, seat 4");
        assertEquals(1, TrunkMessages.loopOf(ROOM_ID));
    }

    @Test
    void shouldShowAnEvent()
    {
        entry(new EventEncoder().wrapAndApplyHeader(frame, 2, header).roomId(ROOM_ID).selector((2L << 32) | 4)
            .audience(Audience.ONE).putPayload(bytes("hello"), 0, 5).encodedLength());
        assertShown("event", 1);
        assertSaid("payload `hello` for ONE, seat 4 of generation 2");
    }

    @Test
    void shouldShowTheProof()
    {
        final byte[] proof = new TrunkProof(bytes("a secret of 16 b")).of(
            0x0102030405060708L, 0x1112131415161718L, 0x2122232425262728L, 0xF1F2F3F4F5F6F7F8L, bytes(IDENTITY));
        assertEquals(HexFormat.of().formatHex(proof), hex("proof"));
        assertSaid("the secret `a secret of 16 b`");
        assertSaid("`2122232425262728` `f1f2f3f4f5f6f7f8`");
        assertSaid("the ASCII text `escapement trunk 1`");
    }

    @Test
    void shouldListEveryCode()
    {
        for (final RefusalCode code : RefusalCode.values())
        {
            if (RefusalCode.NULL_VAL != code && RefusalCode.SBE_UNKNOWN != code)
            {
                assertSaid("\n| " + code.value() + " | " + code + " | ");
            }
        }
        for (final TrunkCode code : TrunkCode.values())
        {
            if (TrunkCode.NULL_VAL != code && TrunkCode.SBE_UNKNOWN != code)
            {
                assertSaid("\n| " + code.value() + " | " + code + " | ");
            }
        }
        for (final Audience audience : List.of(Audience.ALL, Audience.ALL_EXCEPT, Audience.MASK, Audience.ONE))
        {
            assertSaid("\n| " + audience + " | " + audience.value() + " | ");
        }
    }

    @Test
    void shouldListEveryMessageWithItsStream()
    {
        new Shapes("trunk.xml").nameByTemplate.forEach((template, name) ->
        {
            final boolean isControl = template >= TrunkMessages.FIRST_CONTROL_REQUEST &&
                template < TrunkMessages.FIRST_LOOP_MESSAGE;
            assertSaid("\n| " + template + " | " + name + " | " + (isControl ? "control" : "loop") + " | ");
        });
    }

    @Test
    void shouldGiveTheLimitsOfTheCode()
    {
        assertSaid("(`maxPayloadLength`) | " + TrunkMessages.MAX_PAYLOAD_LENGTH + " bytes |");
        assertSaid("(`maxMessageLength`) | " + TrunkMessages.MAX_MESSAGE_LENGTH + " bytes |");
        assertSaid("| identity | " + TrunkMessages.MAX_IDENTITY_LENGTH + " bytes |");
        assertSaid("| credentials of a trunk | " + TrunkMessages.MAX_CREDENTIALS_LENGTH + " bytes |");
        assertSaid("| credentials of a player | " + TrunkMessages.MAX_LOG_IN_LENGTH + " bytes |");
        assertSaid("| player token | " + TrunkMessages.MAX_TOKEN_LENGTH + " bytes |");
        assertSaid("a message of the edge | " + RoomCommands.MAX_COMMAND_LENGTH + " bytes |");
        assertSaid("`protocolVersion` " + TrunkMessages.PROTOCOL_VERSION + ",");
        assertSaid("| messages of a Send | " + TrunkMessages.MAX_SEND_MESSAGES + " |");
        assertSaid("| control | " + TrunkMessages.CONTROL_STREAM_ID + " |");
        assertSaid("| loop n | " + TrunkMessages.loopStreamId(0) + " + n |");
    }

    private void entry(final int bodyLength)
    {
        frame.putShort(length, (short)(8 + bodyLength), ByteOrder.LITTLE_ENDIAN);
        length += 2 + 8 + bodyLength;
    }

    private void assertShown(final String name, final int entries)
    {
        final String shown = hex(name);
        assertEquals(HexFormat.of().formatHex(frame.byteArray(), 0, length), shown, name);
        final UnsafeBuffer buffer = new UnsafeBuffer(HexFormat.of().parseHex(shown));
        int at = 0;
        for (int i = 0; i < entries; i++)
        {
            final int entryLength = TrunkMessages.entryLength(buffer, at, buffer.capacity());
            assertTrue(entryLength > 0, name + ": refused with " + ~entryLength);
            at += TrunkMessages.ENTRY_HEADER_LENGTH + entryLength;
        }
        assertEquals(buffer.capacity(), at, name);
    }

    /** The bytes of an example, as hex. Where a line says a number its bytes have to be that number. */
    private String hex(final String name)
    {
        final Matcher block = Pattern.compile("```hex " + name + "\n(.*?)\n```", Pattern.DOTALL).matcher(page);
        assertTrue(block.find(), "no example " + name);
        final StringBuilder all = new StringBuilder();
        for (final String line : block.group(1).split("\n"))
        {
            final Matcher matcher = LINE.matcher(line);
            assertTrue(matcher.matches(), line);
            final String hex = matcher.group(1).replace(" ", "");
            if (null != matcher.group(2))
            {
                final byte[] number = Arrays.copyOf(HexFormat.of().parseHex(hex), Long.BYTES);
                assertEquals(Long.parseLong(matcher.group(2)),
                    new UnsafeBuffer(number).getLong(0, ByteOrder.LITTLE_ENDIAN), line);
            }
            all.append(hex);
        }
        return all.toString();
    }

    private void assertSaid(final String text)
    {
        assertTrue(page.contains(text), () -> "the page does not say: " + text);
    }

    private static byte[] bytes(final String text)
    {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
