package io.escapement.codecs;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.AwayEncoder;
import io.escapement.codecs.trunk.HelloEncoder;
import io.escapement.codecs.trunk.MessageHeaderEncoder;
import io.escapement.codecs.trunk.RoomMessage;
import io.escapement.codecs.trunk.SendEncoder;
import io.escapement.codecs.trunk.StateLostEncoder;
import io.escapement.codecs.trunk.TrunkCode;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Compares PROTOCOL.md with the code: its examples, codes, messages, fields, lengths and times. */
class ProtocolPageTest
{
    private static final String IDENTITY = "gateway-7";
    private static final long ROOM_ID = 0x0040000000000005L;

    private final ProtocolPage page = new ProtocolPage("trunk.xml");
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
        page.assertContains("nonce `0102030405060708` `1112131415161718`, application version 5, identity `gateway-7`");
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
        page.assertContains(
            "room 5 of loop 1, 0x0040000000000005: seat 3 of generation 1 sends `hi` with sequence 1, seat");
        assertEquals(1, TrunkMessages.loopOf(ROOM_ID));
    }

    @Test
    void shouldShowAnAwayAndAStateLost()
    {
        entry(new AwayEncoder().wrapAndApplyHeader(batch, 2, header).roomId(ROOM_ID).seatIndex(4).generation(2)
            .encodedLength());
        entry(new StateLostEncoder().wrapAndApplyHeader(batch, length + 2, header).roomId(ROOM_ID).seatIndex(3)
            .generation(1).encodedLength());
        assertExample("away", 2);
    }

    @Test
    void shouldShowAnEvent()
    {
        length = RoomMessage.putHeader(batch, 0, false, ROOM_ID, RoomMessage.ONE, (2L << 32) | 4, 5);
        batch.putBytes(length, bytes("hello"));
        length += 5;
        assertEquals(HexFormat.of().formatHex(batch.byteArray(), 0, length), page.hex("event"));
        page.assertContains("payload `hello` for ONE, seat 4 of generation 2");
    }

    @Test
    void shouldShowTheProof()
    {
        final byte[] proof = new TrunkProof(bytes("a secret of 16 b")).of(
            0x0102030405060708L, 0x1112131415161718L, 0x2122232425262728L, 0xF1F2F3F4F5F6F7F8L, bytes(IDENTITY));
        assertEquals(HexFormat.of().formatHex(proof), page.hex("proof"));
        page.assertContains("the secret `a secret of 16 b`");
        page.assertContains("`2122232425262728` `f1f2f3f4f5f6f7f8`");
        page.assertContains("the ASCII text `escapement trunk 1`");
    }

    @Test
    void shouldListEveryCode()
    {
        for (final RefusalCode code : RefusalCode.values())
        {
            if (RefusalCode.NULL_VAL != code && RefusalCode.SBE_UNKNOWN != code)
            {
                page.assertContains("\n| " + code.value() + " | " + code + " | ");
            }
        }
        for (final TrunkCode code : TrunkCode.values())
        {
            if (TrunkCode.NULL_VAL != code && TrunkCode.SBE_UNKNOWN != code)
            {
                page.assertContains("\n| " + code.value() + " | " + code + " | ");
            }
        }
        page.assertContains("\n| ALL | " + RoomMessage.ALL + " | ");
        page.assertContains("\n| ALL_EXCEPT | " + RoomMessage.ALL_EXCEPT + " | ");
        page.assertContains("\n| MASK | " + RoomMessage.MASK + " | ");
        page.assertContains("\n| ONE | " + RoomMessage.ONE + " | ");
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
            page.assertContains("\n| " + name + " | " + (isControl ? "control" : "loop") + " | " + from + " | ");
            page.assertContains("\n| " + template + " | " + name + " | ");
        });
    }

    @Test
    void shouldGiveTheLimitsOfTheCode()
    {
        page.assertContains("(`maxPayloadLength`) | " + TrunkMessages.MAX_PAYLOAD_LENGTH + " bytes |");
        page.assertContains("(`maxMessageLength`) | " + TrunkMessages.MAX_MESSAGE_LENGTH + " bytes |");
        page.assertContains("| identity | " + TrunkMessages.MAX_IDENTITY_LENGTH + " bytes |");
        page.assertContains("| credentials of a trunk | " + TrunkMessages.MAX_CREDENTIALS_LENGTH + " bytes |");
        page.assertContains("| credentials of a player | " + TrunkMessages.MAX_LOG_IN_LENGTH + " bytes |");
        page.assertContains("| player token | " + TrunkMessages.MAX_TOKEN_LENGTH + " bytes |");
        page.assertContains("a message of the edge | " + RoomCommands.MAX_COMMAND_LENGTH + " bytes |");
        page.assertContains("`protocolVersion` " + TrunkMessages.PROTOCOL_VERSION + ",");
        page.assertContains("| messages of a Send | " + TrunkMessages.MAX_SEND_MESSAGES + " |");
        page.assertContains("| control | " + TrunkMessages.CONTROL_STREAM_ID + " |");
        page.assertContains("| loop n | " + TrunkMessages.loopStreamId(0) + " + n |");
        page.assertContains("of loop n | " + TrunkMessages.FEED_STREAM_ID + " + n |");
    }

    @Test
    void shouldUseTheWordsOfTheProtocol()
    {
        for (final String word : List.of(" frame", " told", " tells", " heard", " hears", " meanwhile", " of its own"))
        {
            assertFalse(page.text.contains(word), () -> "PROTOCOL.md has the word:" + word);
        }
    }

    private void entry(final int bodyLength)
    {
        batch.putShort(length, (short)(8 + bodyLength), ByteOrder.LITTLE_ENDIAN);
        length += 2 + 8 + bodyLength;
    }

    private void assertExample(final String name, final int entries)
    {
        final String example = page.hex(name);
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

    private static byte[] bytes(final String text)
    {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
