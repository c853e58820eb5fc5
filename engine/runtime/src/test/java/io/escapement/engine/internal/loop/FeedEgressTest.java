package io.escapement.engine.internal.loop;

import com.lmax.disruptor.BusySpinWaitStrategy;
import io.aeron.Publication;
import io.escapement.codecs.trunk.FeedPacket;
import io.escapement.codecs.trunk.RoomMessage;
import io.escapement.codecs.trunk.TrunkEncoder;
import io.escapement.engine.internal.monitor.EngineCounters;
import io.escapement.engine.internal.queue.ChunkPool;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.output.Outputs;
import io.escapement.rooms.output.RoomLinks;
import io.escapement.testsupport.Allocations;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The feeds of a loop over publications in memory, in steps of a test clock. */
class FeedEgressTest
{
    private static final int LINKS = 6;
    private static final int FEED_ID = 0x7654_3210;
    private static final int SHARED_ID = 5;
    private static final int ROOM = 7;
    private static final int OTHER_ROOM = 9;
    private static final int QUEUE_LENGTH = 96 * 1_024;
    private static final int CHUNKS = 6;
    private static final int RECEIVERS_PER_LINK = 2;
    private static final long PATIENCE_NS = 1_000;
    private static final long ALIVE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final int TURN_LENGTH = 18;
    /** Longest state that fits a packet in which a turn begins. */
    private static final int LONGEST = MemoryPublication.PACKET_LENGTH - FeedPacket.HEADER_LENGTH - TURN_LENGTH -
        RoomMessage.MAX_HEADER_LENGTH - FeedPacket.NUMBER_LENGTH;
    /** Of a state of 8 bytes for all seats in a packet. */
    private static final int STATE_LENGTH = RoomMessage.MIN_HEADER_LENGTH + FeedPacket.NUMBER_LENGTH + Long.BYTES;

    private final List<Integer> slow = new ArrayList<>();
    private final List<Integer> statesLost = new ArrayList<>();
    private final EngineCounters engineCounters = new EngineCounters();
    private final UnsafeBuffer payload = new UnsafeBuffer(new byte[1_024]);
    private final LoopEgress egress = new LoopEgress(context(), new LoopEgress.LinkListener()
    {
        @Override
        public void onSlow(final int link)
        {
            slow.add(link);
        }

        @Override
        public void onStatesLost(final int link)
        {
            statesLost.add(link);
        }
    });
    private final PacketPublication packets = new PacketPublication();
    private final PacketPublication sharedPackets = new PacketPublication();
    private final LinkFeed feed = new LinkFeed(FEED_ID, false, packets);
    private final LinkFeed shared = new LinkFeed(SHARED_ID, true, sharedPackets);
    private final MemoryPublication[] publications = new MemoryPublication[LINKS];
    private final TestRoom room = new TestRoom(true, 0, 1, 2);
    private long nowNs = TimeUnit.SECONDS.toNanos(1);
    private long turn = 9;

    FeedEgressTest()
    {
        egress.turn(() -> turn);
        egress.turnTime(nowNs);
        for (int link = 0; link < LINKS; link++)
        {
            publications[link] = new MemoryPublication();
            egress.attach(new LinkAttachment(link, publications[link], new LinkQueues()));
        }
    }

    private static LoopContext context(final EngineCounters counters)
    {
        return new LoopContext().trunks(new TrunkServerContext().limit(LINKS).queueLength(QUEUE_LENGTH)
                .queueMemory(CHUNKS * ChunkPool.CHUNK_LENGTH).statePatienceNs(PATIENCE_NS)
                .feedReceiversPerLink(RECEIVERS_PER_LINK))
            .counters(new LoopCounters(0, counters, Map.of()));
    }

    private LoopContext context()
    {
        return context(engineCounters);
    }

    /** The links of a room, of which all have a present seat. */
    private static final class TestRoom implements RoomLinks
    {
        private final boolean isFed;
        private final int[] links;
        private int number;

