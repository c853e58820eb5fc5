package io.escapement.examples.exchange;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.examples.exchange.codecs.MessageHeaderEncoder;
import io.escapement.examples.exchange.codecs.PlaceOrderEncoder;
import io.escapement.examples.exchange.codecs.Side;
import io.escapement.examples.exchange.codecs.TradeDecoder;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class BookRoomTest
{
    private static final int TRADE_LENGTH = 8 + TradeDecoder.BLOCK_LENGTH;
    private static final int FRAMES = 1_000;
    private static final int ROUNDS = 10;
    private static final long SEED = 47;

    private final RoomBench bench = RoomBench.of(BookRoom.type());
    private final PlaceOrderEncoder place = new PlaceOrderEncoder();
    /** Trade numbers of each request to the ledger. */
    private final List<List<Long>> requests = new ArrayList<>();

    /** An order of the naive twin. */
    private static final class Order
    {
        private final long id;
        private final int trader;
        private final boolean isBuying;
        private final int price;
        private int quantity;

        Order(final long id, final int trader, final boolean isBuying, final int price, final int quantity)
        {
            this.id = id;
            this.trader = trader;
            this.isBuying = isBuying;
            this.price = price;
            this.quantity = quantity;
        }
    }

    @AfterEach
    void shouldReplayAndRestore()
    {
        assertEquals(List.of(), bench.failures());
        bench.replayAndCompare();
        bench.restoreAndCompare();
    }

    @Test
    void shouldFillByPriceThenTimeAtThePriceOfWhoWaits()
    {
        final BenchSeat ann = join(1);
        final BenchSeat ben = join(2);
        final BenchSeat eve = join(3);
        send(ann, Orders.place(1, Side.SELL, 101, 5));
        send(ben, Orders.place(1, Side.SELL, 100, 5));
        send(ann, Orders.place(2, Side.SELL, 100, 5));
        send(eve, Orders.place(9, Side.BUY, 101, 12));
        assertEquals(List.of("accepted 9 as 4 101 x 12 BUY", "1: order 4 100 x 5 rest 7 BUY",
            "2: order 4 100 x 5 rest 2 BUY", "3: order 4 101 x 2 rest 0 BUY"), events(eve));
        assertEquals(List.of("accepted 1 as 2 100 x 5 SELL", "1: order 2 100 x 5 rest 0 SELL"), events(ben));
        assertEquals(List.of("accepted 1 as 1 101 x 5 SELL", "accepted 2 as 3 100 x 5 SELL",
            "2: order 3 100 x 5 rest 0 SELL", "3: order 1 101 x 2 rest 3 SELL"), events(ann));
        bench.step(1);
        assertEquals("top 0 x 0, 101 x 3, last 101, trades 3, booked 0, volume 12", last(ben));
        send(ann, Orders.cancel(1));
        send(ann, Orders.cancel(1));
        send(ben, Orders.cancel(2));
        assertEquals("cancelled 1 x 3", last(ann));
        assertEquals(List.of(BookRoom.UNKNOWN_ORDER), ann.refusals());
        assertEquals(List.of(BookRoom.UNKNOWN_ORDER), ben.refusals());
    }

    @Test
    void shouldNotLetATraderTradeWithItself()
    {
        final BenchSeat ann = join(1);
        final BenchSeat ben = join(2);
        send(ben, Orders.place(1, Side.SELL, 99, 1));
        send(ann, Orders.place(1, Side.SELL, 100, 5));
        send(ann, Orders.place(2, Side.BUY, 100, 5));
        assertEquals(List.of("accepted 2 as 3 100 x 5 BUY", "1: order 3 99 x 1 rest 4 BUY", "cancelled 3 x 4"),
            events(ann).subList(1, 4));
        bench.step(1);
        assertEquals("top 0 x 0, 100 x 5, last 99, trades 1, booked 0, volume 1", last(ann));
    }

    @Test
    void shouldRefuseWhatIsNotAnOrder()
    {
        final BenchSeat ann = join(1);
        send(ann, Orders.place(1, Side.BUY, 0, 1));
        send(ann, Orders.place(1, Side.BUY, BookRoom.MAX_PRICE + 1, 1));
        send(ann, Orders.place(1, Side.SELL, 1, 0));
        send(ann, Orders.place(1, Side.SELL, 1, BookRoom.MAX_QUANTITY + 1));
        send(ann, Orders.place(1, Side.NULL_VAL, 1, 1));
        send(ann, Orders.place(0, Side.BUY, 1, 1));
        assertEquals(List.of(BookRoom.BAD_ORDER, BookRoom.BAD_ORDER, BookRoom.BAD_ORDER, BookRoom.BAD_ORDER,
            BookRoom.BAD_ORDER, BookRoom.BAD_ORDER), ann.refusals());
        send(ann, new byte[3]);
        assertEquals(RefusalCode.TOO_SHORT.value(), ann.refusals().get(6));
        for (int i = 1; i <= BookRoom.ORDERS_PER_TRADER + 1; i++)
        {
            send(ann, Orders.place(i, Side.BUY, 1, 1));
        }
        assertEquals(BookRoom.TOO_MANY_ORDERS, ann.refusals().get(7));
        assertEquals(8, ann.refusals().size());
    }

    @Test
    void shouldTakeTheOrdersOfWhoLeavesOutOfTheBookAndShowThemToWhoIsBack()
    {
        final BenchSeat ann = join(1);
        final BenchSeat ben = join(2);
        send(ann, Orders.place(1, Side.BUY, 50, 2));
        send(ben, Orders.place(1, Side.BUY, 49, 3));
        ann.disconnect();
        final BenchSeat back = join(1);
        assertEquals(List.of("accepted 0 as 1 50 x 2 BUY"), events(back));
        assertEquals("top 50 x 2, 0 x 0, last 0, trades 0, booked 0, volume 0", last(back));
        back.leave();
        bench.step(1);
        assertEquals("top 49 x 3, 0 x 0, last 0, trades 0, booked 0, volume 0", last(ben));
    }

    @Test
    void shouldExecuteAnOrderOnceHoweverOftenItIsSent()
    {
        final BenchSeat ann = join(1);
        send(ann, Orders.place(3, Side.BUY, 50, 1));
        send(ann, Orders.place(1, Side.BUY, 50, 1));
        send(ann, Orders.place(3, Side.BUY, 51, 1));
        send(ann, Orders.place(1, Side.BUY, 51, 1));
        assertEquals(List.of(BookRoom.ALREADY_EXECUTED, BookRoom.ALREADY_EXECUTED), ann.refusals());
        send(ann, Orders.place(2, Side.BUY, 52, 1));
        send(ann, Orders.place(70, Side.BUY, 53, 1));
        send(ann, Orders.place(5, Side.BUY, 54, 1));
        send(ann, Orders.place(7, Side.BUY, 55, 1));
        assertEquals(List.of(BookRoom.ALREADY_EXECUTED), ann.refusals().subList(2, 3), "too old to know");
        assertEquals(3, ann.refusals().size());
        ann.leave();
        final BenchSeat returned = join(1);
        assertEquals("executed 70 8000000000000001", Orders.text(returned.events().get(0)));
        send(returned, Orders.place(7, Side.BUY, 55, 1));
        assertEquals(List.of(BookRoom.ALREADY_EXECUTED), returned.refusals());
        assertEquals("executed 0 ffffffffffffffff", Orders.text(join(2).events().get(0)));
    }

    @Test
    void shouldForgetTheNumbersOfWhoLeftFirst()
    {
        final int traders = 4 * 256 + 1;
        for (int i = 1; i <= traders; i++)
        {
            final BenchSeat trader = join(i);
            send(trader, Orders.place(9, Side.BUY, 50, 1));
            trader.leave();
        }
        assertEquals("executed 0 ffffffffffffffff", Orders.text(join(1).events().get(0)));
        assertEquals("executed 9 fffffffffffffe01", Orders.text(join(2).events().get(0)));
    }

    @Test
    void shouldSendTradesToTheLedgerAgainUntilItHasThem()
    {
        final BenchSeat ann = join(1);
        final BenchSeat ben = join(2);
        // There is no ledger yet: the engine refuses each request.
        for (int i = 1; i <= 100; i++)
        {
            send(ann, Orders.place(i, Side.SELL, 10, 1));
            send(ben, Orders.place(i, Side.BUY, 10, 1));
        }
        bench.service(BookRoom.LEDGER, this::book);
        bench.runFor(TimeUnit.SECONDS.toNanos(1));
        assertEquals("top 0 x 0, 0 x 0, last 10, trades 100, booked 100, volume 100", last(ann));
        final List<Long> booked = requests.stream().flatMap(List::stream).collect(Collectors.toList());
        assertEquals(booked.stream().sorted().distinct().collect(Collectors.toList()), booked);
        assertEquals(100, booked.size());
        assertEquals(3, requests.size(), "requests have as many trades as fit");
    }

    @Test
    void shouldRefuseOrdersWhileTheLedgerIsTooFarBehind()
    {
        final BenchSeat ann = join(1);
        final BenchSeat ben = join(2);
        int trades = 0;
        while (ann.refusals().isEmpty())
        {
            trades++;
            send(ann, Orders.place(trades, Side.SELL, 10, 1));
            send(ben, Orders.place(trades, Side.BUY, 10, 1));
        }
        assertEquals(List.of(BookRoom.LEDGER_BEHIND), ann.refusals());
        assertEquals(BookRoom.UNBOOKED_TRADES - BookRoom.MAX_FILLS + 1, trades - 1);
        bench.service(BookRoom.LEDGER, this::book);
        bench.runFor(TimeUnit.SECONDS.toNanos(1));
        send(ann, Orders.place(trades, Side.SELL, 10, 1));
        assertEquals(1, ann.refusals().size(), "an order that was refused can be sent again");
    }

    @Test
    void shouldAnswerAsANaiveBook()
    {
        final Random random = new Random(SEED);
        bench.service(BookRoom.LEDGER, this::book);
        final List<BenchSeat> traders = List.of(join(1), join(2), join(3));
        final List<Order> orders = new ArrayList<>();
        final List<List<String>> expected = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        long ids = 0;
        long trades = 0;
        for (int i = 1; i <= 2_000; i++)
        {
            final int trader = random.nextInt(3);
            if (!orders.isEmpty() && 0 == random.nextInt(4))
            {
                final Order order = orders.remove(random.nextInt(orders.size()));
                expected.get(order.trader).add("cancelled " + order.id + " x " + order.quantity);
                send(traders.get(order.trader), Orders.cancel(order.id));
                continue;
            }
            final Order order = new Order(
                ++ids, trader, random.nextBoolean(), 95 + random.nextInt(10), 1 + random.nextInt(20));
            final String side = order.isBuying ? "BUY" : "SELL";
            expected.get(trader).add(
                "accepted " + i + " as " + ids + " " + order.price + " x " + order.quantity + " " + side);
            send(traders.get(trader), Orders.place(i, Side.valueOf(side), order.price, order.quantity));
            Order best = best(orders, order);
            while (order.quantity > 0 && null != best && best.trader != trader)
            {
                final int quantity = Math.min(order.quantity, best.quantity);
                order.quantity -= quantity;
                best.quantity -= quantity;
                trades++;
                for (final Order one : List.of(order, best))
                {
                    expected.get(one.trader).add(trades + ": order " + one.id + " " + best.price + " x " + quantity +
                        " rest " + one.quantity + " " + (one.isBuying ? "BUY" : "SELL"));
                }
                if (0 == best.quantity)
                {
                    orders.remove(best);
                }
                best = best(orders, order);
            }
            if (order.quantity > 0 && null != best)
            {
                expected.get(trader).add("cancelled " + order.id + " x " + order.quantity);
            }
            else if (order.quantity > 0)
            {
                orders.add(order);
            }
        }
        for (int trader = 0; trader < 3; trader++)
        {
            assertEquals(expected.get(trader), events(traders.get(trader)));
            assertEquals(List.of(), traders.get(trader).refusals());
        }
        assertTrue(trades > 500);
    }

    @Test
    void shouldNotAllocateInSteadyTraffic()
    {
        final BenchSeat ann = join(1);
        final BenchSeat ben = join(2);
        bench.service(BookRoom.LEDGER, this::book);
        final UnsafeBuffer sell = new UnsafeBuffer(Orders.place(1, Side.SELL, 10, 2));
        final UnsafeBuffer buy = new UnsafeBuffer(Orders.place(1, Side.BUY, 11, 1));
        long least = Long.MAX_VALUE;
        long number = 0;
        for (int round = 0; round < ROUNDS && 0 != least; round++)
        {
            for (int frame = 0; frame < FRAMES; frame++)
            {
                number += 2;
                send(ann, sell, number);
                send(ben, buy, number - 1);
                send(ben, buy, number);
                bench.step(1);
                ann.received().clear();
                ben.received().clear();
            }
            least = Math.min(least, bench.allocatedBytesOverLast(FRAMES));
        }
        assertEquals(0, least);
        assertTrue(requests.size() >= FRAMES);
    }

    private static Order best(final List<Order> orders, final Order taker)
    {
        return orders.stream().filter((order) -> order.isBuying != taker.isBuying)
            .filter((order) -> taker.isBuying ? order.price <= taker.price : order.price >= taker.price)
            .min(Comparator.<Order>comparingInt((order) -> taker.isBuying ? order.price : -order.price)
                .thenComparingLong((order) -> order.id)).orElse(null);
    }

    private byte[] book(final long orderKey, final byte[] request)
    {
        final List<Long> trades = new ArrayList<>();
        final UnsafeBuffer buffer = new UnsafeBuffer(request);
        for (int at = 0; at < request.length; at += TRADE_LENGTH)
        {
            trades.add(new TradeDecoder().wrap(buffer, at + 8, TradeDecoder.BLOCK_LENGTH, 0).tradeId());
        }
        requests.add(trades);
        return new byte[0];
    }

    private BenchSeat join(final long playerId)
    {
        return bench.join(playerId);
    }

    private static void send(final BenchSeat trader, final byte[] message)
    {
        trader.send(new UnsafeBuffer(message), 0, message.length);
    }

    private void send(final BenchSeat trader, final UnsafeBuffer order, final long number)
    {
        place.wrap(order, MessageHeaderEncoder.ENCODED_LENGTH).clientOrderId(number);
        trader.send(order, 0, order.capacity());
    }

    private static String last(final BenchSeat seat)
    {
        return Orders.text(seat.received().get(seat.received().size() - 1));
    }

    private static List<String> events(final BenchSeat seat)
    {
        return seat.received().stream()
            .filter((message) -> !Orders.isTop(message) && !Orders.isExecuted(message)).map(Orders::text)
            .collect(Collectors.toList());
    }
}
