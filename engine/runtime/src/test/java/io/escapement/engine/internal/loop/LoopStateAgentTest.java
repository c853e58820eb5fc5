package io.escapement.engine.internal.loop;

import com.lmax.disruptor.BusySpinWaitStrategy;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.OpenRoomDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.room.RequestDecoder;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.engine.internal.monitor.EngineCounters;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.ControlSignal;
import io.escapement.engine.internal.queue.EngineClock;
import io.escapement.rooms.Room;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.Seat;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.loop.LoopLimits;
import io.escapement.rooms.loop.LoopState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two loops whose hosts keep the state of their loop, stepped by hand. */
class LoopStateAgentTest
{
    private static final int TYPE = 1;
    private static final int SERVICE = 4;
    private static final int OTHER_SERVICE = 5;
    private static final int SLOTS = 8;
    private static final long ROOM_0 = 1;
    private static final long NEIGHBOUR_0 = 2;
    private static final long ROOM_1 = 1L << 54 | 1;
    private static final int REQUEST = -1;
    private static final int REQUEST_NOBODY = -2;
    private static final int OPEN = -3;
    private static final int REQUEST_OTHER = -4;

    private final RoomEncoder commands = new RoomEncoder();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[CommandQueue.INBOX_SLOT_LENGTH]);
    private final UnsafeBuffer value = new UnsafeBuffer(new byte[16]);
    private final CommandQueue[] inboxes = {queue(SLOTS), queue(SLOTS)};
    private final CommandQueue edgeInbox = queue(64);
    private final CommandQueue worker = queue(2);
    private final CommandQueue otherWorker = queue(8);
    private final List<String> events = new ArrayList<>();
    private final List<Throwable> errors = new ArrayList<>();
    private final EngineCounters engineCounters = new EngineCounters();
    private final LoopCounters[] counters =
        {new LoopCounters(0, engineCounters, Map.of()), new LoopCounters(1, engineCounters, Map.of())};
    private long nowNs = 1;
    private final LoopAgent[] agents = {agent(0), agent(1)};

    @BeforeEach
    void openRooms()
    {
        for (final long roomId : new long[]{ROOM_0, NEIGHBOUR_0, ROOM_1})
        {
            offer((int)(roomId >>> 54), ControlSignal.COMMAND,
                commands.openRoom(command, 0, roomId, 0, 0, 0, TYPE, value, 0, 0));
        }
        step(0);
        step(1);
        edgeInbox.poll((slot, sequence, isEndOfBatch) -> true);
    }

    @Test
    void shouldRunACommandForARoomOfTheSameLoopInTheNextTurn()
    {
        order(ROOM_0, NEIGHBOUR_0, 5);
        step(0);
        assertEquals(List.of(), events);
        assertEquals(1, agents[0].leftovers());
        step(0);
        assertEquals(List.of(NEIGHBOUR_0 + " got 5"), events);
        assertEquals(0, agents[0].leftovers());
    }

    @Test
    void shouldKeepMessagesThatTheOtherLoopHasNoRoomFor()
    {
        while (inboxes[1].offer(ControlSignal.PADDING, null, value, 0, 0))
        {
            // Until the inbox is full.
        }
        order(ROOM_0, ROOM_1, 1);
        step(0);
        order(ROOM_0, ROOM_1, 2);
        step(0);
        step(0);
        assertEquals(2, state(0).untaken(1));
        assertEquals(1, agents[0].leftovers());
        inboxes[1].poll((slot, sequence, isEndOfBatch) -> true);
        settle();
        assertEquals(List.of(ROOM_1 + " got 1", ROOM_1 + " got 2"), events);
        assertEquals(0, state(0).untaken(1), "the other loop has confirmed both");
        assertEquals(0, agents[0].leftovers() + agents[1].leftovers());
        assertEquals(List.of(), errors);
    }

    /** The first send is under way, or was run and its confirmation lost; the message runs once. */
    @Test
    void shouldRunAMessageOnceThatIsSentAgain()
    {
        order(ROOM_0, ROOM_1, 1);
        step(0);
        step(0);
        resume(0, 1);
        settle();
        assertEquals(List.of(ROOM_1 + " got 1"), events);
        order(ROOM_0, ROOM_1, 2);
        step(0);
        step(0);
        step(1);
        assertEquals(1, state(0).untaken(1));
        resume(0, 2);
        resume(1, 2);
        settle();
        assertEquals(List.of(ROOM_1 + " got 1", ROOM_1 + " got 2"), events);
        assertEquals(0, state(0).untaken(1));
    }

    @Test
    void shouldSendRequestsAsFarAsTheWorkerTakesThem()
    {
        for (int i = 0; i < 3; i++)
        {
            order(ROOM_0, REQUEST, 7);
        }
        step(0);
        step(0);
        assertEquals(3, state(0).openRequests());
        assertEquals(List.of(1L, 2L), requests(worker));
        step(0);
        assertEquals(List.of(3L), requests(worker));
        reply(1);
        reply(2);
        reply(3);
        step(0);
        assertEquals(0, state(0).openRequests());
        assertEquals(0, agents[0].leftovers());
        assertEquals(List.of(
            ROOM_0 + " answered 1 with 0", ROOM_0 + " answered 2 with 0", ROOM_0 + " answered 3 with 0"), events);
    }

    /** A drain waits for what the counter has, and must not end before the request is sent. */
    @Test
    void shouldCountARequestThatIsNotSent()
    {
        for (int i = 0; i < 3; i++)
        {
            order(ROOM_0, REQUEST, 7);
        }
        step(0);
        assertEquals(3, counters[0].requests());
        assertEquals(List.of(1L, 2L), requests(worker));
        step(0);
        assertEquals(List.of(3L), requests(worker));
        reply(1);
        reply(2);
        reply(3);
        step(0);
        assertEquals(0, counters[0].requests());
    }

    /** Two loops of one thread need no duty cycle between a signal and its callback. */
    @Test
    void shouldSendWhatRoomsOfATurnHaveSent()
    {
        order(ROOM_0, ROOM_1, 1);
        step(0);
        step(1);
        assertEquals(List.of(ROOM_1 + " got 1"), events);
    }

    @Test
    void shouldSendRequestsPastAServiceThatTakesNone()
    {
        for (int i = 0; i < 4; i++)
        {
            order(ROOM_0, REQUEST, 7);
        }
        order(ROOM_0, REQUEST_OTHER, 7);
        step(0);
        step(0);
        assertEquals(List.of(5L), requests(otherWorker));
        assertEquals(List.of(1L, 2L), requests(worker));
        for (int i = 1; i <= 5; i++)
        {
            step(0);
            reply(i);
        }
        assertEquals(List.of(3L, 4L), requests(worker));
    }

    /** Half of the inbox is for replies: no more requests are under way, whatever an incarnation sends again. */
    @Test
    void shouldReserveASlotOfTheInboxForEachReply()
    {
        for (int i = 0; i < 2; i++)
        {
            order(ROOM_0, REQUEST, 7);
        }
        step(0);
        step(0);
        assertEquals(List.of(1L, 2L), requests(worker));
        resume(0, 1);
        step(0);
        assertEquals(List.of(1L, 2L), requests(worker));
        resume(0, 2);
        step(0);
        assertEquals(List.of(), requests(worker), "four slots are reserved");
        reply(1);
        step(0);
        step(0);
        assertEquals(List.of(2L), requests(worker));
    }

    @Test
    void shouldRefuseARequestToAnUnknownService()
    {
        order(ROOM_0, REQUEST_NOBODY, 7);
        settle();
        assertEquals(List.of(ROOM_0 + " answered 1 with " + RefusalCode.UNKNOWN_SERVICE.value()), events);
        assertEquals(0, state(0).openRequests());
    }

    @Test
    void shouldSendARequestForARoomToTheEdgeOnce()
    {
        order(ROOM_0, OPEN, 0);
        settle();
        final List<Long> openers = new ArrayList<>();
        edgeInbox.poll((slot, sequence, isEndOfBatch) ->
        {
            final MessageHeaderDecoder header = new MessageHeaderDecoder();
            if (OpenRoomDecoder.TEMPLATE_ID == header.wrap(edgeInbox.block(), slot.offset).templateId())
            {
                openers.add(new OpenRoomDecoder().wrapAndApplyHeader(
                    edgeInbox.block(), slot.offset, header).openerRoomId());
            }
            return true;
        });
        assertEquals(List.of(ROOM_0), openers);
        assertEquals(1, state(0).openRequests());
        offer(0, ControlSignal.COMMAND, commands.openRoom(command, 0, 3, 0, ROOM_0, 1, TYPE, value, 0, 0));
        settle();
        assertEquals(0, state(0).openRequests());
        assertEquals(List.of(ROOM_0 + " answered 1 with 0"), events);
    }

    private LoopAgent agent(final int loop)
    {
        return new LoopAgent(new LoopContext()
            .loop(loop)
            .ring(CommandQueue.singleProducer(SLOTS, CommandQueue.RING_SLOT_LENGTH, new BusySpinWaitStrategy()))
            .inboxes(inboxes)
            .edgeInbox(edgeInbox)
            .workersByServiceIdMap(Map.of(
                SERVICE, new CommandQueue[]{worker}, OTHER_SERVICE, new CommandQueue[]{otherWorker}))
            .counters(counters[loop])
            .host(new HostContext().loopState(new LoopLimits(loop, 2, 16, LoopLimits.MIN_QUEUE_LENGTH))
                .roomType(RoomType.of(TYPE, "noting", 1, Noting::new)))
            .clock(new EngineClock(() -> nowNs))
            .errorHandler(errors::add));
    }

    private static CommandQueue queue(final int slots)
    {
        return CommandQueue.multiProducer(slots, CommandQueue.INBOX_SLOT_LENGTH, new BusySpinWaitStrategy());
    }

    private LoopState state(final int loop)
    {
        return agents[loop].host().loopState();
    }

    private void step(final int loop)
    {
        nowNs += 1_000;
        agents[loop].doWork();
    }

    private void settle()
    {
        for (int i = 0; i < 10; i++)
        {
            step(0);
            step(1);
        }
    }

    /** Have a room signal another, or request something. */
    private void order(final long roomId, final long to, final int content)
    {
        value.putLong(0, to);
        value.putLong(8, content);
        offer((int)(roomId >>> 54), ControlSignal.COMMAND,
            commands.signal(command, 0, roomId, 0, 0, value, 0, 16));
    }

    private void resume(final int loop, final int incarnation)
    {
        offer(loop, ControlSignal.COMMAND, commands.hostResumed(command, 0, 0, incarnation, 0));
        step(loop);
    }

    private void reply(final long correlationId)
    {
        offer(0, ControlSignal.REPLY, commands.reply(command, 0, ROOM_0, correlationId, 0, value, 0, 0));
    }

    private List<Long> requests(final CommandQueue queue)
    {
        final List<Long> correlationIds = new ArrayList<>();
        queue.poll((slot, sequence, isEndOfBatch) ->
        {
            correlationIds.add(new RequestDecoder().wrapAndApplyHeader(
                queue.block(), slot.offset, new MessageHeaderDecoder()).correlationId());
            return true;
        });
        return correlationIds;
    }

    private void offer(final int loop, final ControlSignal type, final int length)
    {
        assertTrue(inboxes[loop].offer(type, null, command, 0, length), "the queue is full");
    }

    private final class Noting implements RoomLogic
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
        public void onSignal(final long from, final DirectBuffer buffer, final int offset, final int length)
        {
            if (0 != from)
            {
                events.add(room.roomId() + " got " + buffer.getLong(offset));
                return;
            }
            final long to = buffer.getLong(offset);
            if (REQUEST == to)
            {
                room.async(SERVICE, 1, buffer, offset, 8);
            }
            else if (REQUEST_OTHER == to)
            {
                room.async(OTHER_SERVICE, 1, buffer, offset, 8);
            }
            else if (REQUEST_NOBODY == to)
            {
                room.async(99, 1, buffer, offset, 8);
            }
            else if (OPEN == to)
            {
                room.openRoom(TYPE, buffer, offset, 8);
            }
            else
            {
                room.signal(to, buffer, offset + 8, 8);
            }
        }

        @Override
        public void onReply(
            final long correlationId, final int status, final DirectBuffer buffer, final int offset, final int length)
        {
            events.add(room.roomId() + " answered " + correlationId + " with " + status);
        }
    }
}
