package io.escapement.codecs;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.player.EventDecoder;
import io.escapement.codecs.player.PlayerLayout;
import io.escapement.codecs.room.LogHeaderDecoder;
import io.escapement.codecs.room.RoomLayout;
import io.escapement.codecs.trunk.SendDecoder;
import io.escapement.codecs.trunk.StateDecoder;
import io.escapement.codecs.trunk.TrunkLayout;
import java.util.Set;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A valid message fits its place: the limits of the schemas add up. */
class LongestMessagesTest
{
    private static final int MAX_ID = 65_535;

    @Test
    void shouldFitASlotOfARing()
    {
        assertLimit(RoomLayout.RULES, RoomCommands.MAX_COMMAND_LENGTH, Set.of(LogHeaderDecoder.TEMPLATE_ID));
    }

    @Test
    void shouldFitTheQueuesOfTheEdge()
    {
        assertLimit(TrunkLayout.RULES, RoomCommands.MAX_COMMAND_LENGTH, Set.of(SendDecoder.TEMPLATE_ID,
            io.escapement.codecs.trunk.EventDecoder.TEMPLATE_ID, StateDecoder.TEMPLATE_ID));
    }

    @Test
    void shouldFitAFrameOfAPlayer()
    {
        assertLimit(PlayerLayout.RULES, PlayerMessages.MAX_REQUEST_LENGTH, Set.of(EventDecoder.TEMPLATE_ID,
            io.escapement.codecs.player.StateDecoder.TEMPLATE_ID));
    }

    private static void assertLimit(final SchemaRules rules, final int limit, final Set<Integer> except)
    {
        int messages = 0;
        for (int id = 0; id <= MAX_ID; id++)
        {
            final long longest = rules.maxLength(id);
            messages += longest > 0 ? 1 : 0;
            assertTrue(longest <= limit || except.contains(id), "template " + id + ": " + longest);
        }
        assertTrue(messages > 10, messages + " messages");
    }
}
