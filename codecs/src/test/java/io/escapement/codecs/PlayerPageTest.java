package io.escapement.codecs;

import io.escapement.codecs.player.MessageEncoder;
import io.escapement.codecs.player.MessageHeaderEncoder;
import io.escapement.codecs.player.PlayerLayout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Compares player.md with the code: pseudo-code, example, messages and lengths. */
class PlayerPageTest
{
    private final ProtocolPage page = new ProtocolPage("player.md");

    @Test
    void shouldShowAMessage()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
        final MessageHeaderEncoder header = new MessageHeaderEncoder();
        final int length = 8 + new MessageEncoder().wrapAndApplyHeader(buffer, 0, header).roomId(0x0040000000000005L)
            .putPayload("hi".getBytes(StandardCharsets.US_ASCII), 0, 2).encodedLength();
        assertEquals(HexFormat.of().formatHex(buffer.byteArray(), 0, length), page.hex("player-message"));
        assertEquals(0, PlayerLayout.RULES.validate(buffer, 0, length));
        page.assertContains("A Message to room 5 of loop 1, 0x0040000000000005, with the payload `hi`");
    }

    @Test
    void shouldListEveryMessage()
    {
        new Shapes("player.xml").nameByTemplate.forEach((template, name) ->
        {
            page.assertContains("\n| " + template + " | " + name + " | ");
            if (template < PlayerMessages.FIRST_REPLY)
            {
                page.assertContains("\n| " + name + " | ");
            }
        });
    }

    @Test
    void shouldUseTheFieldsOfTheSchemaInItsPseudoCode()
    {
        final PseudoCode code = new PseudoCode(page.block("pseudo"), "player.xml", "WebSocket");
        assertEquals(List.of(), code.offences);
        for (final PseudoCode.Step step : code.steps)
        {
            assertEquals(step.templateId() < PlayerMessages.FIRST_REPLY, step.isSend(), step::toString);
        }
        assertEquals(List.of("Hello", "Welcome", "LogIn", "LoggedIn", "Join", "Joined", "Message", "Ping", "Pong",
            "Hello", "Welcome", "Joined", "Leave", "Left", "Goodbye"),
            code.steps.stream().map(PseudoCode.Step::message).toList());
    }

    @Test
    void shouldGiveTheLimitsOfTheCode()
    {
        page.assertContains("subprotocol `" + PlayerMessages.SUBPROTOCOL + "`");
        page.assertContains("`protocolVersion` " + PlayerMessages.PROTOCOL_VERSION + ". The gateway");
        page.assertContains("Ids from " + PlayerMessages.FIRST_REPLY + " are sent by the gateway.");
        page.assertContains("`" + PlayerMessages.RESUME_SUBPROTOCOL + "` and the 32 hexadecimal digits");
        page.assertContains("`flushMs`, at most " + PlayerMessages.MAX_FLUSH_MS + ",");
        page.assertContains("| a message of a player | 1,536 bytes |");
        assertEquals(1_536, PlayerMessages.MAX_REQUEST_LENGTH);
        page.assertContains("args of Join (`maxPayloadLength`) | " + PlayerMessages.MAX_PAYLOAD_LENGTH + " bytes |");
        page.assertContains("| credentials of LogIn | " + PlayerMessages.MAX_LOG_IN_LENGTH + " bytes |");
        page.assertContains("| sessionToken | " + PlayerMessages.MAX_SESSION_TOKEN_LENGTH + " bytes |");
        page.assertContains("| answer of Joined | " + PlayerMessages.MAX_ANSWER_LENGTH + " bytes |");
        page.assertContains("| payload of Event and State | 8,192 bytes |");
        assertEquals(8_192, PlayerMessages.MAX_MESSAGE_LENGTH);
    }

    /** All 64 bits of an id are in use; a program whose numbers are doubles finds them by the semantic type. */
    @Test
    void shouldMarkEveryIdInTheSchema()
    {
        int ids = 0;
        for (final String line : ProtocolPage.schema("player.xml").split("\n"))
        {
            if (line.contains("name=\"roomId\"") || line.contains("name=\"playerId\""))
            {
                ids++;
                assertTrue(line.contains("semanticType=\"id\""), line);
            }
        }
        assertTrue(ids > 10, "only " + ids);
    }
}
