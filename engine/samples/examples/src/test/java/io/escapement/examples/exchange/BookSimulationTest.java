package io.escapement.examples.exchange;

import io.escapement.examples.exchange.codecs.ExchangeEncoder;
import io.escapement.examples.exchange.codecs.Side;
import io.escapement.rooms.RoomType;
import io.escapement.simulator.Simulator;
import java.util.SplittableRandom;
import org.agrona.MutableDirectBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Books under loss, kills, changes of the leader and faults of the disk. */
class BookSimulationTest
{
    private static final int SEEDS = 8;

    private int made;
    private long orders;

    @Test
    void shouldKeepItsBookWhateverFails()
    {
        simulate(BookRoom.type()).run(SEEDS);
    }

    /** Planted: a room that the second process makes keeps less of its state. */
    @Test
    void shouldFindARoomThatForgets()
    {
        final RoomType type = RoomType.of(BookRoom.TYPE_ID, "book", 1,
            () -> 0 == made++ / 2 % 2 ? new BookRoom() : new Forgetful()).outputLimit(1024 * 1024);
        final AssertionError found = assertThrows(AssertionError.class, () -> simulate(type).run(SEEDS));
        assertTrue(found.getMessage().contains("seed "), found::getMessage);
    }

    private Simulator simulate(final RoomType type)
    {
        return new Simulator(type)
            .open(BookRoom.TYPE_ID, 2)
            .service(BookRoom.LEDGER, "ledger", () -> (request) -> 0)
            .script(this::order)
            .checkAfterEachTurn(BookRoom.class, (room) -> assertFalse(room.isCrossed()));
    }

    /** A trader's numbers rise. */
    private int order(
        final long playerId, final long roomId, final SplittableRandom random, final MutableDirectBuffer buffer)
    {
        return new ExchangeEncoder().placeOrder(buffer, 0, ++orders, random.nextInt(95, 105),
            1 + random.nextInt(20), random.nextBoolean() ? Side.BUY : Side.SELL);
    }

    private static final class Forgetful extends BookRoom
    {
        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            // It shows nothing.
        }
    }
}
