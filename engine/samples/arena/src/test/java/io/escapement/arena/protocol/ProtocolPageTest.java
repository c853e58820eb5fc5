package io.escapement.arena.protocol;

import io.escapement.arena.codecs.ArenaCode;
import io.escapement.codecs.Shapes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Compares the tables of PROTOCOL.md with the schema and the limits of {@link ArenaMessages}. */
class ProtocolPageTest
{
    private final String page = Files.readString(Path.of("PROTOCOL.md"), StandardCharsets.UTF_8);

    ProtocolPageTest() throws IOException
    {
    }

    @Test
    void shouldListEveryMessage()
    {
        new Shapes("/io/escapement/arena/protocol/arena.xml").nameByTemplate.forEach((template, name) -> assertListed(
            "| " + template + " | " + name + " | " +
            (template < ArenaMessages.FIRST_SERVER_MESSAGE ? "client" :
            template < ArenaMessages.FIRST_ROOM_MESSAGE ? "" : "between rooms")));
    }

    @Test
    void shouldListEveryCode()
    {
        for (final ArenaCode code : ArenaCode.values())
        {
            if (ArenaCode.NULL_VAL != code && ArenaCode.SBE_UNKNOWN != code)
            {
                assertListed("| " + code.value() + " | " + code + " | ");
            }
        }
    }

    @Test
    void shouldListEveryLimit()
    {
        assertListed("| a message of a client | " + ArenaMessages.LONGEST_REQUEST + " bytes |");
        assertListed("| a name, a filter or a password on the wire; taken are names up to " +
            ArenaMessages.NAME_LIMIT + " | " + ArenaMessages.MAX_NAME_LENGTH + " bytes |");
        assertListed("| a name of a map | " + ArenaMessages.MAX_MAP_LENGTH + " bytes |");
        assertListed("| a text on the wire; taken are up to " + ArenaMessages.TEXT_LIMIT + " | " +
            ArenaMessages.MAX_TEXT_LENGTH + " bytes |");
        assertListed("| characters of an account | " + ArenaMessages.MAX_CHARACTERS + " |");
        assertListed("| leaders | " + ArenaMessages.MAX_LEADERS + " |");
        assertListed("| rooms on a page | " + ArenaMessages.ROOMS_OF_PAGE + " |");
        assertListed("| players of an arena | " + ArenaMessages.MAX_PLAYERS + " |");
        assertListed("| projectiles of an arena | " + ArenaMessages.MAX_SHOTS + " |");
        assertListed("| events of a message | " + ArenaMessages.MAX_EVENTS + " |");
    }

    private void assertListed(final String row)
    {
        assertTrue(page.contains('\n' + row), () -> "PROTOCOL.md has no row: " + row);
    }
}
