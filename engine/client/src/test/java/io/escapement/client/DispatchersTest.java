package io.escapement.client;

import io.escapement.client.TrunkClient.State;
import io.escapement.codecs.SchemaWalk;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.trunk.GoodbyeDecoder;
import io.escapement.codecs.trunk.LeadingDecoder;
import io.escapement.codecs.trunk.StandbyDecoder;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertIterableEquals;

/** Every id of trunk.xml, and two that it does not have, through the adapters of a client. */
class DispatchersTest
{
    private static final int MAX_ID = 65_535;
    private static final Set<State> WITH_CONTROL_STREAM = EnumSet.of(State.GREETED, State.PROVEN, State.UP);
    /** Only engines that the client stands by send these. MembersTest has every state of such a client. */
    private static final Set<Integer> OF_A_STANDBY = Set.of(StandbyDecoder.TEMPLATE_ID, LeadingDecoder.TEMPLATE_ID);

    private final SchemaWalk schema = new SchemaWalk("trunk.xml");

    @Test
    void shouldTakeEveryMessageOfALoopStreamAndDropTheRest()
    {
        for (final int id : schema.everyId())
        {
            final SteppedTrunk trunk = SteppedTrunk.withSeats(1);
            trunk.loop(0).deliver(schema.message(id));
            trunk.step();
            if (schema.has(id, TrunkMessages.FIRST_LOOP_MESSAGE, MAX_ID))
            {
                assertEquals(0, trunk.client.malformedMessages(), "template " + id);
                continue;
            }
            assertDropped(trunk, "template " + id);
            assertEquals(State.UP, trunk.client.state(), "template " + id);
            assertIterableEquals(trunk.seats, trunk.client.seats(), "template " + id);
        }
    }

    @Test
    void shouldTakeEveryMessageOfTheControlStreamAndDropTheRest()
    {
        final Set<Integer> taken = new TreeSet<>(OF_A_STANDBY);
        final Set<Integer> expected = new TreeSet<>();
        for (final int id : schema.everyId())
        {
            // Both sides send Goodbye.
            final boolean isListed = GoodbyeDecoder.TEMPLATE_ID == id ||
                schema.has(id, TrunkMessages.FIRST_CONTROL_REPLY, TrunkMessages.FIRST_LOOP_MESSAGE);
            if (isListed)
            {
                expected.add(id);
            }
            for (final State state : WITH_CONTROL_STREAM)
            {
                final String context = "template " + id + " when " + state;
                final SteppedTrunk trunk = SteppedTrunk.in(state);
                trunk.join(0);
                trunk.control().deliver(schema.message(id));
                trunk.step();
                if (isListed && 0 == trunk.client.malformedMessages())
                {
                    taken.add(id);
                    continue;
                }
                assertDropped(trunk, context);
                assertEquals(state, trunk.client.state(), context);
            }
        }
        assertEquals(expected, taken);
    }

    private static void assertDropped(final SteppedTrunk trunk, final String context)
    {
        assertEquals(1, trunk.client.malformedMessages(), context);
        assertEquals(List.of(), trunk.callbacks, context);
    }
}
