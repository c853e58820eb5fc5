package io.escapement.client;

import io.escapement.client.TrunkClient.State;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.StateLostDecoder;
import io.escapement.codecs.trunk.TrunkCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.agrona.DirectBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The feed of loop 0, whose rooms 1 to 3 have a seat each, and room 1 a second one. */
class LoopFeedTest
{
    private static final int ID = 77;
    private static final int SESSION = 5;
    private static final int STREAM = 9_000;
    private static final String GROUP = "224.0.1.7:40500";
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SILENCE_MS = 500;
    private static final long CONNECT_MS = 5_000;
    private static final long RETRY_MS = 1_000;
    private static final long INSPECTION_MS = 250;
    private static final long FIRST_TURN = 100;
    private static final long SEED = 46;
    private static final long OTHER_LOOP = 1L << 54;

    private final List<Long> turns = new ArrayList<>();
    private final SteppedTrunk trunk = fed();
    private int number;
    private long untilKeepaliveMs;

    private static SteppedTrunk fed()
    {
        final SteppedTrunk trunk = new SteppedTrunk(
            (context) -> context.feed(TrunkContext.ANY_FEED_ENDPOINT).random(new Random(SEED)));
        trunk.advanceTo(State.UP);
        trunk.attach(0);
        trunk.loop(0).deliver(Messages.joined(1, 1, 0, 1), Messages.joined(2, 1, 4, 1), Messages.joined(3, 2, 0, 1),
            Messages.joined(4, 3, 0, 1));
        trunk.step();
        trunk.callbacks.clear();
        return trunk;
    }

    @Test
    void shouldSubscribeThenNameItsPortThenSayThatItArrives()
    {
        offer();
        assertEquals(1, trunk.feeds.size());
        assertEquals(List.of("", SESSION, STREAM), List.of(feed().group, feed().sessionId, feed().streamId));
        feed().hasImage = true;
        pass(20);
        assertEquals(List.of(), sent(), "the driver has not made the subscription");
        feed().hasImage = false;
        feed().isOpen = true;
        pass(20);
        assertEquals(List.of("77/0 4711"), sent());
        feed().hasImage = true;
        pass(20);
        assertEquals(List.of("77/0 on"), sent());
        feed().deliver(Messages.feedPacket(ID, 0, 0));
        pass(SILENCE_MS - 50);
        assertEquals(List.of(), sent());
        assertFalse(feed().isClosed);
    }

    @Test
    void shouldNameNoPortOverSharedMemory()
    {
        offer();
        feed().port = 0;
        feed().isOpen = true;
        feed().hasImage = true;
        pass(20);
        assertEquals(List.of("77/0 0", "77/0 on"), sent());
    }

    @Test
    void shouldJoinTheGroupOfTheOffer()
    {
        trunk.control().deliver(Messages.feedOffered(ID, SESSION, STREAM, 0, GROUP));
        pass(5);
        assertEquals(List.of(GROUP, SESSION, STREAM), List.of(feed().group, feed().sessionId, feed().streamId));
        feed().port = 0;
        feed().isOpen = true;
        pass(CONNECT_MS);
        assertEquals(List.of("77/0 0", "77/0 0"), sent(), "no port is named, and nothing arrives");
        assertTrue(feed().isClosed);
        pass(RETRY_MS + 20);
        assertEquals(List.of(2, GROUP), List.of(trunk.feeds.size(), feed().group));
    }

    @ParameterizedTest
    @ValueSource(strings = {"224.0.1.7", "224.0.1.7:40500|control=10.0.0.1:1", "224.0.1.7:65536", " "})
    void shouldIgnoreAnOfferWhoseGroupIsNone(final String group)
    {
        subscribe();
        trunk.control().deliver(Messages.feedOffered(ID + 1, SESSION, STREAM, 0, group));
        pass(5);
        assertEquals(1, trunk.client.malformedMessages());
        assertEquals(1, trunk.feeds.size());
        assertFalse(feed().isClosed);
        assertEquals(State.UP, trunk.client.state());
    }

