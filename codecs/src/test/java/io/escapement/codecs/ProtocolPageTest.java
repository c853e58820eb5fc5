package io.escapement.codecs;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.Audience;
import io.escapement.codecs.trunk.EventEncoder;
import io.escapement.codecs.trunk.HelloEncoder;
import io.escapement.codecs.trunk.MessageHeaderEncoder;
import io.escapement.codecs.trunk.SendEncoder;
import io.escapement.codecs.trunk.TrunkCode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Compares PROTOCOL.md with the code: its examples, codes, messages, fields, lengths and times. */
@Timeout(30)
class ProtocolPageTest
{
    /** A line of an example: bytes and, after at least two spaces, their meaning and perhaps their value. */
    private static final Pattern LINE = Pattern.compile("((?:[0-9a-f]{2} ?)+)(?: +[^:]+(?:: (\\d+))?.*)?");
    private static final String IDENTITY = "gateway-7";
    private static final String SCHEMA = read(Path.of("src/main/resources/io/escapement/codecs/trunk.xml"));
    private static final long ROOM_ID = 0x0040000000000005L;

    private final String page = read(Path.of("PROTOCOL.md"));
    private final UnsafeBuffer batch = new UnsafeBuffer(new byte[256]);
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private int length;

    @Test
    void shouldShowAHello()
    {
        final HelloEncoder hello = new HelloEncoder().wrapAndApplyHeader(batch, 2, header);
        hello.nonce().high(0x0102030405060708L).low(0x1112131415161718L);
        entry(hello.protocolVersion(TrunkMessages.PROTOCOL_VERSION).applicationVersion(5)
            .putIdentity(bytes(IDENTITY), 0, IDENTITY.length()).encodedLength());
        assertExample("hello", 1);
        assertContains("nonce `0102030405060708` `1112131415161718`, application version 5, identity `gateway-7`");
    }

    @Test
    void shouldShowASendOfTwo()
    {
        final SendEncoder send = new SendEncoder().wrapAndApplyHeader(batch, 2, header).roomId(ROOM_ID);
        final SendEncoder.MessagesEncoder messages = send.messagesCount(2);
        messages.next().sequence(1).generation(1).seatIndex(3).putPayload(bytes("hi"), 0, 2);
        messages.next().sequence(9).generation(2).seatIndex(4).putPayload(bytes(""), 0, 0);
        entry(send.encodedLength());
        assertExample("send", 1);
        assertContains("room 5 of loop 1, 0x0040000000000005: seat 3 of generation 1 sends `hi` with sequence 1, seat");
        assertEquals(1, TrunkMessages.loopOf(ROOM_ID));
    }

    @Test
    void shouldShowAnEvent()
    {
        entry(new EventEncoder().wrapAndApplyHeader(batch, 2, header).roomId(ROOM_ID).selector((2L << 32) | 4)
            .audience(Audience.ONE).putPayload(bytes("hello"), 0, 5).encodedLength());
        assertExample("event", 1);
        assertContains("payload `hello` for ONE, seat 4 of generation 2");
    }

    @Test
    void shouldShowTheProof()
    {
        final byte[] proof = new TrunkProof(bytes("a secret of 16 b")).of(
            0x0102030405060708L, 0x1112131415161718L, 0x2122232425262728L, 0xF1F2F3F4F5F6F7F8L, bytes(IDENTITY));
        assertEquals(HexFormat.of().formatHex(proof), hex("proof"));
        assertContains("the secret `a secret of 16 b`");
        assertContains("`2122232425262728` `f1f2f3f4f5f6f7f8`");
        assertContains("the ASCII text `escapement trunk 1`");
    }

    @Test
    void shouldListEveryCode()
    {
        for (final RefusalCode code : RefusalCode.values())
        {
            if (RefusalCode.NULL_VAL != code && RefusalCode.SBE_UNKNOWN != code)
            {
                assertContains("\n| " + code.value() + " | " + code + " | ");
            }
        }
        for (final TrunkCode code : TrunkCode.values())
        {
            if (TrunkCode.NULL_VAL != code && TrunkCode.SBE_UNKNOWN != code)
            {
                assertContains("\n| " + code.value() + " | " + code + " | ");
            }
        }
        for (final Audience audience : List.of(Audience.ALL, Audience.ALL_EXCEPT, Audience.MASK, Audience.ONE))
        {
            assertContains("\n| " + audience + " | " + audience.value() + " | ");
        }
    }

