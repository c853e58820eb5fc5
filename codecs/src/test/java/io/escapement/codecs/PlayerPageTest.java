package io.escapement.codecs;

import io.escapement.codecs.player.CloseCode;
import io.escapement.codecs.player.GatewayCode;
import io.escapement.codecs.player.MessageEncoder;
import io.escapement.codecs.player.MessageHeaderEncoder;
import io.escapement.codecs.player.PlayerLayout;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Compares the section of PROTOCOL.md on players' programs with the code. */
class PlayerPageTest
{
    private final ProtocolPage page = new ProtocolPage("player.xml");

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
            page.assertContains("\n| " + name + " | " +
                (template < PlayerMessages.FIRST_REPLY ? "player" : "gateway") + " | ");
            page.assertContains("\n| " + template + " | " + name + " | ");
        });
    }

    @Test
    void shouldListEveryCode()
    {
        for (final GatewayCode code : GatewayCode.values())
        {
            if (GatewayCode.NULL_VAL != code && GatewayCode.SBE_UNKNOWN != code)
            {
                page.assertContains("\n| " + code.value() + " | " + code + " | ");
            }
        }
        for (final CloseCode code : CloseCode.values())
        {
            if (CloseCode.NULL_VAL != code && CloseCode.SBE_UNKNOWN != code)
            {
                page.assertContains("\n| " + code.value() + " | " + code + " | ");
            }
        }
    }

    @Test
    void shouldGiveTheLimitsOfTheCode()
    {
        page.assertContains("subprotocol `" + PlayerMessages.SUBPROTOCOL + "`");
        page.assertContains("`protocolVersion` " + PlayerMessages.PROTOCOL_VERSION + ". The gateway");
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
        for (final String line : page.schema.split("\n"))
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