    @Test
    void shouldRepeatWhatTheControlStreamDoesNotTake()
    {
        offer();
        fillControl();
        feed().isOpen = true;
        trunk.step();
        trunk.step();
        emptyControl();
        assertEquals(List.of("77/0 4711"), sent());
        fillControl();
        feed().hasImage = true;
        trunk.step();
        trunk.step();
        emptyControl();
        assertEquals(List.of("77/0 on"), sent());
        enterTurn();
        packet(FIRST_TURN, state(1, 1));
        assertEquals(List.of("state 1/0.1 1", "state 1/4.1 1"), trunk.takeCallbacks());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSubscribeAgainWhenTheFeedDoesNotConnect(final boolean isOpen)
    {
        offer();
        feed().isOpen = isOpen;
        pass(CONNECT_MS - 20);
        assertEquals(isOpen ? List.of("77/0 4711") : List.of(), sent());
        assertFalse(feed().isClosed);
        pass(40);
        assertEquals(List.of("77/0 0"), sent());
        assertTrue(feed().isClosed);
        pass(RETRY_MS - 60);
        assertEquals(1, trunk.feeds.size());
        pass(80);
        assertEquals(2, trunk.feeds.size());
        feed().isOpen = true;
        feed().hasImage = true;
        pass(20);
        assertEquals(List.of("77/0 4711", "77/0 on"), sent());
    }

    @Test
    void shouldSubscribeLessOftenWhileTheFeedDoesNotConnect()
    {
        offer();
        pass(TimeUnit.MINUTES.toMillis(5));
        // An attempt lasts 5 s. With 1 s between two there would be 50.
        final int attempts = trunk.feeds.size();
        assertTrue(attempts >= 9 && attempts <= 35, () -> "attempts: " + attempts);
        while (feed().isClosed)
        {
            pass(1);
        }
        feed().isOpen = true;
        feed().hasImage = true;
        pass(5);
        trunk.loop(0).deliver(Messages.feedBegins(FIRST_TURN, number));
        pass(TimeUnit.SECONDS.toMillis(31), true);
        final int last = trunk.feeds.size();
        pass(SILENCE_MS + 50);
        assertTrue(feed().isClosed);
        pass(RETRY_MS);
        assertEquals(last + 1, trunk.feeds.size(), "after a feed that lasted, the delay is short again");
    }

    @Test
    void shouldNotLeaveBeforeTheControlStreamTakesIt()
    {
        on();
        fillControl();
        trunk.step(2 * SILENCE_MS * MS);
        trunk.step();
        assertFalse(feed().isClosed, "the engine sends states only here");
        emptyControl();
        assertEquals(List.of("77/0 0"), sent());
        assertTrue(feed().isClosed);
    }

    /** The trunk has the states before the first turn. */
    @Test
    void shouldDeliverStatesFromTheFirstTurnOn()
    {
        subscribe();
        packet(FIRST_TURN - 1, state(1, 1));
        trunk.loop(0).deliver(Messages.state(1, Audience.ALL, 0, "1"));
        trunk.step();
        assertEquals(List.of("state 1/0.1 1", "state 1/4.1 1"), trunk.takeCallbacks(), "of the trunk");
        enterTurn();
        packet(FIRST_TURN - 1, state(2, 1), Messages.turn(FIRST_TURN), state(2, 2), state(3, 1));
        assertEquals(List.of("state 2/0.1 2", "state 3/0.1 1"), trunk.takeCallbacks());
        packet(FIRST_TURN, state(1, 2));
        packet(FIRST_TURN + 5, state(1, 3));
        assertEquals(
            List.of("state 1/0.1 2", "state 1/4.1 2", "state 1/0.1 3", "state 1/4.1 3"), trunk.takeCallbacks());
        pass(2 * SILENCE_MS, true);
        assertEquals(List.of(), losses());
        assertEquals(0, trunk.client.malformedMessages());
    }

    @Test
    void shouldTakeNoTurnBeforeItHasAskedForTheFeed()
    {
        offer();
        feed().isOpen = true;
        feed().hasImage = false;
        trunk.loop(0).deliver(Messages.feedBegins(1, 0));
        pass(5);
        feed().hasImage = true;
        pass(5);
        packet(2, state(1, 1));
        assertEquals(List.of(), trunk.takeCallbacks());
    }

    /** A packet was faster than the trunk, which says that the feed begins with it. */
    @Test
    void shouldKeepPacketsUntilTheFeedBegins()
    {
        subscribe();
        packet(FIRST_TURN - 1, state(1, 1));
        final int first = number;
        packet(FIRST_TURN, state(1, 2));
        packet(FIRST_TURN + 1, state(1, 3));
        assertEquals(List.of(), trunk.takeCallbacks());
        trunk.loop(0).deliver(Messages.feedBegins(FIRST_TURN, first));
        trunk.step();
        assertEquals(List.of("state 1/0.1 2", "state 1/4.1 2", "state 1/0.1 3", "state 1/4.1 3"),
            trunk.takeCallbacks());
        pass(2 * SILENCE_MS, true);
        assertEquals(List.of(), losses());
    }

    @Test
    void shouldReportRoomsWhenTheFirstPacketIsMissing()
    {
        subscribe();
        packet(FIRST_TURN - 1);
        trunk.loop(0).deliver(Messages.feedBegins(FIRST_TURN, number));
        trunk.step();
        number++;
        packet(FIRST_TURN + 1, state(1, 3));
        packet(FIRST_TURN + 2, state(1, 4));
        pass(SILENCE_MS, true);
        assertTrue(losses().containsAll(List.of("1/0.1", "1/4.1")), "the numbers that follow show nothing of it");
    }

    @Test
    void shouldDeliverToTheSeatsOfTheAudience()
    {
        on();
        packet(FIRST_TURN, Messages.feedState(1, Audience.ALL_EXCEPT, 4, 1, "x"),
            Messages.feedState(1, Audience.ALL_EXCEPT, 9, 2, "y"), state(9, 1), state(2, 1));
        assertEquals(List.of("state 1/0.1 x", "state 1/0.1 y", "state 1/4.1 y", "state 2/0.1 1"),
            trunk.takeCallbacks(), "room 9 has no seat here");
        trunk.loop(0).deliver(Messages.seatAway(1, 0, 1, 2));
        packet(FIRST_TURN, Messages.feedState(1, Audience.ALL, 0, 3, "z"));
        assertEquals(List.of("seatAway 1/0.1 2", "state 1/4.1 z"), trunk.takeCallbacks());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", useHeadersInDisplayName = true, textBlock = """
        before  | numbers of room 1 | lost packet | reported
        1 2     | 3 4               | false       | -
        1 2     | 3 4               | true        | 2/0.1 3/0.1
        1 2     | 4                 | false       | 1/0.1 1/4.1
        1 2     | 4                 | true        | 1/0.1 1/4.1 2/0.1 3/0.1
        1 2     | 4 5               | true        | 1/0.1 1/4.1 2/0.1 3/0.1
        1 2     | ''                | true        | 1/0.1 1/4.1 2/0.1 3/0.1
        1 2     | 2                 | true        | 1/0.1 1/4.1 2/0.1 3/0.1
        ''      | 1 2 3             | true        | 1/0.1 1/4.1 2/0.1 3/0.1
        32766   | 32767 32768       | true        | 2/0.1 3/0.1
        65534   | 65535 0 1         | true        | 2/0.1 3/0.1
        65534   | 0                 | false       | 1/0.1 1/4.1
        """)
    void shouldReportTheRoomsThatNoContiguousNumberClears(
        final String before, final String numbers, final boolean hasLost, final String reported)
    {
        on();
        numbers(before);
        number += hasLost ? 1 : 0;
        packet(FIRST_TURN);
        numbers(numbers);
        pass(SILENCE_MS, true);
        final List<String> losses = losses();
        losses.sort(null);
        assertEquals(null == reported ? List.of() : Arrays.asList(reported.split(" ")), losses);
        pass(2 * SILENCE_MS, true);
        assertEquals(List.of(), losses(), "once");
    }

    @Test
    void shouldCountPacketsBeyondTheirLargestNumber()
    {
        subscribe();
        number = Integer.MAX_VALUE - 1;
        enterTurn();
        for (int i = 1; i < 5; i++)
        {
            packet(FIRST_TURN, state(1, i));
        }
        assertTrue(number < 0);
        number = -2;
        packet(FIRST_TURN, state(1, 5));
        pass(SILENCE_MS, true);
        losses();
        for (int i = 6; i < 9; i++)
        {
            packet(FIRST_TURN, state(1, i));
        }
        pass(SILENCE_MS, true);
        assertEquals(List.of(), losses());
        number -= 4;
        packet(FIRST_TURN, state(1, 20));
        pass(SILENCE_MS, true);
        assertEquals(List.of(), losses(), "a number of before has no meaning");
    }

    /** Whatever the time of the last inspection. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 100, 249, 250, 251, 400})
    void shouldReportALossInHalfASecond(final int afterMs)
    {
        on();
        number++;
        packet(FIRST_TURN);
        pass(afterMs, true);
        losses();
        packet(FIRST_TURN, state(1, 1));
        pass(600, true);
        losses();
        number++;
        packet(FIRST_TURN);
        pass(afterMs, true);
        number++;
        packet(FIRST_TURN);
        trunk.loop(0).takeSent();
        pass(SILENCE_MS, true);
        final List<String> losses = losses();
        assertTrue(losses.containsAll(List.of("1/0.1", "1/4.1", "2/0.1", "3/0.1")), losses::toString);
    }

    /** The engine takes four a second of a seat. */
    @Test
    void shouldReportASeatAtMostEvery250Ms()
    {
        on();
        int reported = 0;
        long lastMs = -INSPECTION_MS;
        for (int ms = 0; ms < 3_000; ms += 5)
        {
            number += ms % 15 == 0 ? 1 : 0;
            packet(FIRST_TURN, state(1, ms));
            pass(5, true);
            final List<String> losses = losses();
            if (losses.contains("2/0.1"))
            {
                assertEquals(1, losses.stream().filter("2/0.1"::equals).count());
                assertTrue(ms - lastMs >= INSPECTION_MS - 5, "after " + (ms - lastMs) + " ms");
                lastMs = ms;
                reported++;
            }
        }
        assertTrue(reported >= 6 && reported <= 12, reported + " times");
    }

    @Test
    void shouldReportOnlyPresentSeats()
    {
        on();
        trunk.loop(0).deliver(Messages.seatAway(1, 0, 1, 2), Messages.left(2, 0, 1, 3));
        trunk.step();
        number++;
        packet(FIRST_TURN);
        pass(SILENCE_MS, true);
        final List<String> losses = losses();
        losses.sort(null);
        assertEquals(List.of("1/4.1", "3/0.1"), losses);
    }

    @Test
    void shouldReportOnlyTheRoomsOfItsLoop()
    {
        on();
        trunk.attach(1);
        trunk.loop(1).deliver(Messages.joined(7, OTHER_LOOP + 1, 0, 1));
        trunk.step();
        packet(FIRST_TURN, state(1, 1), state(2, 1), state(3, 1));
        number++;
        packet(FIRST_TURN);
        pass(SILENCE_MS, true);
        assertEquals(4, losses().size());
        assertEquals(List.of(), Messages.losses(trunk.loop(1).takeSent()));
    }

    @Test
    void shouldRepeatReportsThatTheLoopStreamDoesNotTake()
    {
        on();
        trunk.loop(0).isBackPressured = true;
        for (int i = 0; i < Messages.ENTRY_LIMIT; i++)
        {
            trunk.send(trunk.seats.get(0), 4);
        }
        number++;
        packet(FIRST_TURN);
        pass(4 * INSPECTION_MS, true);
        assertEquals(List.of(), losses());
        trunk.loop(0).isBackPressured = false;
        pass(INSPECTION_MS + 5, true);
        final List<String> losses = losses();
        losses.sort(null);
        assertEquals(List.of("1/0.1", "1/4.1", "2/0.1", "3/0.1"), losses);
        pass(SILENCE_MS, true);
        assertEquals(List.of(), losses());
    }

    /** A trunk that lost packets delivers reports of seconds at once, of which the engine takes four of a seat. */
    @Test
    void shouldRepeatReportsThatExceededTheRate()
    {
        on();
        number++;
        packet(FIRST_TURN);
        pass(SILENCE_MS, true);
        losses();
        refuse(1, TrunkCode.RATE_LIMITED.value());
        pass(INSPECTION_MS + 5, true);
        final List<String> losses = losses();
        losses.sort(null);
        assertEquals(List.of("1/0.1", "1/4.1"), losses);
        refuse(2, RefusalCode.STALE_SEAT.value());
        refuse(9, TrunkCode.RATE_LIMITED.value());
        pass(2 * SILENCE_MS, true);
        assertEquals(List.of(), losses());
        assertEquals(List.of(), trunk.takeCallbacks(), "the program has not sent them");
        refuse(OTHER_LOOP + 1, TrunkCode.RATE_LIMITED.value());
        assertEquals(1, trunk.takeCallbacks().size(), "a loop without a feed");
    }

    private void refuse(final long roomId, final int code)
    {
        trunk.loop(0).deliver(Messages.refused(StateLostDecoder.TEMPLATE_ID, roomId, 0, 0, code));
        trunk.step();
    }

    /** Its room is not on the feed, because few of those who receive that have seats there. */
    @Test
    void shouldClearARoomThatIsOnTheTrunk()
    {
        on();
        packet(FIRST_TURN, state(1, 1));
        number++;
        packet(FIRST_TURN);
        trunk.loop(0).deliver(Messages.state(1, Audience.ALL, 0, "all"), Messages.state(2, Audience.ALL_EXCEPT, 4, "x"),
            Messages.state(3, Audience.ONE, 1L << 32, "one"), Messages.event(3, Audience.ALL, 0, "event"));
        pass(SILENCE_MS, true);
        final List<String> losses = losses();
        losses.sort(null);
        assertEquals(List.of("1/0.1", "1/4.1", "3/0.1"), losses, "room 1 was on the feed, and room 3 got no state");
    }

    /** The state went by before the client knew of the seat. */
    @Test
    void shouldReportASeatThatCameLaterThanTheStatesOfItsTurn()
    {
        on();
        packet(FIRST_TURN + 5, state(7, 1));
        trunk.loop(0).deliver(Messages.turn(FIRST_TURN + 5), Messages.joined(9, 7, 0, 1));
        packet(FIRST_TURN + 6, state(7, 2));
        packet(FIRST_TURN + 7, state(7, 3));
        pass(SILENCE_MS, true);
        assertEquals(List.of("7/0.1"), losses());
        trunk.loop(0).deliver(Messages.seatAway(1, 4, 1, 2));
        packet(FIRST_TURN + 8, state(1, 1));
        trunk.loop(0).deliver(Messages.turn(FIRST_TURN + 8), Messages.seatResumed(1, 4, 1, 0));
        packet(FIRST_TURN + 9, state(1, 2));
        pass(SILENCE_MS, true);
        assertTrue(losses().contains("1/4.1"));
        trunk.loop(0).deliver(Messages.turn(FIRST_TURN + 10), Messages.joined(9, 8, 0, 1));
        packet(FIRST_TURN + 10, state(8, 1));
        pass(SILENCE_MS, true);
        assertEquals(List.of(), losses(), "in time");
        packet(FIRST_TURN + 11, state(9, 1));
        trunk.loop(0).deliver(Messages.turn(FIRST_TURN + 11), Messages.joined(9, 9, 0, 1));
        pass(SILENCE_MS, true);
        assertEquals(List.of("9/0.1"), losses(), "also if the room sends no other");
    }

    @Test
    void shouldNotReportASeatThatCameBeforeTheFirstTurn()
    {
        subscribe();
        packet(FIRST_TURN - 1, state(7, 1));
        trunk.loop(0).deliver(Messages.joined(9, 7, 0, 1));
        trunk.step();
        enterTurn();
        packet(FIRST_TURN, state(7, 2));
        pass(SILENCE_MS, true);
        assertEquals(List.of(), losses());
    }

    @Test
    void shouldReportARoomWhoseSeatCameSoonAfterALoss()
    {
        on();
        number++;
        packet(FIRST_TURN);
        pass(INSPECTION_MS - 20, true);
        trunk.loop(0).deliver(Messages.turn(FIRST_TURN + 1), Messages.joined(9, 7, 0, 1));
        trunk.step();
        packet(FIRST_TURN + 2, state(7, 2));
        packet(FIRST_TURN + 3, state(7, 3));
        pass(SILENCE_MS, true);
        assertTrue(losses().contains("7/0.1"), "the trunk may be late");
    }

    /** Its packet was lost, and with it what the numbers that follow would be compared with. */
    @Test
    void shouldReportARoomWhoseFirstStateWasLost()
    {
        on();
        trunk.loop(0).deliver(Messages.turn(FIRST_TURN + 1), Messages.joined(9, 7, 0, 1));
        trunk.step();
        number++;
        packet(FIRST_TURN + 2, state(7, 2));
        packet(FIRST_TURN + 3, state(7, 3));
        packet(FIRST_TURN + 4, state(7, 4));
        pass(SILENCE_MS, true);
        assertTrue(losses().contains("7/0.1"));
    }

    @Test
    void shouldNotReportARoomForWhatWasLostLongBeforeItsSeatCame()
    {
        on();
        number++;
        packet(FIRST_TURN);
        pass(3 * INSPECTION_MS, true);
        losses();
        trunk.loop(0).deliver(Messages.turn(FIRST_TURN + 1), Messages.joined(9, 7, 0, 1));
        trunk.step();
        packet(FIRST_TURN + 2, state(7, 2));
        packet(FIRST_TURN + 3, state(7, 3));
        pass(SILENCE_MS, true);
        assertEquals(List.of(), losses());
    }

    @Test
    void shouldLeaveASilentFeedAndReturn()
    {
        on();
        packet(FIRST_TURN, state(1, 1));
        pass(SILENCE_MS - 20);
        assertEquals(List.of(), sent());
        pass(40);
        assertEquals(List.of("77/0 0"), sent());
        assertTrue(feed().isClosed);
        trunk.takeCallbacks();
        trunk.loop(0).deliver(Messages.state(1, Audience.ALL, 0, "trunk"));
        pass(RETRY_MS);
        assertEquals(List.of("state 1/0.1 trunk", "state 1/4.1 trunk"), trunk.takeCallbacks());
        assertEquals(2, trunk.feeds.size());
        feed().isOpen = true;
        feed().hasImage = true;
        pass(5);
        assertEquals(List.of("77/0 4711", "77/0 on"), sent());
        number = 500;
        packet(FIRST_TURN + 50, state(1, 90));
        assertEquals(List.of(), trunk.takeCallbacks(), "the turn of before does not count");
        trunk.loop(0).deliver(Messages.feedBegins(FIRST_TURN + 60, number));
        packet(FIRST_TURN + 60, state(1, 91));
        assertEquals(List.of("state 1/0.1 91", "state 1/4.1 91"), trunk.takeCallbacks());
        pass(SILENCE_MS, true);
        assertEquals(List.of(), losses(), "neither the numbers of before");
    }

    @Test
    void shouldLeaveAFeedWhoseImageHasGone()
    {
        on();
        feed().hasImage = false;
        pass(5);
        assertEquals(List.of("77/0 0"), sent());
        assertTrue(feed().isClosed);
    }

    /** The room sends whole states to a trunk that leaves. */
    @Test
    void shouldForgetLossesWhenItLeaves()
    {
        on();
        number++;
        packet(FIRST_TURN, state(1, 1));
        number++;
        packet(FIRST_TURN, state(1, 5));
        feed().hasImage = false;
        pass(3 * SILENCE_MS);
        assertEquals(List.of(), losses());
    }

    @Test
    void shouldBeginToCountAnewWhenItReturns()
    {
        on();
        for (int i = 0; i < 3; i++)
        {
            number++;
            packet(FIRST_TURN);
        }
        pass(3 * INSPECTION_MS, true);
        feed().hasImage = false;
        pass(2 * RETRY_MS);
        feed().isOpen = true;
        feed().hasImage = true;
        pass(5);
        trunk.loop(0).deliver(Messages.feedBegins(FIRST_TURN + 60, number));
        packet(FIRST_TURN + 60, state(1, 1), state(2, 1), state(3, 1));
        losses();
        number++;
        packet(FIRST_TURN + 60);
        pass(10, true);
        packet(FIRST_TURN + 61, state(1, 2), state(2, 2), state(3, 2));
        pass(2 * SILENCE_MS, true);
        assertEquals(List.of(), losses(), "cleared before the second inspection");
        number++;
        packet(FIRST_TURN + 61);
        trunk.loop(0).deliver(Messages.turn(FIRST_TURN + 62), Messages.joined(9, 7, 0, 1));
        packet(FIRST_TURN + 63, state(7, 9));
        pass(SILENCE_MS, true);
        assertTrue(losses().containsAll(List.of("7/0.1", "2/0.1")));
    }

    @Test
    void shouldReplaceAFeedByANewOffer()
    {
        on();
        packet(FIRST_TURN, state(1, 7));
        trunk.takeCallbacks();
        final FakeFeed before = feed();
        trunk.control().deliver(Messages.feedOffered(78, SESSION + 1, STREAM, 0));
        pass(5);
        assertTrue(before.isClosed);
        assertEquals(2, trunk.feeds.size());
        assertEquals(SESSION + 1, feed().sessionId);
        feed().isOpen = true;
        feed().hasImage = true;
        pass(5);
        assertEquals(List.of("78/0 4711", "78/0 on"), sent());
        trunk.loop(0).deliver(Messages.feedBegins(3, 9));
        feed().deliver(Messages.feedPacket(78, 9, 3, state(1, 1)));
        pass(5);
        assertEquals(List.of("state 1/0.1 1", "state 1/4.1 1"), trunk.takeCallbacks());
        feed().deliver(Messages.feedPacket(78, 10, 3, state(1, 2)));
        pass(SILENCE_MS - 10);
        assertEquals(List.of(), losses());
    }

    @Test
    void shouldCountMalformedPacketsAndChangeNothing()
    {
        on();
        packet(FIRST_TURN, state(1, 1));
        trunk.takeCallbacks();
        int malformed = 0;
        final byte[] header = Messages.feedPacket(ID, number, FIRST_TURN);
        for (int length = 0; length < header.length; length++)
        {
            feed().deliver(Arrays.copyOf(header, length));
            pass(1);
            assertEquals(++malformed, trunk.client.malformedMessages(), "length " + length);
        }
        feed().deliver(Messages.feedPacket(ID + 1, number + 5, FIRST_TURN, state(1, 9)));
        pass(1);
        assertEquals(++malformed, trunk.client.malformedMessages(), "another feed");
        final byte[] packet = Messages.feedPacket(ID, number, FIRST_TURN, state(1, 2));
        for (int length = header.length + 1; length < packet.length; length++)
        {
            feed().deliver(Messages.feedPacket(ID, number++, FIRST_TURN));
            final byte[] cut = Arrays.copyOf(packet, length);
            System.arraycopy(Messages.feedPacket(ID, number++, FIRST_TURN), 0, cut, 0, header.length);
            feed().deliver(cut);
            pass(1);
            // The padding of one byte has no length.
            assertEquals(++malformed, trunk.client.malformedMessages(), "length " + length);
        }
        packet(FIRST_TURN, Messages.refused(), state(1, 2));
        assertEquals(++malformed, trunk.client.malformedMessages(), "another template");
        packet(FIRST_TURN, Messages.state(1, Audience.ALL, 0, "x"), state(1, 2));
        assertEquals(++malformed, trunk.client.malformedMessages(), "no room for a number");
        packet(FIRST_TURN, Messages.event(1, Audience.ALL, 0, "123"), state(1, 2));
        assertEquals(++malformed, trunk.client.malformedMessages(), "an event");
        packet(FIRST_TURN, Messages.feedState(1, Audience.ONE, 1L << 32, 1, "x"), state(1, 2));
        assertEquals(++malformed, trunk.client.malformedMessages(), "for one seat");
        assertEquals(List.of(), trunk.takeCallbacks());
        packet(FIRST_TURN, state(1, 2));
        assertEquals(List.of("state 1/0.1 2", "state 1/4.1 2"), trunk.takeCallbacks());
        pass(SILENCE_MS, true);
        assertEquals(List.of(), losses());
        assertEquals(State.UP, trunk.client.state());
    }

    @Test
    void shouldEndAPacketAtItsPadding()
    {
        on();
        final byte[] packet = Messages.feedPacket(ID, number++, FIRST_TURN, state(2, 1));
        feed().deliver(Arrays.copyOf(packet, packet.length + 32));
        pass(1);
        assertEquals(List.of("state 2/0.1 1"), trunk.takeCallbacks());
        assertEquals(0, trunk.client.malformedMessages());
    }

    @Test
    void shouldNameTheTurnOfAMessage()
    {
        final TurnListener listener = new TurnListener();
        final SteppedTrunk named = new SteppedTrunk((context) ->
            context.feed(TrunkContext.ANY_FEED_ENDPOINT).listener(listener));
        listener.trunk = named;
        named.advanceTo(State.UP);
        named.attach(0);
        named.loop(0).deliver(Messages.joined(1, 1, 0, 1), Messages.state(1, Audience.ALL, 0, "a"));
        named.step();
        assertEquals(List.of("0 a"), listener.take(), "not known without a feed");
        named.control().deliver(Messages.feedOffered(ID, SESSION, STREAM, 0));
        named.step();
        named.step();
        named.feeds.get(0).isOpen = true;
        named.feeds.get(0).hasImage = true;
        named.step();
        named.loop(0).deliver(Messages.feedBegins(30, 0), Messages.event(1, Audience.ALL, 0, "b"), Messages.turn(31),
            Messages.event(1, Audience.ALL, 0, "c"));
        named.feeds.get(0).deliver(Messages.feedPacket(ID, 0, 30, state(1, 1), Messages.turn(32), state(1, 2)));
        named.step();
        named.loop(0).deliver(Messages.event(1, Audience.ALL, 0, "d"));
        named.step();
        assertEquals(List.of("30 b", "31 c", "30 1", "32 2", "31 d"), listener.take());
        named.feeds.get(0).hasImage = false;
        named.step();
        named.loop(0).deliver(Messages.event(1, Audience.ALL, 0, "e"));
        named.step();
        assertEquals(List.of("0 e"), listener.take());
    }

    @Test
    void shouldIgnoreAnOfferUnlessTheProgramWantsFeeds()
    {
        final SteppedTrunk unfed = new SteppedTrunk((context) -> context.feed(null));
        unfed.advanceTo(State.UP);
        unfed.attach(0);
        unfed.control().deliver(Messages.feedOffered(ID, SESSION, STREAM, 0));
        for (int i = 0; i < 5; i++)
        {
            unfed.step();
        }
        assertEquals(0, unfed.feeds.size());
        assertEquals(List.of(), Messages.feeds(unfed.control().takeSent()));
        assertEquals(0, unfed.client.malformedMessages());
    }

    @Test
    void shouldIgnoreAnOfferForALoopThatTheEngineHasNot()
    {
        trunk.control().deliver(Messages.feedOffered(ID, SESSION, STREAM, SteppedTrunk.LOOPS));
        pass(5);
        assertEquals(0, trunk.feeds.size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"CLOSE", "GOODBYE", "IMAGE_GONE", "SILENCE", "LOOP_LOST"})
    void shouldCloseTheSubscriptionWithItsTrunkOrStream(final String event)
    {
        on();
        switch (event)
        {
            case "CLOSE" -> trunk.client.close();
            case "GOODBYE" -> trunk.control().deliver(Messages.goodbye(TrunkCode.REPLACED));
            case "IMAGE_GONE" -> trunk.control().hasImage = false;
            case "SILENCE" -> trunk.step(10 * Messages.KEEPALIVE_NS);
            case "LOOP_LOST" ->
            {
                pass(500, true);
                trunk.loop(0).hasImage = false;
            }
            default -> throw new AssertionError(event);
        }
        trunk.step();
        trunk.step();
        assertTrue(feed().isClosed);
        assertEquals(1, trunk.feeds.size());
    }

    @Test
    void shouldCloseASubscriptionThatItWaitsForOnce()
    {
        on();
        feed().hasImage = false;
        pass(5);
        trunk.client.close();
        assertTrue(feed().isClosed);
        pass(2 * RETRY_MS);
        assertEquals(1, trunk.feeds.size());
    }

    /** Names the turn of each event and state. */
    private static final class TurnListener implements TrunkListener
    {
        private final List<String> messages = new ArrayList<>();
        private SteppedTrunk trunk;

        List<String> take()
        {
            final List<String> taken = List.copyOf(messages);
            messages.clear();
            return taken;
        }

        @Override
        public void onEvent(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
        {
            messages.add(trunk.client.turn() + " " + buffer.getStringWithoutLengthAscii(offset, length));
        }

        @Override
        public void onState(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
        {
            onEvent(seat, buffer, offset, length);
        }
    }

    /** Have the control stream take nothing; its batch takes some entries. */
    private void fillControl()
    {
        trunk.control().isBackPressured = true;
        for (int i = 0; i < Messages.ENTRY_LIMIT; i++)
        {
            trunk.client.logIn(i, new byte[4]);
        }
    }

    private void emptyControl()
    {
        trunk.control().isBackPressured = false;
        for (int i = 0; i < 3; i++)
        {
            trunk.step();
        }
    }

    private FakeFeed feed()
    {
        return trunk.feeds.get(trunk.feeds.size() - 1);
    }

    private void offer()
    {
        trunk.control().deliver(Messages.feedOffered(ID, SESSION, STREAM, 0));
        trunk.step();
        trunk.step();
        trunk.control().takeSent();
    }

    /** Up to the message that the feed arrives. */
    private void subscribe()
    {
        offer();
        feed().isOpen = true;
        feed().hasImage = true;
        trunk.step();
        trunk.step();
        assertEquals(List.of("77/0 4711", "77/0 on"), sent());
    }

    /** On the feed, of which an empty packet has come. */
    private void on()
    {
        subscribe();
        enterTurn();
        packet(FIRST_TURN);
    }

    private void enterTurn()
    {
        trunk.loop(0).deliver(Messages.feedBegins(FIRST_TURN, number));
        trunk.step();
        trunk.loop(0).takeSent();
    }

    private void packet(final long turn, final byte[]... messages)
    {
        feed().deliver(Messages.feedPacket(ID, number++, turn, messages));
        trunk.step();
    }

    /** A state for all seats whose content is its number. */
    private static byte[] state(final long roomId, final int roomNumber)
    {
        return Messages.feedState(roomId, Audience.ALL, 0, roomNumber, Integer.toString(roomNumber));
    }

    private void numbers(final String numbers)
    {
        Arrays.stream(numbers.split(" ")).filter((text) -> !text.isEmpty()).mapToInt(Integer::parseInt)
            .forEach((roomNumber) -> packet(FIRST_TURN, state(1, roomNumber)));
    }

    private void pass(final long ms)
    {
        pass(ms, false);
    }

    /** Let time pass in steps, with an engine that answers keepalives, and with a feed that shows that it is alive. */
    private void pass(final long ms, final boolean isFeedAlive)
    {
        IntStream.range(0, (int)ms).forEach((i) ->
        {
            if (--untilKeepaliveMs <= 0)
            {
                untilKeepaliveMs = 100;
                trunk.control().deliver(Messages.keepaliveReply(0, 0));
                if (isFeedAlive)
                {
                    feed().deliver(Messages.feedPacket(ID, number++, FIRST_TURN));
                }
            }
            trunk.step(MS);
        });
    }

    private List<String> sent()
    {
        return Messages.feeds(trunk.control().takeSent());
    }

    private List<String> losses()
    {
        return Messages.losses(trunk.loop(0).takeSent());
    }
}
