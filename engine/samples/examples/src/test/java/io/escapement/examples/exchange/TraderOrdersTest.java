package io.escapement.examples.exchange;

import io.escapement.examples.exchange.codecs.ExecutedDecoder;
import io.escapement.examples.exchange.codecs.MessageHeaderDecoder;
import io.escapement.examples.exchange.codecs.Side;
import io.escapement.rooms.bench.BenchSeat;
import io.escapement.rooms.bench.RoomBench;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The orders of a buyer in a room on a bench, by a trunk that loses what the test says. */
class TraderOrdersTest
{
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long NO_LIMIT = Long.MAX_VALUE;
    private static final int PRICE = 50;
    private static final long BUYER = 1;
    private static final long SELLER = 2;

    private final RoomBench bench = RoomBench.of(BookRoom.type());
    private final Histogram histogram = new Histogram(TimeUnit.HOURS.toNanos(1), 3);
    private final Trunk trunk = new Trunk();
    private TraderOrders orders = new TraderOrders(trunk::send, histogram);
    private long nowNs;

    /** An order on its way. */
    private record Message(long sequence, long number, int price)
    {
    }

    /** An answer on its way: a refusal unless the code is 0, and the accepted sequence. */
    private record Answer(long sequence, int code)
    {
    }

    /** The end of a trunk that resends, with the engine in the same thread. */
    private final class Trunk
    {
        private final ArrayDeque<Message> kept = new ArrayDeque<>();
        private final ArrayDeque<Answer> answers = new ArrayDeque<>();
        private final List<Long> sent = new ArrayList<>();
        private final List<BenchSeat> seats = new ArrayList<>();
        private BenchSeat seat;
        private long sequence;
        private long acceptedSequence;
        private int price = PRICE;
        private boolean isFull;
        private boolean losesMessages;
        private boolean losesAnswers;

        long send(final long number)
        {
            if (isFull)
            {
                return TraderOrders.NOT_SENT;
            }
            sent.add(number);
            kept.add(new Message(++sequence, number, price));
            deliver();
            return sequence;
        }

        private void deliver()
        {
            while (!losesMessages && !kept.isEmpty())
            {
                final Message message = kept.remove();
                final byte[] order = Orders.place(message.number, Side.BUY, message.price, 1);
                final int code = seat.send(new UnsafeBuffer(order), 0, order.length);
                final List<Integer> refusals = seat.refusals();
                acceptedSequence = message.sequence;
                answers.add(new Answer(
                    message.sequence, 0 != code || refusals.isEmpty() ? code : refusals.remove(0)));
            }
        }

        void poll()
        {
            while (!answers.isEmpty())
            {
                final Answer answer = answers.remove();
                if (!losesAnswers && 0 != answer.code)
                {
                    orders.onRefused(answer.sequence, answer.code, nowNs);
                }
                if (!losesAnswers)
                {
                    orders.onAccepted(answer.sequence, nowNs);
                }
            }
        }

        /** The connection is lost, and works after the return. */
        void disconnect()
        {
            seat.disconnect();
            orders.onAway();
            answers.clear();
            losesMessages = false;
            losesAnswers = false;
        }

        /** The buyer has its seat again, on which all that was not accepted is resent. */
        void returnToSeat()
        {
            join();
            orders.onReturned(true, acceptedSequence);
            deliver();
            onExecuted();
        }

        /** The buyer has a seat that is new to the client. */
        void joinAnew()
        {
            kept.clear();
            join();
            orders.onReturned(false, acceptedSequence);
            onExecuted();
        }

        private void join()
        {
            seat = bench.join(BUYER);
            seats.add(seat);
        }

        private void onExecuted()
        {
            final ExecutedDecoder executed = new ExecutedDecoder().wrapAndApplyHeader(
                new UnsafeBuffer(seat.events().get(0)), 0, new MessageHeaderDecoder());
            orders.onExecuted(executed.clientOrderId(), executed.window(), nowNs);
        }
    }

    @BeforeEach
    void shouldBeginWithTheFirstOrder()
    {
        final byte[] sell = Orders.place(1, Side.SELL, PRICE, 1_000_000);
        bench.join(SELLER).send(new UnsafeBuffer(sell), 0, sell.length);
        trunk.joinAnew();
        assertEquals(1, orders.executed().lowestOpen());
        plan(1, 10_000);
    }

