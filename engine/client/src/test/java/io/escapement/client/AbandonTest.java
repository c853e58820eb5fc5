package io.escapement.client;

import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A client that breaks its connection has no present seats until the engine returns them. */
class AbandonTest
{
    @Test
    void shouldHaveNoPresentSeatsUntilTheyAreResumed()
    {
        final SteppedTrunk lost = SteppedTrunk.withSeats(2);
        final ClientSeat seat = lost.seats.get(0);
        assertTrue(seat.isPresent());
        lost.client.abandon();
        assertFalse(seat.isPresent());

        final SteppedTrunk trunk = new SteppedTrunk((context) -> context.resume(lost.client));
        for (final ClientSeat held : trunk.client.seats())
        {
            assertFalse(held.isPresent(), "the engine may have freed it");
        }
        assertEquals(0, seat.sequence());
    }

    @Test
    void shouldHaveNoPresentSeatsOnceItIsClosed()
    {
        final SteppedTrunk trunk = SteppedTrunk.withSeats(1);
        trunk.client.close();
        assertFalse(trunk.seats.get(0).isPresent());
    }
}