        TestRoom(final boolean isFed, final int... links)
        {
            this.isFed = isFed;
            this.links = links;
        }

        @Override
        public int linkCount()
        {
            return links.length;
        }

        @Override
        public int linkAt(final int position)
        {
            return links[position];
        }

        @Override
        public boolean isReceiving(
            final int position, final int outputClass, final int audience, final long selector)
        {
            return true;
        }

        @Override
        public boolean isFeedAllowed()
        {
            return isFed;
        }

        @Override
        public int nextFeedNumber()
        {
            return ++number;
        }
    }

    @Test
    void shouldSendAStateOnceForAllReceivers()
    {
        enter(feed, 0, 1, 2);
        state(room, 42);
        egress.send(false);
        assertEquals(List.of("#0 10: 7/1=42"), packets.take(FEED_ID));
        for (int link = 0; link < 3; link++)
        {
            assertEquals(List.of("begin 10 #0"), received(link));
        }
        assertEquals(0, sharedPackets.offers);
        assertFalse(egress.isWaiting());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', useHeadersInDisplayName = true, textBlock = """
        class | audience | length     | allowed | stream
        STATE | 0        | 8          | true    | feed
        STATE | 1        | 8          | true    | feed
        STATE | 2        | 8          | true    | trunk
        EVENT | 0        | 8          | true    | trunk
        EVENT | 1        | 8          | true    | trunk
        STATE | 0        | 8          | false   | trunk
        STATE | 0        | 149        | true    | feed
        STATE | 1        | 149        | true    | feed
        STATE | 0        | 150        | true    | trunk
        """)
    void shouldSendOnlyStatesForAllSeatsThatFitOnTheFeed(
        final String outputClass, final int audience, final int length, final boolean isAllowed, final String stream)
    {
        assertEquals(149, LONGEST);
        enter(feed, 0, 1, 2);
        for (int i = 0; i < 3; i++)
        {
            turn++;
            payload.putLong(length - Long.BYTES, i);
            egress.toLinks(
                new TestRoom(isAllowed, 0, 1, 2), ROOM,
                "STATE".equals(outputClass) ? Outputs.STATE : Outputs.EVENT, audience, 3, payload, 0, length);
            egress.send(false);
        }
        final boolean isFeed = "feed".equals(stream);
        assertEquals(isFeed ? 3 : 0, packets.packets.size());
        packets.packets.forEach((packet) -> assertTrue(packet.capacity() <= MemoryPublication.PACKET_LENGTH));
        for (int link = 0; link < 3; link++)
        {
            assertEquals(isFeed ? 0 : 3,
                received(link).stream().filter((text) -> !text.matches("(begin|turn) .*")).count(), "link " + link);
        }
    }

    @Test
    void shouldSendAStateForOneSeatOnTheTrunk()
    {
        enter(feed, 0);
        egress.message(0, ROOM, Outputs.STATE, Outputs.ONE, 5, payload, 0, Long.BYTES);
        egress.send(false);
        assertEquals(0, packets.offers);
        assertEquals(List.of("begin 10 #0", "state 0"), received(0));
    }

    @Test
    void shouldSendStatesOnTheTrunkToLinksThatAreNotOnTheFeed()
    {
        enter(feed, 0, 2);
        egress.detach(1);
        state(new TestRoom(true, 0, 1, 2, 3, 4), 42);
        egress.send(false);
        assertEquals(List.of("#0 10: 7/1=42"), packets.take(FEED_ID));
        assertEquals(List.of("begin 10 #0"), received(0));
        assertEquals(List.of(), received(1));
        assertEquals(List.of("state 42"), received(3));
        assertEquals(List.of("state 42"), received(4));
        final TestRoom strangers = new TestRoom(true, 3, 4);
        state(strangers, 43);
        egress.send(false);
        assertEquals(List.of(), packets.take(FEED_ID), "no receiver of the feed has seats in it");
        assertEquals(0, strangers.number);
        assertEquals(List.of("state 43"), received(4));
    }

    @Test
    void shouldKeepRoomsWithFewLinksOffTheFeed()
    {
        enter(feed, 0, 1, 2, 3, 4);
        state(new TestRoom(true, 0, 1), 1);
        egress.send(false);
        assertEquals(0, packets.offers, "five receivers for two links");
        assertEquals(List.of("begin 10 #0", "state 1"), received(1));
        leave(4);
        state(new TestRoom(true, 0, 1), 2);
        egress.send(false);
        assertEquals(List.of("#0 10: 7/1=2"), packets.take(FEED_ID), "four for two");
        // Links that are not on the feed count: they are links of the room.
        enter(feed, 4);
        state(new TestRoom(true, 0, 1, 5), 3);
        egress.send(false);
        assertEquals(List.of("#1 11: 7/1=3"), packets.take(FEED_ID));
    }

    @Test
    void shouldNumberPacketsAndTheStatesOfEachRoom()
    {
        enter(feed, 0, 1, 2);
        final TestRoom other = new TestRoom(true, 0, 1);
        state(room, 1);
        state(OTHER_ROOM, other, 2);
        egress.send(false);
        state(room, 3);
        egress.send(false);
        egress.send(false);
        state(OTHER_ROOM, other, 4);
        egress.send(false);
        assertEquals(
            List.of("#0 10: 7/1=1 9/1=2", "#1 10: 7/2=3", "#2 10: 9/2=4"), packets.take(FEED_ID));
    }

    @Test
    void shouldCutTheNumbersOfRoomsTo16Bits()
    {
        enter(feed, 0, 1, 2);
        room.number = 0xFFFF - 1;
        state(room, 1);
        state(room, 2);
        egress.send(false);
        assertEquals(List.of("#0 10: 7/-1=1 7/0=2"), packets.take(FEED_ID));
    }

    @Test
    void shouldFillAndPadPackets()
    {
        enter(feed, 0, 1, 2);
        for (int i = 0; i < 25; i++)
        {
            state(room, i);
        }
        egress.send(false);
        final int states = (MemoryPublication.PACKET_LENGTH - FeedPacket.HEADER_LENGTH) / STATE_LENGTH;
        assertEquals(10, states);
        final int full = FeedPacket.HEADER_LENGTH + states * STATE_LENGTH;
        // The gap is shorter than a unit of Aeron's alignment.
        assertEquals(List.of(full, full, full - 5 * STATE_LENGTH),
            packets.packets.stream().map(UnsafeBuffer::capacity).toList());
        assertEquals(25, packets.take(FEED_ID).stream().mapToInt((packet) -> packet.split("=").length - 1).sum());

        for (int i = 0; i < 3; i++)
        {
            egress.toLinks(room, ROOM, Outputs.STATE, Outputs.ALL, 0, payload, 0, 140);
        }
        egress.send(false);
        assertEquals(List.of(200, 200, 16 + 9 + 140),
            packets.packets.stream().map(UnsafeBuffer::capacity).toList(), "padded unless it is the last");
        packets.take(FEED_ID);
    }

    @Test
    void shouldShowTheTurnOfEachState()
    {
        enter(feed, 0, 1, 2);
        packets.result = Publication.BACK_PRESSURED;
        for (int i = 0; i < 12; i++)
        {
            state(room, i);
            turn += i % 2;
        }
        egress.send(false);
        packets.result = 1;
        egress.send(false);
        assertEquals(List.of(
            "#0 10: 7/1=0 7/2=1 turn 11 7/3=2 7/4=3 turn 12 7/5=4 7/6=5 turn 13 7/7=6",
            "#1 13: 7/8=7 turn 14 7/9=8 7/10=9 turn 15 7/11=10 7/12=11"), packets.take(FEED_ID));
        turn = 20;
        state(room, 99);
        egress.send(false);
        assertEquals(List.of("#2 20: 7/13=99"), packets.take(FEED_ID));
        for (int i = 0; i < 12; i++)
        {
            state(room, i);
        }
        egress.send(false);
        assertEquals(List.of("#3 20", "#4 20"),
            packets.take(FEED_ID).stream().map((text) -> text.substring(0, text.indexOf(':'))).toList());
    }

    @Test
    void shouldBeginATurnOnTheTrunkOnceBeforeItsFirstEvent()
    {
        enter(feed, 0);
        egress.send(false);
        assertEquals(List.of("begin 10 #0"), received(0));
        event(0, 1);
        turn = 11;
        event(0, 2);
        event(0, 3);
        state(room, 4);
        turn = 12;
        egress.send(false);
        turn = 13;
        egress.control(0, joined(), 0, joined().capacity());
        event(0, 5);
        egress.send(false);
        assertEquals(List.of("event 1", "turn 11", "event 2", "event 3", "turn 13", "template 50", "event 5"),
            received(0));
        assertEquals(List.of("state 4"), received(1), "links off the feed get no turns");
        event(1, 6);
        egress.send(false);
        assertEquals(List.of("event 6"), received(1));
    }

    @Test
    void shouldTellAgainFromWhichTurnOnWhenALinkReturns()
    {
        enter(feed, 0);
        leave(0);
        event(0, 1);
        enter(feed, 0);
        egress.send(false);
        assertEquals(List.of("begin 10 #0", "event 1", "begin 11 #0"), received(0));
    }

    /** Without its first turn the client would take the states of no stream. */
    @Test
    void shouldEndATrunkThatHasNoRoomForItsFirstTurn()
    {
        fillEvents(0);
        assertEquals(List.of(), slow);
        enter(feed, 0);
        assertEquals(List.of(0), slow);
        egress.send(false);
        assertEquals(1, counter("events lost with their trunk"));
    }

    @Test
    void shouldNotSendAnEventWithoutItsTurn()
    {
        enter(feed, 0);
        fillEvents(TURN_LENGTH);
        assertEquals(List.of(), slow);
        turn++;
        event(0, 5);
        assertEquals(List.of(0), slow);
    }

    @Test
    void shouldKeepPacketsInOrderUnderBackPressure()
    {
        enter(feed, 0, 1, 2);
        packets.results.addAll(List.of(1L, Publication.BACK_PRESSURED));
        for (int i = 0; i < 12; i++)
        {
            state(room, i);
        }
        egress.send(false);
        assertTrue(egress.isWaiting());
        assertEquals(1, egress.waiting());
        state(room, 12);
        egress.send(false);
        assertFalse(egress.isWaiting());
        assertEquals(List.of("#0", "#1"), packets.packets.stream()
            .map((packet) -> "#" + FeedPacket.number(packet, 0)).toList());
        assertEquals("#1 10: 7/11=10 7/12=11 7/13=12", packets.take(FEED_ID).get(1));
        assertEquals(0, counter("states dropped"));
    }

    /** The packet number that is left out makes receivers suspect rooms that send no other state. */
    @Test
    void shouldDropStatesAfterTheirPatienceAndLeaveOutANumber()
    {
        enter(feed, 0, 1, 2);
        packets.result = Publication.BACK_PRESSURED;
        state(room, 1);
        turn++;
        state(room, 2);
        egress.send(false);
        after(PATIENCE_NS);
        assertEquals(0, counter("states dropped"), "not before the patience has passed");
        turn++;
        state(room, 3);
        after(1);
        assertEquals(2, counter("states dropped"));
        state(room, 4);
        packets.result = 1;
        egress.send(false);
        assertEquals(List.of("#1 11: turn 12 7/3=3 7/4=4"), packets.take(FEED_ID));
        state(room, 5);
        egress.send(false);
        assertEquals(List.of("#2 12: 7/5=5"), packets.take(FEED_ID));
        assertEquals(List.of(), statesLost, "receivers notice by themselves");
    }

    @Test
    void shouldKeepStatesThatAreNewerThanWhatWasSentInTime()
    {
        enter(feed, 0, 1, 2);
        packets.results.addAll(
            List.of(Publication.BACK_PRESSURED, 1L, Publication.BACK_PRESSURED, Publication.BACK_PRESSURED));
        for (int i = 0; i < 12; i++)
        {
            state(room, i);
        }
        egress.send(false);
        egress.send(false);
        for (int i = 12; i < 15; i++)
        {
            state(room, i);
        }
        after(PATIENCE_NS + 1);
        assertEquals(2, counter("states dropped"));
        egress.send(false);
        packets.packets.remove(0);
        assertEquals(List.of("#2 10: 7/13=12 7/14=13 7/15=14"), packets.take(FEED_ID));
    }

    @Test
    void shouldLeaveOutANumberBehindTheLastOfSeveralLosses()
    {
        enter(feed, 0, 1, 2);
        packets.result = Publication.BACK_PRESSURED;
        state(room, 0);
        egress.send(false);
        while (0 == counter("states dropped"))
        {
            state(room, 1);
        }
        after(PATIENCE_NS + 1);
        assertEquals(2, counter("states dropped"));
        packets.result = 1;
        egress.send(false);
        final int sent = packets.packets.size();
        assertEquals(0, FeedPacket.number(packets.packets.get(0), 0));
        assertEquals(sent - 1, FeedPacket.number(packets.packets.get(sent - 1), 0));
        packets.packets.clear();
        state(room, 2);
        egress.send(false);
        assertEquals("#" + (sent + 1), packets.take(FEED_ID).get(0).split(" ")[0]);
    }

    /** The rooms of the states before it are cleared before the number that is left out. */
    @Test
    void shouldDropWhatDoesNotFitTheQueueAndLeaveOutANumberBehindIt()
    {
        enter(feed, 0, 1, 2);
        packets.result = Publication.BACK_PRESSURED;
        int queued = 0;
        while (0 == counter("states dropped"))
        {
            state(room, queued++);
        }
        assertTrue(queued > 64 * 1_024 / STATE_LENGTH, "the queue takes chunks of the loop");
        state(room, queued);
        assertEquals(2, counter("states dropped"));
        packets.results.addAll(List.of(1L, 1L, Publication.BACK_PRESSURED));
        egress.send(false);
        packets.result = 1;
        egress.send(false);
        assertFalse(egress.isWaiting());
        final List<UnsafeBuffer> sent = List.copyOf(packets.packets);
        final List<String> texts = packets.take(FEED_ID);
        assertEquals(queued - 1, texts.stream().mapToInt((packet) -> packet.split("=").length - 1).sum());
        for (int i = 0; i < sent.size(); i++)
        {
            assertEquals(i, FeedPacket.number(sent.get(i), 0));
        }
        state(room, 78);
        egress.send(false);
        assertEquals(
            List.of("#" + (sent.size() + 1) + " 10: 7/" + room.number + "=78"), packets.take(FEED_ID), "one for both");
        assertEquals(2, counter("states dropped"));
    }

    @Test
    void shouldGoOnWithoutReceivers()
    {
        enter(feed, 0, 1, 2);
        packets.results.add(Publication.NOT_CONNECTED);
        state(room, 1);
        egress.send(false);
        assertFalse(egress.isWaiting());
        state(room, 2);
        egress.send(false);
        assertEquals(List.of("#1 10: 7/2=2"), packets.take(FEED_ID), "a receiver notices");
        assertEquals(0, counter("states dropped"));
    }

    @Test
    void shouldRetryAnAdminActionTwice()
    {
        enter(feed, 0, 1, 2);
        packets.results.addAll(List.of(Publication.ADMIN_ACTION, Publication.ADMIN_ACTION));
        state(room, 1);
        egress.send(false);
        assertEquals(List.of("#0 10: 7/1=1"), packets.take(FEED_ID));
        packets.results.addAll(
            List.of(Publication.ADMIN_ACTION, Publication.ADMIN_ACTION, Publication.ADMIN_ACTION));
        state(room, 2);
        egress.send(false);
        assertEquals(6, packets.offers);
        assertTrue(egress.isWaiting());
        egress.send(false);
        assertEquals(List.of("#1 10: 7/2=2"), packets.take(FEED_ID));
    }

    @ParameterizedTest
    @ValueSource(longs = {Publication.CLOSED, Publication.MAX_POSITION_EXCEEDED})
    void shouldDropTheStatesOfAClosedPublication(final long error)
    {
        enter(feed, 0, 1, 2);
        packets.result = error;
        for (int i = 0; i < 3; i++)
        {
            state(room, i);
            egress.send(false);
            after(PATIENCE_NS + 1);
        }
        assertEquals(3, counter("states dropped"));
    }

    @Test
    void shouldHoldLessThanAPacketOnlyWhileLoaded()
    {
        enter(feed, 0, 1, 2);
        state(room, 1);
        egress.send(true);
        assertEquals(0, packets.offers);
        nowNs += LoopContext.HOLD_NS;
        egress.turnTime(nowNs);
        egress.send(true);
        assertEquals(1, packets.offers);
        for (int i = 0; i < 14; i++)
        {
            state(room, i);
        }
        egress.send(true);
        assertEquals(3, packets.offers, "more than a packet does not wait");
    }

    @Test
    void shouldShowThatAFeedIsAliveWhenNothingIsSent()
    {
        assertEquals(Long.MAX_VALUE, egress.aliveDueNs());
        enter(feed, 0, 1, 2);
        assertEquals(nowNs + ALIVE_NS, egress.aliveDueNs());
        assertEquals(0, egress.showAlive(nowNs + ALIVE_NS - 1));
        nowNs += ALIVE_NS;
        assertEquals(1, egress.showAlive(nowNs));
        assertEquals(List.of("#0 0:"), packets.take(FEED_ID));
        nowNs += ALIVE_NS / 2;
        egress.turnTime(nowNs);
        state(room, 1);
        egress.send(false);
        assertEquals(nowNs + ALIVE_NS, egress.aliveDueNs(), "a state shows it too");
        assertEquals(List.of("#1 10: 7/1=1"), packets.take(FEED_ID));
        packets.results.add(Publication.BACK_PRESSURED);
        nowNs += ALIVE_NS;
        egress.showAlive(nowNs);
        nowNs += ALIVE_NS;
        egress.showAlive(nowNs);
        assertEquals(List.of("#2 10:"), packets.take(FEED_ID), "a number only for what was sent");
        leave(0);
        leave(1);
        leave(2);
        assertEquals(Long.MAX_VALUE, egress.aliveDueNs());
        assertEquals(0, egress.showAlive(nowNs + 2 * ALIVE_NS));
    }

    @Test
    void shouldShowThatEachFeedIsAliveByItself()
    {
        enter(feed, 0);
        nowNs += ALIVE_NS / 2;
        egress.turnTime(nowNs);
        enter(shared, 1);
        nowNs += ALIVE_NS / 2;
        assertEquals(1, egress.showAlive(nowNs));
        assertEquals(1, packets.offers);
        assertEquals(0, sharedPackets.offers);
        assertEquals(nowNs + ALIVE_NS / 2, egress.aliveDueNs());
    }

    @Test
    void shouldShowNothingWhilePacketsAreHeld()
    {
        final CommandQueue edgeInbox =
            CommandQueue.multiProducer(16, CommandQueue.INBOX_SLOT_LENGTH, new BusySpinWaitStrategy());
        final LoopOutputs outputs = new LoopOutputs(
            context(new EngineCounters()).edgeInbox(edgeInbox).inboxes(edgeInbox));
        outputs.turnTime(nowNs, false);
        outputs.attach(new LinkAttachment(0, new MemoryPublication(), new LinkQueues()));
        outputs.tryChangeFeed(new LinkFeed.Change(0, feed));
        final boolean[] isHeld = {true};
        outputs.packetsHeld(() -> isHeld[0]);
        assertEquals(0, outputs.showAlive(nowNs + ALIVE_NS));
        assertEquals(0, packets.offers);
        isHeld[0] = false;
        assertEquals(1, outputs.showAlive(nowNs + ALIVE_NS));
        assertEquals(1, packets.offers);
        outputs.toLinks(new TestRoom(true, 0), ROOM, Outputs.STATE, Outputs.ALL, 0, payload, 0, Long.BYTES);
        outputs.flush();
        assertEquals(2, packets.offers);
    }

    @Test
    void shouldAskForStatesOnceWhenALinkLeaves()
    {
        enter(feed, 0, 1);
        assertEquals(2, counter("trunks that receive its feed"));
        leave(0);
        leave(0);
        assertEquals(List.of(0), statesLost);
        assertEquals(1, counter("trunks that receive its feed"));
        state(room, 1);
        egress.send(false);
        assertEquals(List.of("begin 10 #0", "state 1"), received(0));
        assertEquals(List.of("begin 10 #0"), received(1));
        egress.detach(1);
        assertEquals(List.of(0), statesLost, "a link that is detached gets none");
        assertEquals(0, counter("trunks that receive its feed"));
        egress.tryChangeFeed(new LinkFeed.Change(1, feed));
        egress.tryChangeFeed(new LinkFeed.Change(1, null));
        assertEquals(List.of(0), statesLost);
        assertEquals(0, counter("trunks that receive its feed"));
    }

    @Test
    void shouldCountALinkThatChangesItsFeedOnce()
    {
        enter(feed, 0);
        enter(shared, 0);
        enter(shared, 0);
        assertEquals(1, counter("trunks that receive its feed"));
        state(room, 1);
        egress.send(false);
        assertEquals(0, packets.offers);
        assertEquals(List.of("#0 12: 7/1=1"), sharedPackets.take(SHARED_ID));
        assertEquals(List.of(), statesLost);
    }

    @Test
    void shouldForgetTheQueueWithItsLastReceiver()
    {
        enter(feed, 0, 1);
        packets.result = Publication.BACK_PRESSURED;
        state(room, 1);
        egress.send(false);
        leave(0);
        assertTrue(egress.isWaiting());
        leave(1);
        for (int i = 0; i < 3; i++)
        {
            egress.send(false);
        }
        assertFalse(egress.isWaiting());
        packets.result = 1;
        enter(feed, 0);
        state(room, 2);
        egress.send(false);
        assertEquals(List.of("#0 11: 7/2=2"), packets.take(FEED_ID));
    }

    /** The old states are gone: less may be queued now. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldDropNoMoreThanIsQueuedAfterItsLastReceiverHasReturned(final boolean isOther)
    {
        enter(feed, 0, 1, 2);
        packets.result = Publication.BACK_PRESSURED;
        for (int i = 0; i < 100; i++)
        {
            state(room, i);
        }
        egress.send(false);
        leave(0);
        leave(1);
        leave(2);
        enter(isOther ? new LinkFeed(FEED_ID, false, packets) : feed, 0, 1, 2);
        nowNs += 2 * PATIENCE_NS;
        egress.turnTime(nowNs);
        state(room, 1);
        state(room, 2);
        egress.send(false);
        assertEquals(0, counter("states dropped"));
        packets.result = 1;
        egress.send(false);
        assertEquals(List.of("#0 11: 7/101=1 7/102=2"), packets.take(FEED_ID));
        assertFalse(egress.isWaiting());
    }

    @Test
    void shouldNumberTheStatesOfARoomForBothFeeds()
    {
        enter(feed, 0);
        enter(shared, 1);
        state(room, 1);
        state(new TestRoom(true, 1), 2);
        state(room, 3);
        assertEquals(3 + 2, egress.waiting(), "three trunks of which two begin a turn, and two feeds");
        egress.send(false);
        assertEquals(List.of("#0 11: 7/1=1 7/2=3"), packets.take(FEED_ID));
        assertEquals(List.of("#0 11: 7/1=1 7/1=2 7/2=3"), sharedPackets.take(SHARED_ID));
        assertEquals(2, received(2).size());
    }

    @Test
    void shouldBeginTheNextFeedAnew()
    {
        enter(feed, 0);
        state(room, 1);
        egress.send(false);
        packets.take(FEED_ID);
        egress.detach(0);
        egress.attach(new LinkAttachment(0, new MemoryPublication(), new LinkQueues()));
        final PacketPublication next = new PacketPublication();
        enter(new LinkFeed(SHARED_ID, false, next), 0);
        state(room, 2);
        egress.send(false);
        assertEquals(List.of("#0 11: 7/2=2"), next.take(SHARED_ID));
        assertEquals(List.of(), packets.take(FEED_ID));
    }

    @Test
    void shouldAllocateNothing()
    {
        enter(feed, 0, 1);
        enter(shared, 2);
        packets.isRecording = false;
        sharedPackets.isRecording = false;
        assertEquals(0, Allocations.least(50, () ->
        {
            for (int i = 0; i < 100; i++)
            {
                turn++;
                nowNs += ALIVE_NS / 10;
                egress.turnTime(nowNs);
                for (int j = 0; j < 30; j++)
                {
                    state(room, j);
                }
                egress.send(false);
                egress.showAlive(nowNs + ALIVE_NS);
            }
        }));
        assertTrue(packets.offers > 300);
    }

    /** Between two turns. */
    private void enter(final LinkFeed entered, final int... links)
    {
        for (final int link : links)
        {
            egress.tryChangeFeed(new LinkFeed.Change(link, entered));
        }
        turn++;
    }

    private void leave(final int link)
    {
        egress.tryChangeFeed(new LinkFeed.Change(link, null));
    }

    private void state(final TestRoom of, final long content)
    {
        state(ROOM, of, content);
    }

    private void state(final long roomId, final TestRoom of, final long content)
    {
        payload.putLong(0, content);
        egress.toLinks(of, roomId, Outputs.STATE, Outputs.ALL, 0, payload, 0, Long.BYTES);
    }

    private void event(final int link, final long content)
    {
        payload.putLong(0, content);
        egress.message(link, ROOM, Outputs.EVENT, Outputs.ALL, 0, payload, 0, Long.BYTES);
    }

    /** Until an event of 8 bytes fits after what is queued, and no number of a turn. */
    private void fillEvents(final int queued)
    {
        final int length = 500;
        int left = QUEUE_LENGTH - queued - RoomMessage.MIN_HEADER_LENGTH - Long.BYTES;
        for (; left > 2 * length; left -= length)
        {
            fill(length);
        }
        fill(left);
    }

    private void fill(final int length)
    {
        egress.message(
            0, ROOM, Outputs.EVENT, Outputs.ALL, 0, payload, 0, length - RoomMessage.MIN_HEADER_LENGTH);
    }

    private static UnsafeBuffer joined()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[64]);
        return new UnsafeBuffer(buffer, 0, new TrunkEncoder()
            .joined(buffer, 0, 1, ROOM, 2, 0, 0, 1, false, buffer, 0, 0));
    }

    private void after(final long ns)
    {
        nowNs += ns;
        egress.turnTime(nowNs);
        egress.send(false);
    }

    /** The messages to the trunk since the last call. */
    private List<String> received(final int link)
    {
        final List<String> received = publications[link].messages.stream().map((bytes) ->
            PacketPublication.entry(new UnsafeBuffer(bytes), 0, bytes.length, 0)).toList();
        publications[link].messages.clear();
        return received;
    }

    private long counter(final String name)
    {
        return engineCounters.value("escapement loop 0: " + name);
    }
}