    @AfterEach
    void shouldExecuteNoOrderTwice()
    {
        assertEquals(List.of(), executed().entrySet().stream().filter((entry) -> entry.getValue() > 1).toList());
        assertEquals(List.of(), bench.failures());
        bench.replayAndCompare();
        bench.restoreAndCompare();
    }

    @Test
    void shouldSendAnOrderWhenItIsDueAndCountItWhenItWasAccepted()
    {
        assertEquals(1, orders.step(nowNs, NO_LIMIT));
        assertEquals(0, orders.step(MS - 1, NO_LIMIT));
        assertEquals(2, orders.step(2 * MS, NO_LIMIT));
        assertEquals(List.of(1L, 2L, 3L), trunk.sent);
        assertEquals("0 accepted, 0 refused, 3 unknown", counts());
        nowNs = 2 * MS;
        trunk.poll();
        assertEquals("3 accepted, 0 refused, 0 unknown", counts());
    }

    @Test
    void shouldRecordTheTimeFromWhenAnOrderWasDueAlsoUnderBackPressure()
    {
        trunk.isFull = true;
        run(10);
        assertEquals("0 accepted, 0 refused, 0 unknown", counts());
        trunk.isFull = false;
        run(1);
        assertEquals("11 accepted, 0 refused, 0 unknown", counts());
        assertEquals(10 * MS, histogram.getMaxValue(), MS / 100.0);
        assertEquals(5 * MS, histogram.getValueAtPercentile(50), MS / 100.0);
    }

    @Test
    void shouldHaveAtMostAsManyOrdersOpenAsTheRoomRemembers()
    {
        trunk.losesAnswers = true;
        run(100);
        assertEquals(TraderOrders.WINDOW, trunk.sent.size());
        trunk.disconnect();
        trunk.returnToSeat();
        assertEquals(TraderOrders.WINDOW, orders.acceptedAtReturn());
        run(1);
        assertEquals("101 accepted, 0 refused, 0 unknown", counts());
        assertEquals(9, orders.step(nowNs + 1_000 * MS, 111), "numbers 102 to 110");
    }

    @Test
    void shouldLeaveOrdersThatWereLostToTheTrunkWhileTheSeatIsHeld()
    {
        run(2);
        trunk.losesMessages = true;
        run(3);
        trunk.disconnect();
        run(1);
        trunk.returnToSeat();
        assertEquals("2 accepted, 0 refused, 3 unknown", counts());
        run(1);
        assertEquals("7 accepted, 0 refused, 0 unknown", counts());
        assertEquals(0, orders.resent() + orders.acceptedAtReturn());
        assertEquals(7, executed().size());
    }

    @Test
    void shouldSendOrdersThatWereLostWithTheSeatAgain()
    {
        run(2);
        trunk.losesMessages = true;
        run(3);
        trunk.disconnect();
        bench.runFor(TimeUnit.SECONDS.toNanos(31));
        trunk.joinAnew();
        assertEquals("2 accepted, 0 refused, 3 unknown", counts());
        run(1);
        assertEquals("6 accepted, 0 refused, 0 unknown", counts());
        assertEquals(List.of(1L, 2L, 3L, 4L, 5L, 3L, 4L, 5L, 6L), trunk.sent);
        assertEquals(3, orders.resent());
    }

    @Test
    void shouldNotSendAnOrderAgainWhoseAnswerWasLost()
    {
        trunk.losesAnswers = true;
        run(3);
        trunk.losesMessages = true;
        run(2);
        assertEquals("0 accepted, 0 refused, 5 unknown", counts());
        trunk.disconnect();
        bench.runFor(TimeUnit.SECONDS.toNanos(31));
        trunk.joinAnew();
        assertEquals("3 accepted, 0 refused, 2 unknown", counts());
        run(1);
        assertEquals("6 accepted, 0 refused, 0 unknown", counts());
        assertEquals(3, orders.acceptedAtReturn());
        assertEquals(6, executed().size());
    }

    @Test
    void shouldCountAnOrderThatTheRoomHasExecutedBefore()
    {
        trunk.losesAnswers = true;
        run(1);
        orders.onRefused(1, BookRoom.ALREADY_EXECUTED, nowNs);
        assertEquals("1 accepted, 0 refused, 0 unknown", counts());
    }

