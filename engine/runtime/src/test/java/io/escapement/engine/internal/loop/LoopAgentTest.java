package io.escapement.engine.internal.loop;

import com.lmax.disruptor.BusySpinWaitStrategy;
import com.sun.management.ThreadMXBean;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.codecs.room.DirectoryEntryDecoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RoomEncoder;
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
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A loop without a thread: a test clock, queues in memory, and duty cycles run by hand. */
class LoopAgentTest
{
    private static final int TYPE = 1;
    private static final int SLOTS = 1_024;
    private static final int EDGE_SLOTS = 16;
    private static final int LINK = 2;
    private static final long FIRST = 1;
    private static final long SECOND = 2;
    private static final int THROW = -1;
    private static final int LABEL = -2;
    private static final int TO_ROOM_0 = -3;
    private static final int SUBSCRIBE = -4;
    private static final int LABELS_A_TURN = 8;
    private static final int OUTBOX_LENGTH = 2_048;
    private static final int MANY = 200;

    private final RoomEncoder commands = new RoomEncoder();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[CommandQueue.INBOX_SLOT_LENGTH]);
    private final UnsafeBuffer value = new UnsafeBuffer(new byte[Integer.BYTES]);
    private final CommandQueue ring =
        CommandQueue.singleProducer(SLOTS, CommandQueue.INBOX_SLOT_LENGTH, new BusySpinWaitStrategy());
    private final CommandQueue inbox =
        CommandQueue.multiProducer(SLOTS, CommandQueue.INBOX_SLOT_LENGTH, new BusySpinWaitStrategy());
    private final CommandQueue edgeInbox =
        CommandQueue.multiProducer(EDGE_SLOTS, CommandQueue.INBOX_SLOT_LENGTH, new BusySpinWaitStrategy());
    private final LinkQueues queues = new LinkQueues();
    private final List<Integer> received = new ArrayList<>();
    private final List<Throwable> errors = new ArrayList<>();
    private final EngineCounters engineCounters = new EngineCounters();
    private final LoopCounters counters = new LoopCounters(0, engineCounters, Map.of());
    private long nowNs = 1;
    private final LoopAgent agent = new LoopAgent(new LoopContext()
        .ring(ring)
        .inboxes(inbox)
        .edgeInbox(edgeInbox)
        .trunks(new TrunkServerContext().limit(LINK + 1))
        .outboxLength(OUTBOX_LENGTH)
        .counters(counters)
        .host(new HostContext().roomType(RoomType.of(TYPE, "recording", 1, Recording::new).freeze())
            .linkLimit(LINK + 1))
        .clock(new EngineClock(() -> nowNs))
        .errorHandler(errors::add));

    @BeforeEach
    void openRooms()
    {
        for (final long roomId : new long[]{FIRST, SECOND})
        {
            offer(inbox, ControlSignal.COMMAND,
                commands.openRoom(command, 0, roomId, 0, 0, 0, TYPE, value, 0, 0));
        }
        step();
        assertEquals(2, agent.host().openRooms());
        edgeSignals();
    }

    @Test
    void shouldRunTheInboxBeforeTheRing()
    {
        signal(ring, FIRST, 2);
        signal(inbox, FIRST, 1);
        step();
        assertEquals(List.of(1, 2), received);
    }

    @Test
    void shouldRefuseASignalToRoom0WhichIsTheProgram()
    {
        signal(inbox, FIRST, TO_ROOM_0);
        step();
        step();
        step();
        assertEquals(List.of(RefusalCode.UNKNOWN_ROOM.value()), received);
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldBoundTheCommandsOfATurn()
    {
        for (final CommandQueue queue : List.of(inbox, ring))
        {
            received.clear();
            IntStream.range(0, LoopContext.BATCH_LIMIT + 5).forEach((i) -> signal(queue, FIRST, i));
            step();
            assertEquals(LoopContext.BATCH_LIMIT, received.size());
            step();
            assertEquals(IntStream.range(0, LoopContext.BATCH_LIMIT + 5).boxed().toList(), received);
        }
    }

    @Test
    void shouldAnswerEachAttachAndDetachOnce()
    {
        attach();
        step();
        assertEquals(List.of(ControlSignal.ATTACHED), edgeSignals());
        detach();
        step();
        assertEquals(List.of(ControlSignal.DETACHED), edgeSignals());
        detach();
        step();
        assertEquals(List.of(), edgeSignals(), "the link is not attached");
        attach();
        detach();
        attach();
        step();
        assertEquals(
            List.of(ControlSignal.ATTACHED, ControlSignal.DETACHED, ControlSignal.ATTACHED), edgeSignals());
    }

    @Test
    void shouldKeepSignalsToAFullEdgeInOrder()
    {
        while (edgeInbox.offer(ControlSignal.PADDING, null, value, 0, 0))
        {
            // Until the inbox is full.
        }
        attach();
        detach();
        step();
        assertEquals(1, agent.leftovers(), "one destination has queued messages");
        edgeSignals();
        step();
        assertEquals(List.of(ControlSignal.ATTACHED, ControlSignal.DETACHED), edgeSignals());
        assertEquals(0, agent.leftovers());
    }

    @Test
    void shouldAnswerAttachAndDetachWhileRoomsFillTheOutbox()
    {
        while (edgeInbox.offer(ControlSignal.PADDING, null, value, 0, 0))
        {
            // Until the inbox is full.
        }
        for (int i = 0; i < 10 * OUTBOX_LENGTH / Integer.BYTES; i += LABELS_A_TURN)
        {
            for (int j = 0; j < LABELS_A_TURN; j++)
            {
                signal(inbox, FIRST, LABEL);
            }
            step();
        }
        attach();
        step();
        detach();
        step();
        final List<ControlSignal> signals = new ArrayList<>();
        while (0 != agent.leftovers())
        {
            signals.addAll(edgeSignals());
            step();
        }
        signals.addAll(edgeSignals());
        assertEquals(List.of(ControlSignal.ATTACHED, ControlSignal.DETACHED), signals);
    }

    /** The room subscribes while the outbox to the edge is full. */
    @Test
    void shouldSubscribeAgainWhenTheSubscriptionWasDropped()
    {
        while (edgeInbox.offer(ControlSignal.PADDING, null, value, 0, 0))
        {
            // Until the inbox is full.
        }
        for (int i = 0; i < 2 * OUTBOX_LENGTH / Integer.BYTES; i += LABELS_A_TURN)
        {
            for (int j = 0; j < LABELS_A_TURN; j++)
            {
                signal(inbox, FIRST, LABEL);
            }
            step();
        }
        signal(inbox, SECOND, SUBSCRIBE);
        step();
        final List<Long> subscribed = new ArrayList<>();
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        final DirectoryEntryDecoder entry = new DirectoryEntryDecoder();
        for (int i = 0; i < 1_000; i++)
        {
            edgeInbox.poll((slot, sequence, isEndOfBatch) ->
            {
                final boolean isEntry = slot.isCommand() && DirectoryEntryDecoder.TEMPLATE_ID ==
                    header.wrap(edgeInbox.block(), slot.offset).templateId();
                if (isEntry && DirectoryChange.RESET ==
                    entry.wrapAndApplyHeader(edgeInbox.block(), slot.offset, header).change())
                {
                    subscribed.add(entry.roomId());
                }
                return true;
            });
            nowNs += 1_000_000;
            step();
        }
        assertEquals(List.of(SECOND), subscribed);
        assertEquals(0, agent.leftovers());
    }

    /** Many more rooms open and close than the outbox has room for, while the edge takes nothing. */
    @Test
    void shouldAnnounceAllRoomsHoweverFewFitTheOutbox()
    {
        while (edgeInbox.offer(ControlSignal.PADDING, null, value, 0, 0))
        {
            // Until the inbox is full.
        }
        for (long roomId = SECOND + 1; roomId <= MANY; roomId++)
        {
            offer(inbox, ControlSignal.COMMAND,
                commands.openRoom(command, 0, roomId, 0, 0, 0, TYPE, value, 0, 0));
            step();
        }
        for (long roomId = FIRST; roomId <= MANY; roomId += 2)
        {
            offer(inbox, ControlSignal.COMMAND, commands.closeRoom(command, 0, roomId));
            step();
        }
        final Set<Long> listed = new TreeSet<>(List.of(FIRST, SECOND));
        int turns = 0;
        while (agent.doWork() > 0 || 0 != agent.leftovers() || !edgeInbox.isEmpty())
        {
            listRooms(listed);
            nowNs += 1_000;
            assertTrue(++turns < 10 * MANY, "the directory is sent again and again");
        }
        assertEquals(new TreeSet<>(Arrays.stream(agent.host().openRoomIds()).boxed().toList()), listed);
        assertTrue(agent.deadlineNs() > nowNs, "nothing is left to do");
    }

    private void listRooms(final Set<Long> listed)
    {
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        final DirectoryEntryDecoder entry = new DirectoryEntryDecoder();
        edgeInbox.poll((slot, sequence, isEndOfBatch) ->
        {
            if (slot.isCommand())
            {
                entry.wrapAndApplyHeader(edgeInbox.block(), slot.offset, header);
                switch (entry.change())
                {
                    case OPENED -> listed.add(entry.subjectRoomId());
                    case CLOSED -> listed.remove(entry.subjectRoomId());
                    default ->
                    {
                        // The occupancy and labels of a room.
                    }
                }
            }
            return true;
        });
    }

    @Test
    void shouldNotAllocateWhenALinkIsAttached()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int run = 0; run < 5; run++)
        {
            long bytes = 0;
            for (int i = 0; i < 200; i++)
            {
                attach();
                bytes -= threads.getCurrentThreadAllocatedBytes();
                step();
                bytes += threads.getCurrentThreadAllocatedBytes();
                detach();
                step();
                assertEquals(2, edgeSignals().size());
            }
            least = Math.min(least, bytes);
        }
        assertEquals(0, least);
    }

    @Test
    void shouldCloseAllRooms()
    {
        offer(inbox, ControlSignal.CLOSE_ROOMS, 0);
        step();
        assertEquals(2, agent.host().openRooms(), "rooms close in the next turn");
        step();
        step();
        assertEquals(0, agent.host().openRooms());
    }

    @Test
    void shouldPublishThatItDrains()
    {
        assertFalse(counters.isDraining());
        offer(inbox, ControlSignal.DRAIN_ROOMS, commands.drain(command, 0, Long.MAX_VALUE));
        step();
        assertTrue(counters.isDraining());
    }

    @Test
    void shouldCloseOnlyTheRoomThatThrows()
    {
        signal(ring, FIRST, THROW);
        signal(ring, SECOND, 7);
        step();
        assertEquals(List.of(7), received);
        assertEquals(1, agent.host().openRooms());
        assertEquals(List.of(RoomFailure.class), errors.stream().map(Object::getClass).toList());
        assertEquals(-1, agent.turnSinceNs(), "the turn ended");
    }

    @Test
    void shouldDoNothingBeforeItsDeadline()
    {
        assertTrue(agent.deadlineNs() > nowNs);
        assertEquals(0, agent.doWork(), "nothing is due");
    }

    private void step()
    {
        nowNs += 1_000;
        agent.doWork();
    }

    private void attach()
    {
        final int length = commands.linkUp(command, 0, 1, LINK);
        final LinkAttachment attachment = new LinkAttachment(LINK, null, queues);
        assertTrue(inbox.offer(ControlSignal.ATTACH, attachment, command, 0, length));
    }

    private void detach()
    {
        offer(inbox, ControlSignal.DETACH, commands.linkDown(command, 0, LINK));
    }

    private void signal(final CommandQueue queue, final long roomId, final int content)
    {
        value.putInt(0, content);
        offer(queue, ControlSignal.COMMAND,
            commands.signal(command, 0, roomId, 0, 0, value, 0, Integer.BYTES));
    }

    private void offer(final CommandQueue queue, final ControlSignal type, final int length)
    {
        assertTrue(queue.offer(type, null, command, 0, length), "the queue is full");
    }

    private List<ControlSignal> edgeSignals()
    {
        final List<ControlSignal> signals = new ArrayList<>();
        edgeInbox.poll((slot, sequence, isEndOfBatch) ->
        {
            if (!slot.isCommand() && ControlSignal.PADDING != slot.signal())
            {
                signals.add(slot.signal());
            }
            return true;
        });
        return signals;
    }

    private final class Recording implements RoomLogic
    {
        private Room room;

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            throw new AssertionError("no seats");
        }

        @Override
        public void onSignal(final long fromRoomId, final DirectBuffer buffer, final int offset, final int length)
        {
            final int content = buffer.getInt(offset);
            if (THROW == content)
            {
                throw new IllegalStateException("on purpose");
            }
            if (LABEL == content)
            {
                room.label(1, buffer, offset, length);
                return;
            }
            if (TO_ROOM_0 == content)
            {
                room.signal(0, buffer, offset, length);
                return;
            }
            if (SUBSCRIBE == content)
            {
                room.subscribeToDirectory();
                return;
            }
            received.add(content);
        }

        @Override
        public void onReply(
            final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
        {
            received.add(status);
        }
    }
}
