package io.escapement.engine.internal.loop;

import com.lmax.disruptor.BusySpinWaitStrategy;
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
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.loop.LoopLimits;
import io.escapement.rooms.output.NoOutputs;
import io.escapement.rooms.replay.ProposalRunner;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * One stream of commands with its turn times, through a loop without a log, through one with a log, and through a
 * replay of that log: rooms see the same, and the same leaves.
 */
class TurnSourcesTest
{
    private static final int TYPE = 1;
    private static final int SERVICE = 4;
    private static final int LINK = 0;
    private static final int SLOTS = 1_024;
    private static final int SEATS = 4;
    private static final int STEPS = 600;
    private static final long STEP_NS = 4_000_000;
    private static final long[] ROOMS = {1, 2};
    private static final long OTHER_LOOP = 1L << 54 | 1;
    private static final LoopLimits LIMITS = new LoopLimits(0, 2, 64, 1024 * 1024);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldBeOneTurnFromEachSource(final long seed)
    {
        final FakeLog log = FakeLog.recorded();
        final Run inPlace = new Run(seed, null);
        final Run logged = new Run(seed, log);
        for (int i = 0; i < STEPS; i++)
        {
            inPlace.step();
            logged.step();
            assertEquals(inPlace.calls, logged.calls, "step " + i);
            assertEquals(inPlace.agent.host().outputHash(), logged.agent.host().outputHash(), "step " + i);
        }
        assertEquals(inPlace.left(), logged.left());
        assertTrue(inPlace.calls.size() > 10 * STEPS, "enough has run");
        assertTrue(inPlace.cutByDeadline > 0, "a deadline has cut a turn");
        assertTrue(inPlace.cutBySpace > 0, "the space of a turn has cut one");

        final List<String> calls = new ArrayList<>();
        final ProposalRunner replay = new ProposalRunner(host(calls).outputs(NoOutputs.NONE));
        for (final byte[] message : log.messages)
        {
            assertTrue(replay.run(new UnsafeBuffer(message), 0, message.length));
        }
        assertEquals(logged.calls, calls);
        assertEquals(logged.agent.host().outputHash(), replay.host().outputHash());
        assertEquals(logged.agent.host().stateHash(), replay.host().stateHash());
    }

    private static HostContext host(final List<String> calls)
    {
        return new HostContext().loopState(LIMITS).linkLimit(LINK + 1).hashOutput()
            .roomType(RoomType.of(TYPE, "twin", SEATS, () -> new Twin(calls)).timers(64).requests(1_024));
    }

    /** A loop that gets the commands of a seed. */
    private static final class Run
    {
        final List<String> calls = new ArrayList<>();
        final LoopAgent agent;
        int cutByDeadline;
        int cutBySpace;
        private final SplittableRandom random;
        private final RoomEncoder commands = new RoomEncoder();
        private final UnsafeBuffer command = new UnsafeBuffer(new byte[CommandQueue.INBOX_SLOT_LENGTH]);
        private final UnsafeBuffer value = new UnsafeBuffer(new byte[Room.MAX_MESSAGE_LENGTH]);
        private final CommandQueue ring =
            CommandQueue.singleProducer(SLOTS, CommandQueue.RING_SLOT_LENGTH, new BusySpinWaitStrategy());
        private final CommandQueue inbox = queue();
        private final CommandQueue otherInbox = queue();
        private final CommandQueue edgeInbox = queue();
        private final CommandQueue worker = queue();
        private final MemoryPublication publication = new MemoryPublication();
        private final List<Throwable> errors = new ArrayList<>();
        private final List<String> left = new ArrayList<>();
        private final long[] sequences = new long[ROOMS.length * SEATS];
        private long nowNs;
        /** A jump of the clock in the middle of a turn, after its time was read. */
        private long jumpNs;
        private int reads;

        Run(final long seed, final FakeLog log)
        {
            random = new SplittableRandom(seed);
            final LoopContext context = new LoopContext()
                .ring(ring)
                .inboxes(inbox, otherInbox)
                .edgeInbox(edgeInbox)
                .workersByServiceIdMap(Map.of(SERVICE, new CommandQueue[]{worker}))
                .trunks(new TrunkServerContext().limit(LINK + 1))
                .counters(new LoopCounters(0, new EngineCounters(), Map.of()))
                .host(host(calls))
                .clock(new EngineClock(this::readClock))
                .errorHandler(errors::add);
            agent = null == log ? new LoopAgent(context) : LoopAgent.logged(context, null, null);
            if (null != log)
            {
                agent.committed().lead(log, 1, 0);
                assertTrue(agent.committed().pollLead());
            }
            // A loop with a log announces its rooms, of which there are none.
            cycle();
            open();
        }

        private long readClock()
        {
            return reads++ > 0 ? nowNs + jumpNs : nowNs;
        }

        private void open()
        {
            for (final long roomId : ROOMS)
            {
                inbox(ControlSignal.COMMAND, null, commands.openRoom(command, 0, roomId, 0, 0, 0, TYPE, value, 0, 0));
            }
            final LinkAttachment link = new LinkAttachment(LINK, publication, new LinkQueues(), true);
            inbox(ControlSignal.ATTACH, link, commands.linkUp(command, 0, 100, LINK));
            for (int i = 0; i < sequences.length; i++)
            {
                ring(commands.join(command, 0, ROOMS[i / SEATS], 1 + i % SEATS, 1, LINK, value, 0, 0));
            }
            cycle();
        }