    @Test
    void shouldNotSendARefusedOrderAgain()
    {
        run(1);
        trunk.price = 0;
        run(2);
        trunk.price = PRICE;
        run(2);
        assertEquals("3 accepted, 2 refused, 0 unknown", counts());
        assertEquals(Map.of(BookRoom.BAD_ORDER, 2), orders.refusalsByCodeMap());
        assertEquals(5, trunk.sent.size());
    }

    @Test
    void shouldSendAnOrderAgainWhoseRefusalWasLost()
    {
        trunk.price = 0;
        trunk.losesAnswers = true;
        run(2);
        trunk.disconnect();
        trunk.returnToSeat();
        trunk.price = PRICE;
        run(1);
        assertEquals("3 accepted, 0 refused, 0 unknown", counts());
        assertEquals(List.of(1L, 2L, 1L, 2L, 3L), trunk.sent);
    }

    @Test
    void shouldWaitForALedgerThatIsBehind()
    {
        final int last = BookRoom.UNBOOKED_TRADES - BookRoom.MAX_FILLS + 1;
        run(last + 1);
        assertEquals(last + " accepted, 0 refused, 1 unknown", counts());
        assertEquals(Map.of(BookRoom.LEDGER_BEHIND, 1), orders.refusalsByCodeMap());
        assertEquals(last + 1, trunk.sent.size());
        run((int)(TraderOrders.PAUSE_NS / MS) - 1);
        assertEquals(last + 1, trunk.sent.size(), "it does not pause");
        run(1);
        assertEquals(last + 1, trunk.sent.get(last + 1));
        assertEquals(1, orders.resent());
        bench.service(BookRoom.LEDGER, (orderKey, request) -> new byte[0]);
        bench.runFor(TimeUnit.SECONDS.toNanos(1));
        run((int)(TraderOrders.PAUSE_NS / MS) + 1);
        assertEquals(0, orders.unknown());
        assertEquals(nowNs / MS, orders.accepted());
        assertEquals(0, orders.refused());
    }

    @Test
    void shouldContinueWhereAKilledClientWas()
    {
        run(10);
        trunk.price = 0;
        run(1);
        trunk.price = PRICE;
        trunk.losesAnswers = true;
        run(2);
        // The next client knows nothing.
        trunk.seat.disconnect();
        trunk.answers.clear();
        trunk.losesAnswers = false;
        orders = new TraderOrders(trunk::send, histogram);
        trunk.joinAnew();
        assertEquals(11, orders.executed().lowestOpen());
        nowNs = 0;
        plan(11, 5);
        trunk.sent.clear();
        run(10);
        assertTrue(orders.isDone());
        assertEquals(List.of(11L, 14L, 15L), trunk.sent, "the room has 12 and 13");
        assertEquals("3 accepted, 0 refused, 0 unknown", counts());
        assertEquals(15, executed().size());
    }

    @Test
    void shouldTrustNothingOfAnEngineThatHasForgotten()
    {
        run(5);
        trunk.losesMessages = true;
        run(1);
        orders.onReturned(true, 2);
        orders.onExecuted(2, -1, nowNs);
        trunk.losesMessages = false;
        trunk.kept.clear();
        run(1);
        assertEquals("7 accepted, 0 refused, 0 unknown", counts());
        assertEquals(List.of(1L, 2L, 3L, 4L, 5L, 6L, 6L, 7L), trunk.sent);
    }

    private void plan(final long first, final int count)
    {
        orders.plan(first, count, first, (number) -> (number - first) * MS);
    }

    /** Steps of a millisecond, in each of which an order is due. */
    private void run(final int steps)
    {
        for (int i = 0; i < steps; i++)
        {
            orders.step(nowNs, NO_LIMIT);
            trunk.poll();
            nowNs += MS;
        }
    }

    private String counts()
    {
        return orders.accepted() + " accepted, " + orders.refused() + " refused, " + orders.unknown() + " unknown";
    }

    /** How often each order was executed. */
    private Map<Long, Long> executed()
    {
        return trunk.seats.stream().flatMap((seat) -> seat.events().stream()).map(Orders::text)
            .filter((text) -> text.startsWith("accepted ") && !text.startsWith("accepted 0 "))
            .collect(Collectors.groupingBy((text) -> Long.valueOf(text.split(" ")[1]), TreeMap::new,
                Collectors.counting()));
    }
}
