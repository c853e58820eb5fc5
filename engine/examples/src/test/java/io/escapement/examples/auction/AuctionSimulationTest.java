package io.escapement.examples.auction;

import io.escapement.examples.auction.codecs.AuctionEncoder;
import io.escapement.examples.auction.codecs.Side;
import io.escapement.rooms.RoomType;
import io.escapement.simulator.Simulator;
import java.util.SplittableRandom;
import org.agrona.MutableDirectBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Auctions under loss, kills, changes of the leader and faults of the disk. */
class AuctionSimulationTest
{
    private static final int SEEDS = 8;

    private int made;

    @Test
    void shouldKeepItsBookWhateverFails()
    {
        simulate(AuctionRoom.type()).run(SEEDS);
    }

    /** Planted: a room that the second process makes keeps less of its state. */
    @Test
    void shouldFindARoomThatForgets()
    {
        final RoomType type = RoomType.of(AuctionRoom.TYPE_ID, "auction", 1,
            () -> 0 == made++ / 2 % 2 ? new AuctionRoom() : new Forgetful()).outputLimit(1024 * 1024);
        final AssertionError found = assertThrows(AssertionError.class, () -> simulate(type).run(SEEDS));
        assertTrue(found.getMessage().contains("seed "), found::getMessage);
    }

    private static Simulator simulate(final RoomType type)
    {
        return new Simulator(type)
            .open(AuctionRoom.TYPE_ID, 2)
            .service(AuctionRoom.LEDGER, "ledger", () -> (request) -> 0)
            .script(AuctionSimulationTest::order)
            .checkAfterEachTurn(AuctionRoom.class, (room) -> assertFalse(room.isCrossed()));
    }

    private static int order(
        final long playerId, final long roomId, final SplittableRandom random, final MutableDirectBuffer buffer)
    {
        return new AuctionEncoder().placeOrder(buffer, 0, random.nextInt(), random.nextInt(95, 105),
            1 + random.nextInt(20), random.nextBoolean() ? Side.BUY : Side.SELL);
    }

    private static final class Forgetful extends AuctionRoom
    {
        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            // It shows nothing.
        }
    }
}