        void step()
        {
            final int dice = random.nextInt(100);
            if (dice < 60)
            {
                messages(random.nextInt(8));
            }
            else if (dice < 70)
            {
                messages(200);
            }
            order(random.nextInt(Twin.ORDERS), random.nextInt(Twin.FEW));
            if (dice >= 95)
            {
                // More than a quarter of a proposal.
                order(Twin.SIGNALS, Twin.BURST);
                order(Twin.SIGNALS, Twin.BURST);
            }
            nowNs += random.nextLong(STEP_NS);
            jumpNs = 0 == random.nextInt(4) ? STEP_NS * 20 : 0;
            cycle();
            nowNs += jumpNs;
        }

        private void cycle()
        {
            reads = 0;
            final long waiting = ring.size();
            final int before = calls.size();
            agent.doWork();
            assertNull(agent.fault());
            assertEquals(List.of(), errors);
            cutByDeadline += 0 != ring.size() && waiting - ring.size() <= 32 ? 1 : 0;
            final long heard =
                calls.subList(before, calls.size()).stream().filter((call) -> call.contains("! ")).count();
            cutBySpace += heard > 2 * Twin.FEW && heard < 2 * Twin.BURST ? 1 : 0;
            drain("service", worker);
            drain("loop", otherInbox);
            drain("edge", edgeInbox);
        }

        /** All that has left. */
        List<String> left()
        {
            // Less than a packet may have been held back.
            nowNs += LoopContext.HOLD_NS;
            cycle();
            publication.messages.forEach((message) -> left.add("link " + Arrays.hashCode(message)));
            return left;
        }

        private void drain(final String name, final CommandQueue queue)
        {
            queue.poll((slot, sequence, isEndOfBatch) ->
            {
                // Only a log has an edge open, and attaches a link when its command runs.
                if (ControlSignal.ATTACHED != slot.signal() && ControlSignal.LEADING != slot.signal())
                {
                    final byte[] bytes = new byte[slot.length()];
                    queue.block().getBytes(slot.offset, bytes);
                    left.add(name + " " + slot.signal() + " " + Arrays.hashCode(bytes));
                }
                return true;
            });
        }

        private void messages(final int count)
        {
            for (int i = 0; i < count; i++)
            {
                final int seat = random.nextInt(sequences.length);
                value.putLong(0, random.nextLong());
                ring(commands.message(command, 0, ROOMS[seat / SEATS], ++sequences[seat], seat % SEATS, 1, LINK,
                    value, 0, 8 + random.nextInt(32)));
            }
        }

        private void order(final int order, final long argument)
        {
            value.putLong(0, order);
            value.putLong(8, argument);
            inbox(ControlSignal.COMMAND, null, commands.signal(
                command, 0, ROOMS[random.nextInt(ROOMS.length)], 0, 0, value, 0, 16));
        }

        private void ring(final int length)
        {
            assertTrue(ring.offer(ControlSignal.COMMAND, null, command, 0, length));
        }

        private void inbox(final ControlSignal signal, final Object attachment, final int length)
        {
            assertTrue(inbox.offer(signal, attachment, command, 0, length));
        }

        private static CommandQueue queue()
        {
            return CommandQueue.multiProducer(SLOTS, CommandQueue.INBOX_SLOT_LENGTH, new BusySpinWaitStrategy());
        }
    }

    /** Notes each callback with its time, and uses each way out. */
    private static final class Twin implements RoomLogic
    {
        static final int TIMER = 0;
        static final int REQUEST = 1;
        static final int FAR_SIGNAL = 2;
        static final int LABEL = 3;
        static final int SIGNALS = 4;
        static final int ORDERS = 5;
        static final int FEW = 64;
        static final int BURST = 400;

        private final List<String> calls;
        private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[512]);
        private Room room;

        Twin(final List<String> calls)
        {
            this.calls = calls;
        }

        private void note(final String call)
        {
            calls.add(room.roomId() + "@" + room.nowNs() + " " + call);
        }

        @Override
        public void onOpen(final Room opened, final DirectBuffer args, final int offset, final int length)
        {
            room = opened;
            room.frameRate(20);
            note("open at " + room.epochMs());
        }

        @Override
        public void onJoin(final Seat seat)
        {
            note("join " + seat.index());
        }

        @Override
        public void onMessage(final Seat from, final DirectBuffer buffer, final int offset, final int length)
        {
            note(from.index() + " says " + buffer.getLong(offset));
            room.sendEvent(room.everyone(), buffer, offset, length);
        }

        @Override
        public void onFrame(final long frame, final long elapsedNs)
        {
            note("frame " + frame + " " + elapsedNs);
            bytes.putLong(0, frame);
            room.sendState(room.everyone(), bytes, 0, 16);
        }

        @Override
        public void onTimer(final long handle, final int kind, final long tag)
        {
            note("timer " + tag);
        }

        @Override
        public void onSignal(final long from, final DirectBuffer buffer, final int offset, final int length)
        {
            final long argument = buffer.getLong(offset + 8);
            if (0 != from)
            {
                note(from + "! " + argument);
                return;
            }
            final int order = (int)buffer.getLong(offset);
            note("order " + order + " " + argument);
            switch (order)
            {
                case TIMER -> room.after(argument * 1_000_000, 1, argument);
                case REQUEST -> room.async(SERVICE, argument, buffer, offset, 16);
                case FAR_SIGNAL -> room.signal(OTHER_LOOP, buffer, offset, 16);
                case LABEL -> room.label(1, buffer, offset + 8, 8);
                default -> signals((int)argument);
            }
        }

        private void signals(final int count)
        {
            for (int i = 0; i < count; i++)
            {
                bytes.putLong(8, i);
                room.signal(3 - room.roomId(), bytes, 0, count > FEW ? bytes.capacity() : 16);
            }
        }

        @Override
        public void onSnapshot(final StateWriter writer)
        {
            writer.putLong(calls.size());
        }

        @Override
        public void onRestore(final Room restored, final int version, final StateReader reader)
        {
            throw new AssertionError("nothing is restored");
        }
    }
}