    @Test
    void shouldListEveryMessageWithItsStream()
    {
        new Shapes("trunk.xml").nameByTemplate.forEach((template, name) ->
        {
            final boolean isControl = template >= TrunkMessages.FIRST_CONTROL_REQUEST &&
                template < TrunkMessages.FIRST_LOOP_MESSAGE;
            final String from = "Goodbye".equals(name) ? "both" :
                template < TrunkMessages.FIRST_CONTROL_REPLY ? "client" : "engine";
            assertContains("\n| " + template + " | " + name + " | " + (isControl ? "control" : "loop") + " | " + from +
                " | " + fields(name) + " | ");
        });
    }

    @Test
    void shouldListEveryFieldThatIsNotInVersion0()
    {
        int fields = 0;
        for (final String message : SCHEMA.split("<sbe:message name=\""))
        {
            final Matcher field = Pattern.compile(" name=\"(\\w+)\"[^>]* sinceVersion=\"(\\d+)\"").matcher(message);
            while (field.find())
            {
                fields++;
                assertContains("\n| " + field.group(2) + " | " + message.substring(0, message.indexOf('"')) + " | " +
                    field.group(1) + " | absent: ");
            }
        }
        assertEquals(fields, page.split(" \\| absent: ", -1).length - 1);
    }

    @Test
    void shouldGiveTheLimitsOfTheCode()
    {
        assertContains("(`maxPayloadLength`) | " + TrunkMessages.MAX_PAYLOAD_LENGTH + " bytes |");
        assertContains("(`maxMessageLength`) | " + TrunkMessages.MAX_MESSAGE_LENGTH + " bytes |");
        assertContains("| identity | " + TrunkMessages.MAX_IDENTITY_LENGTH + " bytes |");
        assertContains("| credentials of a trunk | " + TrunkMessages.MAX_CREDENTIALS_LENGTH + " bytes |");
        assertContains("| credentials of a player | " + TrunkMessages.MAX_LOG_IN_LENGTH + " bytes |");
        assertContains("| player token | " + TrunkMessages.MAX_TOKEN_LENGTH + " bytes |");
        assertContains("a message of the edge | " + RoomCommands.MAX_COMMAND_LENGTH + " bytes |");
        assertContains("`protocolVersion` " + TrunkMessages.PROTOCOL_VERSION + ",");
        assertContains("| messages of a Send | " + TrunkMessages.MAX_SEND_MESSAGES + " |");
        assertContains("| control | " + TrunkMessages.CONTROL_STREAM_ID + " |");
        assertContains("| loop n | " + TrunkMessages.loopStreamId(0) + " + n |");
    }

    @Test
    void shouldUseTheWordsOfTheProtocol()
    {
        for (final String word : List.of(" frame", " told", " tells", " heard", " hears", " meanwhile", " of its own"))
        {
            assertFalse(page.contains(word), () -> "PROTOCOL.md has the word:" + word);
        }
    }

    /** The fields, groups and data of a message in the order of the schema's text. */
    private static String fields(final String name)
    {
        final Matcher message = Pattern.compile("<sbe:message name=\"" + name + "\".*?</sbe:message>", Pattern.DOTALL)
            .matcher(SCHEMA);
        assertTrue(message.find(), name);
        return Pattern.compile("<(?:field|group|data) name=\"(\\w+)\"").matcher(message.group()).results()
            .map((field) -> field.group(1)).collect(Collectors.joining(", "));
    }

    private void entry(final int bodyLength)
    {
        batch.putShort(length, (short)(8 + bodyLength), ByteOrder.LITTLE_ENDIAN);
        length += 2 + 8 + bodyLength;
    }

    private void assertExample(final String name, final int entries)
    {
        final String example = hex(name);
        assertEquals(HexFormat.of().formatHex(batch.byteArray(), 0, length), example, name);
        final UnsafeBuffer buffer = new UnsafeBuffer(HexFormat.of().parseHex(example));
        int at = 0;
        for (int i = 0; i < entries; i++)
        {
            final int entryLength = TrunkMessages.entryLength(buffer, at, buffer.capacity());
            assertTrue(entryLength > 0, name + ": refused with " + ~entryLength);
            at += TrunkMessages.ENTRY_HEADER_LENGTH + entryLength;
        }
        assertEquals(buffer.capacity(), at, name);
    }

    /** The bytes of an example, as hex. A value behind its bytes must be equal to them. */
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

    private void assertContains(final String text)
    {
        assertTrue(page.contains(text), () -> "PROTOCOL.md lacks: " + text);
    }

    private static String read(final Path path)
    {
        try
        {
            return Files.readString(path, StandardCharsets.UTF_8);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static byte[] bytes(final String text)
    {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
