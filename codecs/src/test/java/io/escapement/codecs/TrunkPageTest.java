package io.escapement.codecs;

import io.escapement.codecs.trunk.AwayEncoder;
import io.escapement.codecs.trunk.HelloEncoder;
import io.escapement.codecs.trunk.MessageHeaderEncoder;
import io.escapement.codecs.trunk.RoomMessage;
import io.escapement.codecs.trunk.SendEncoder;
import io.escapement.codecs.trunk.StateLostEncoder;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Compares trunk.md and feeds.md with the code: pseudo-code, examples, messages, fields and lengths. */
class TrunkPageTest
{
    private static final String IDENTITY = "gateway-7";
    private static final long ROOM_ID = 0x0040000000000005L;

    private final ProtocolPage page = new ProtocolPage("trunk.md");
    private final ProtocolPage feeds = new ProtocolPage("feeds.md");
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
        assertExample(page, "hello", 1);
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
        assertExample(page, "send", 1);
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
        assertExample(feeds, "away", 2);
        feeds.assertContains("room 5 of loop 1 with an Away of seat 4 of generation 2, and a StateLost of seat 3");
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
    void shouldUseTheFieldsOfTheSchemaInItsPseudoCode()
    {
        final PseudoCode code = new PseudoCode(page.block("pseudo"), "trunk.xml", "Event", "State");
        assertEquals(List.of(), code.offences);
        for (final PseudoCode.Step step : code.steps)
        {
            assertEquals(isControl(step.templateId()) ? "control" : "loop", step.stream(), step::toString);
            assertEquals(step.templateId() < TrunkMessages.FIRST_CONTROL_REPLY, step.isSend(), step::toString);
        }
        assertEquals(List.of("Hello", "Challenge", "Proof", "Welcome", "Keepalive", "KeepaliveReply", "Attach",
            "Attached", "LogIn", "LogInReply", "Join", "Joined", "Send", "Accepted", "Resume", "Welcome", "Attach",
            "SeatResumed", "Leave", "Left", "Goodbye"), code.steps.stream().map(PseudoCode.Step::message).toList());
    }

    @Test
    void shouldFindPseudoCodeThatContradictsTheSchema()
    {
        assertEquals(List.of(), offences("await Challenge", "send Proof{credentials: of(challenge.nonce)}"));
        assertEquals(List.of("no message Prove"), offences("send Prove{credentials}"));
        assertEquals(List.of("lacks credentials after 0 fields"), offences("send Proof"));
        assertEquals(List.of("no such field, or out of order: x"), offences("send Proof{credentials, x}"));
        assertEquals(List.of("lacks roomId after 0 fields"), offences("send Leave{generation, roomId}"));
        assertEquals(List.of("lacks seatIndex after 2 fields"), offences(
            "send Send{roomId, messages{sequence: f(a, b), generation, payload}}"));
        assertEquals(List.of("welcome.loops before its message"), offences("welcome.loops"));
        assertEquals(List.of("no field reject.cause"), offences("await Reject # reject.cause"));
        assertEquals(List.of("neither a message nor a code: UNKNOWN"), offences("on UNKNOWN"));
    }

    @Test
    void shouldGiveTheValuesOfEachAudience()
    {
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
            page.assertContains("\n| " + template + " | " + name + " | ");
            if (template < TrunkMessages.FIRST_CONTROL_REPLY)
            {
                final String stream = isControl(template) ? "control" : "loop";
                assertTrue(Pattern.compile("\n\\| [^|]*\\b" + name + "\\b[^|]* \\| " + stream + " \\| ")
                    .matcher(page.text).find(), () -> "no answer of " + name);
            }
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
        page.assertContains("Ids below " + TrunkMessages.FIRST_CONTROL_REQUEST + " go to a loop, and ids from " +
            TrunkMessages.FIRST_CONTROL_REQUEST + " to the control stream.");
        page.assertContains("Ids from " + TrunkMessages.FIRST_CONTROL_REPLY +
            " arrive on the control stream, and ids from " + TrunkMessages.FIRST_LOOP_MESSAGE + " on a loop stream.");
        page.assertContains("| control | " + TrunkMessages.CONTROL_STREAM_ID + " |");
        page.assertContains("| loop n | " + TrunkMessages.loopStreamId(0) + " + n |");
        page.assertContains("of loop n | " + TrunkMessages.FEED_STREAM_ID + " + n |");
    }

    @Test
    void shouldUseTheWordsOfTheProtocol()
    {
        for (final String name : List.of("trunk.md", "feeds.md", "player.md", "state.md"))
        {
            final String text = new ProtocolPage(name).text;
            for (final String word : List.of(
                " frame", " told", " tells", " heard", " hears", " meanwhile", " of its own"))
            {
                assertFalse(text.contains(word), () -> name + " has the word:" + word);
            }
        }
    }

    private static boolean isControl(final int template)
    {
        return template >= TrunkMessages.FIRST_CONTROL_REQUEST && template < TrunkMessages.FIRST_LOOP_MESSAGE;
    }

    /** The offences of lines, without the lines. */
    private static List<String> offences(final String... lines)
    {
        return new PseudoCode(String.join("\n", lines), "trunk.xml").offences.stream()
            .map((offence) -> offence.replaceFirst(": (?:send|await|on|welcome).*", "")).toList();
    }

    private void entry(final int bodyLength)
    {
        batch.putShort(length, (short)(8 + bodyLength), ByteOrder.LITTLE_ENDIAN);
        length += 2 + 8 + bodyLength;
    }

    private void assertExample(final ProtocolPage of, final String name, final int entries)
    {
        final String example = of.hex(name);
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
