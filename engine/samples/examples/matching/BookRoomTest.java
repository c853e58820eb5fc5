package matching;

import io.escapement.rooms.Room;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import matching.codecs.AcceptedDecoder;
import matching.codecs.CancelledDecoder;
import matching.codecs.FilledDecoder;
import matching.codecs.MessageHeaderDecoder;
import matching.codecs.OrdersEncoder;
import matching.codecs.Side;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class BookRoomTest
{
    private static final int FRAMES = 1_000;
    private static final int ROUNDS = 10;

    private final RoomBench bench = RoomBench.of(BookRoom.type());
    private final OrdersEncoder encoder = new OrdersEncoder();
    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
    private final BenchSeat ann = bench.join(1);
    private final BenchSeat ben = bench.join(2);

    @Test
    void shouldFillByPriceAndThenByTime()
    {
        final BenchSeat eve = bench.join(3);
        place(ann, 1, Side.SELL, 101, 5);
        place(ben, 1, Side.SELL, 100, 5);
        place(ann, 2, Side.SELL, 100, 5);
        place(eve, 9, Side.BUY, 101, 12);
        assertEquals(List.of("accepted 0 as 0", "accepted 9 as 4", "filled 4: 5 at 100, rest 7",
            "filled 4: 5 at 100, rest 2", "filled 4: 2 at 101, rest 0"), texts(eve));
        assertEquals(List.of("accepted 0 as 0", "accepted 1 as 2", "filled 2: 5 at 100, rest 0"), texts(ben));
        assertEquals(List.of("accepted 0 as 0", "accepted 1 as 1", "accepted 2 as 3", "filled 3: 5 at 100, rest 0",
            "filled 1: 2 at 101, rest 3"), texts(ann));
        replay();
    }

    @Test
    void shouldKeepTheRestOfAnOrderInTheBook()
    {
        place(ann, 1, Side.BUY, 100, 5);
        place(ben, 1, Side.SELL, 99, 8);
        place(ann, 2, Side.BUY, 99, 3);
        assertEquals(List.of("accepted 0 as 0", "accepted 1 as 2", "filled 2: 5 at 100, rest 3",
            "filled 2: 3 at 99, rest 0"), texts(ben));
        replay();
    }

    @Test
    void shouldCancelAnOrderOfItsTrader()
    {
        place(ann, 1, Side.BUY, 100, 5);
        cancel(ben, 1);
        cancel(ann, 1);
        cancel(ann, 1);
        place(ben, 1, Side.SELL, 100, 5);
        assertEquals(List.of(BookRoom.UNKNOWN_ORDER), ben.refusals());
        assertEquals(List.of(BookRoom.UNKNOWN_ORDER), ann.refusals());
        assertEquals(List.of("accepted 0 as 0", "accepted 1 as 1", "cancelled 1: 5"), texts(ann));
        assertEquals(List.of("accepted 0 as 0", "accepted 1 as 2"), texts(ben));
        replay();
    }

    @Test
    void shouldRefuseBadOrders()
    {
        place(ann, 1, Side.BUY, 0, 1);
        place(ann, 1, Side.BUY, BookRoom.MAX_PRICE + 1, 1);
        place(ann, 1, Side.SELL, 1, 0);
        place(ann, 1, Side.SELL, 1, BookRoom.MAX_QUANTITY + 1);
        place(ann, 1, Side.NULL_VAL, 1, 1);
        place(ann, 7, Side.BUY, 1, 1);
        place(ann, 7, Side.BUY, 1, 1);
        assertEquals(List.of(BookRoom.BAD_ORDER, BookRoom.BAD_ORDER, BookRoom.BAD_ORDER, BookRoom.BAD_ORDER,
            BookRoom.BAD_ORDER, BookRoom.OLD_ORDER_ID), ann.refusals());
        assertEquals(List.of("accepted 0 as 0", "accepted 7 as 1"), texts(ann));
        assertEquals(List.of(BookRoom.UNKNOWN_TRADER), bench.join(BookRoom.TRADERS + 1).refusals());
        replay();
    }

    @Test
    void shouldBoundTheFillsOfAnOrderAndTheOrdersOfASide()
    {
        for (int i = 1; i <= BookSide.MAX_ORDERS + 1; i++)
        {
            place(ann, i, Side.SELL, 100, 1);
        }
        assertEquals(List.of(BookRoom.BOOK_FULL), ann.refusals());
        place(ben, 1, Side.BUY, 100, BookRoom.MAX_FILLS + 6);
        final List<String> texts = texts(ben);
        assertEquals(2 + BookRoom.MAX_FILLS + 1, texts.size());
        assertEquals("cancelled 4097: 6", texts.get(texts.size() - 1));
        replay();
    }

    @Test
    void shouldNameTheLastAcceptedOrderToATraderWhoReturns()
    {
        place(ann, 3, Side.BUY, 100, 5);
        place(ann, 4, Side.BUY, 101, 5);
        ann.disconnect();
        final BenchSeat back = bench.join(1);
        assertEquals(List.of("accepted 4 as 2"), texts(back));
        back.leave();
        place(ben, 1, Side.SELL, 100, 5);
        assertEquals(List.of("accepted 0 as 0", "accepted 1 as 3"), texts(ben), "orders leave with their trader");
        assertEquals(List.of("accepted 4 as 2"), texts(bench.join(1)));
        replay();
    }

    @Test
    void shouldFillAsANaiveBook()
    {
        final Random random = new Random(47);
        // Key: price, worst for the buyer last, then time. Value: quantity of the sell order.
        final TreeMap<Long, Integer> asks = new TreeMap<>();
        int filled = 0;
        for (int i = 1; i <= 2_000; i++)
        {
            final int price = 100 + random.nextInt(8);
            int quantity = 1 + random.nextInt(9);
            place(ann, i, Side.SELL, price, quantity);
            asks.put(((long)price << 32) + i, quantity);
            final int limit = 100 + random.nextInt(8);
            quantity = 1 + random.nextInt(9);
            place(ben, i, Side.BUY, limit, quantity);
            ben.received().remove(0);
            while (quantity > 0 && !asks.isEmpty() && asks.firstKey() >> 32 <= limit)
            {
                final long key = asks.firstKey();
                final int traded = Math.min(quantity, asks.get(key));
                quantity -= traded;
                assertEquals("filled " + 2 * i + ": " + traded + " at " + (key >> 32) + ", rest " + quantity,
                    text(ben.received().remove(1)));
                asks.merge(key, -traded, (a, b) -> 0 == a + b ? null : a + b);
                filled++;
            }
            if (quantity > 0)
            {
                cancel(ben, 2L * i);
                ben.received().remove(1);
            }
            assertEquals(List.of("accepted " + i + " as " + 2 * i), texts(ben));
        }
        assertTrue(filled > 1_000, filled + " fills");
        replay();
    }

    /** The bench counts bytes by frame. */
    private static final class TickingBook extends BookRoom
    {
        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            super.onOpen(opened, args, offset, length);
            opened.frameRate(20);
        }
    }

    @Test
    void shouldNotAllocate()
    {
        final RoomBench steady = RoomBench.of(RoomType.of(BookRoom.TYPE_ID, "book", 1, TickingBook::new));
        final BenchSeat seller = steady.join(1);
        final BenchSeat buyer = steady.join(2);
        long least = Long.MAX_VALUE;
        long id = 0;
        for (int round = 0; round < ROUNDS && 0 != least; round++)
        {
            for (int frame = 0; frame < FRAMES; frame++)
            {
                place(seller, ++id, Side.SELL, 100, 2);
                place(buyer, id, Side.BUY, 100, 1);
                place(buyer, ++id, Side.BUY, 101, 1);
                steady.step(1);
                seller.received().clear();
                buyer.received().clear();
            }
            least = Math.min(least, steady.allocatedBytesOverLast(FRAMES));
        }
        assertEquals(0, least, "bytes");
    }

    private void replay()
    {
        assertEquals(List.of(), bench.failures());
        bench.replayAndCompare();
        bench.restoreAndCompare();
    }

    private void place(final BenchSeat seat, final long id, final Side side, final int price, final int quantity)
    {
        seat.send(buffer, 0, encoder.placeOrder(buffer, 0, id, price, quantity, side));
    }

    private void cancel(final BenchSeat seat, final long orderId)
    {
        seat.send(buffer, 0, encoder.cancelOrder(buffer, 0, orderId));
    }

    private static List<String> texts(final BenchSeat seat)
    {
        return seat.received().stream().map(BookRoomTest::text).toList();
    }

    private static String text(final byte[] message)
    {
        final UnsafeBuffer bytes = new UnsafeBuffer(message);
        final MessageHeaderDecoder header = new MessageHeaderDecoder().wrap(bytes, 0);
        return switch (header.templateId())
        {
            case AcceptedDecoder.TEMPLATE_ID ->
            {
                final AcceptedDecoder accepted = new AcceptedDecoder().wrapAndApplyHeader(bytes, 0, header);
                yield "accepted " + accepted.clientOrderId() + " as " + accepted.orderId();
            }
            case FilledDecoder.TEMPLATE_ID ->
            {
                final FilledDecoder filled = new FilledDecoder().wrapAndApplyHeader(bytes, 0, header);
                final String fill = "filled " + filled.orderId() + ": " + filled.quantity();
                yield fill + " at " + filled.price() + ", rest " + filled.rest();
            }
            case CancelledDecoder.TEMPLATE_ID ->
            {
                final CancelledDecoder cancelled = new CancelledDecoder().wrapAndApplyHeader(bytes, 0, header);
                yield "cancelled " + cancelled.orderId() + ": " + cancelled.quantity();
            }
            default -> throw new AssertionError("template " + header.templateId());
        };
    }
}
