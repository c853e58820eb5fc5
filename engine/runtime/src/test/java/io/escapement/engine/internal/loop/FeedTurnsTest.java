package io.escapement.engine.internal.loop;

import com.lmax.disruptor.BusySpinWaitStrategy;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.codecs.trunk.FeedPacket;
import io.escapement.engine.internal.monitor.EngineCounters;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.ControlSignal;
import io.escapement.engine.internal.queue.EngineClock;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.host.HostContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A loop without a thread, one trunk on its feed, and another that enters: no state comes twice or not at all. */
class FeedTurnsTest
{
    private static final int TYPE = 1;
    private static final int SLOTS = 64;
    private static final long ROOM = 1;
    private static final int RECEIVER = 0;
    private static final int ENTERING = 1;
    private static final int FEED_ID = 77;

    private final RoomEncoder commands = new RoomEncoder();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[CommandQueue.INBOX_SLOT_LENGTH]);
    private final UnsafeBuffer value = new UnsafeBuffer(new byte[Long.BYTES]);
    private final CommandQueue ring =
        CommandQueue.singleProducer(SLOTS, CommandQueue.INBOX_SLOT_LENGTH, new BusySpinWaitStrategy());
    private final CommandQueue inbox =
        CommandQueue.multiProducer(SLOTS, CommandQueue.INBOX_SLOT_LENGTH, new BusySpinWaitStrategy());
    private final CommandQueue edgeInbox =
        CommandQueue.multiProducer(SLOTS, CommandQueue.INBOX_SLOT_LENGTH, new BusySpinWaitStrategy());
    private final List<Throwable> errors = new ArrayList<>();
    private final MemoryPublication[] trunks = {new MemoryPublication(), new MemoryPublication()};
    private final PacketPublication packets = new PacketPublication();
    private final LinkFeed feed = new LinkFeed(FEED_ID, false, packets);
    private long nowNs = 1;
    private long sent;
    private final LoopAgent agent = new LoopAgent(new LoopContext()
        .ring(ring)
        .inboxes(inbox)
        .edgeInbox(edgeInbox)
        .trunks(new TrunkServerContext().limit(trunks.length))
        .counters(new LoopCounters(0, new EngineCounters(), Map.of()))
        .host(new HostContext().roomType(RoomType.of(TYPE, "counting", 1, Counting::new).seats(8).freeze())
            .linkLimit(trunks.length))
        .clock(new EngineClock(() -> nowNs))
        .errorHandler(errors::add));

    @BeforeEach
    void join()
    {
        offer(ControlSignal.COMMAND, null, commands.openRoom(command, 0, ROOM, 0, 0, 0, TYPE, value, 0, 0));
        for (int link = 0; link < trunks.length; link++)
        {
            offer(ControlSignal.ATTACH, new LinkAttachment(link, trunks[link], new LinkQueues()),
                commands.linkUp(command, 0, 1 + link, link));
            offer(ControlSignal.COMMAND, null, commands.join(command, 0, ROOM, 5 + link, 1, link, new byte[0]));
        }
        step();
        change(RECEIVER, feed);
        step();
        step();
        trunks[ENTERING].messages.clear();
        packets.packets.clear();
    }

    /** A turn may have begun when the trunk enters, or not, and its rooms may have sent states before. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void shouldSendEachStateOnOneStream(final int before)
    {
        send();
        step();
        for (int i = 0; i < 5; i++)
        {
            if (i == before)
            {
                change(ENTERING, feed);
            }
            send();
            // A room is flushed before a seat is taken.
            offer(ControlSignal.COMMAND, null, commands.join(command, 0, ROOM, 20 + i, 1, RECEIVER, new byte[0]));
        }
        if (5 == before)
        {
            change(ENTERING, feed);
        }
        step();
        send();
        // A busy loop holds less than a packet back.
        step();
        step();
        final List<String> trunk = received();
        final long firstTurn = trunk.stream().filter((text) -> text.startsWith("begin "))
            .mapToLong((text) -> Long.parseLong(text.split(" ")[1])).findFirst().orElseThrow();
        final List<Long> states = new ArrayList<>();
        trunk.stream().filter((text) -> text.startsWith("state "))
            .forEach((text) -> states.add(Long.valueOf(text.substring("state ".length()))));
        final int onTrunk = states.size();
        packets.packets.forEach((packet) -> states.addAll(contents(packet, firstTurn)));
        final List<Long> expected = new ArrayList<>();
        for (long i = 1; i <= sent; i++)
        {
            expected.add(i);
        }
        assertEquals(expected, states);
        assertTrue(onTrunk >= 1 && onTrunk < sent);
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldHaveWorkUntilATrunkHasEntered()
    {
        change(ENTERING, feed);
        nowNs += 1_000;
        assertTrue(agent.doWork() > 0, "the loop does not park");
        step();
        assertEquals(1, received().size());
    }

    @Test
    void shouldIgnoreAChangeOfATrunkThatHasGone()
    {
        change(ENTERING, feed);
        offer(ControlSignal.DETACH, null, commands.linkDown(command, 0, ENTERING));
        step();
        change(ENTERING, null);
        step();
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldAskRoomsForWholeStatesWhenATrunkLeaves()
    {
        change(RECEIVER, null);
        step();
        step();
        step();
        assertEquals(List.of("state -1"), List.of(received(RECEIVER).get(received(RECEIVER).size() - 1)));
        send();
        step();
        assertEquals("state 1", received(RECEIVER).get(received(RECEIVER).size() - 1));
        assertEquals(List.of(), packets.packets);
    }

    @Test
    void shouldShowThatTheFeedIsAliveWithoutTurns()
    {
        while (packets.packets.isEmpty())
        {
            nowNs = Math.max(nowNs + 1, agent.deadlineNs());
            agent.doWork();
        }
        assertEquals(FeedPacket.HEADER_LENGTH, packets.packets.get(0).capacity());
        assertTrue(nowNs < 200_000_000, "by the loop's deadline");
    }

    private void change(final int link, final LinkFeed to)
    {
        offer(ControlSignal.FEED, new LinkFeed.Change(link, to), 0);
    }

    /** Have the room send its next state. */
    private void send()
    {
        value.putLong(0, ++sent);
        offer(ControlSignal.COMMAND, null, commands.signal(command, 0, ROOM, 0, 0, value, 0, Long.BYTES));
    }

    private void step()
    {
        nowNs += 1_000_000;
        agent.doWork();
    }

    private void offer(final ControlSignal type, final Object attachment, final int length)
    {
        assertTrue(inbox.offer(type, attachment, command, 0, length), "the queue is full");
    }

    private List<String> received()
    {
        return received(ENTERING);
    }

    private List<String> received(final int link)
    {
        return trunks[link].messages.stream().map((bytes) ->
            PacketPublication.entry(new UnsafeBuffer(bytes), 0, bytes.length, 0)).toList();
    }

    /** Of the states from a turn on. */
    private static List<Long> contents(final UnsafeBuffer packet, final long firstTurn)
    {
        final List<Long> contents = new ArrayList<>();
        long turn = FeedPacket.turn(packet, 0);
        boolean isTurn = false;
        for (final String word : PacketPublication.text(packet, FEED_ID).split(" "))
        {
            turn = isTurn ? Long.parseLong(word) : turn;
            isTurn = "turn".equals(word);
            if (word.contains("=") && turn >= firstTurn)
            {
                contents.add(Long.valueOf(word.substring(word.indexOf('=') + 1)));
            }
        }
        return contents;
    }

    /** Sends the content of each signal to all seats, and -1 to a seat that has lost states. */
    private static final class Counting implements RoomLogic
    {
        private final UnsafeBuffer whole = new UnsafeBuffer(new byte[Long.BYTES]);
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            throw new AssertionError("no messages");
        }

        @Override
        public void onSignal(final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
        {
            room.sendState(room.everyone(), buffer, offset, length);
        }

        @Override
        public void onStateLost(final Seat seat)
        {
            whole.putLong(0, -1);
            room.sendState(seat, whole, 0, whole.capacity());
        }
    }
}
