package io.escapement.codecs;

import io.escapement.codecs.player.EventDecoder;
import io.escapement.codecs.player.StateDecoder;
import io.escapement.codecs.room.LogHeaderDecoder;
import io.escapement.codecs.trunk.SendDecoder;
import java.util.Set;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A valid message fits its place: the limits of the schemas add up. */
class LongestMessagesTest
{
    private static final int HEADER_LENGTH = 8;

    @Test
    void shouldFitASlotOfARing()
    {
        assertLimit("room.xml", RoomCommands.MAX_COMMAND_LENGTH, Set.of(LogHeaderDecoder.TEMPLATE_ID));
    }

    @Test
    void shouldFitTheQueuesOfTheEdge()
    {
        assertLimit("trunk.xml", RoomCommands.MAX_COMMAND_LENGTH, Set.of(SendDecoder.TEMPLATE_ID));
    }

    @Test
    void shouldFitAFrameOfAPlayer()
    {
        assertLimit("player.xml", PlayerMessages.MAX_REQUEST_LENGTH,
            Set.of(EventDecoder.TEMPLATE_ID, StateDecoder.TEMPLATE_ID));
    }

    private static void assertLimit(final String schema, final int limit, final Set<Integer> except)
    {
        new Shapes(schema).byTemplate.forEach((id, shape) -> assertTrue(
            HEADER_LENGTH + shape.longest() <= limit || except.contains(id), "template " + id));
    }
}
