package io.escapement.engine.internal.loop;

import com.lmax.disruptor.BusySpinWaitStrategy;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.RequestDecoder;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.engine.internal.durable.ReplicaLog;
import io.escapement.engine.internal.monitor.EngineCounters;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.ControlSignal;
import io.escapement.engine.internal.queue.EngineClock;
import io.escapement.engine.spi.ReplicatedLog;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.RoomLogic;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.loop.LoopLimits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Nodes that keep a log in memory. The test decides who leads and what is committed, and steps each node's loop by
 * hand. Turns that a leader has proposed and the test has not committed are gone when another term begins.
 */
final class MemoryGroup
{
    static final int TYPE = 1;
    static final int LINK = 3;
    static final long FIRST = 1;
    static final long SECOND = 2;

    static final long REPLAY_BUDGET_NS = TimeUnit.SECONDS.toNanos(1);
    static final long SNAPSHOT_INTERVAL_NS = TimeUnit.HOURS.toNanos(1);
    private static final long EPOCH_MS = 1_700_000_000_000L;
    private static final int SLOTS = 512;
    private static final long ASK_TIMEOUT_NS = TimeUnit.HOURS.toNanos(1);

    /** A message that was committed in a term, or the begin of that. */
    private record Entry(byte[] message, int term, int leader)
    {
    }

    final List<Node> nodes = new ArrayList<>();
    /** A proposal of the only node is committed when it is proposed. */
    boolean isCommittedAtOnce;
    private final RoomEncoder commands = new RoomEncoder();
    private final UnsafeBuffer command = new UnsafeBuffer(new byte[CommandQueue.INBOX_SLOT_LENGTH]);
    private final UnsafeBuffer value = new UnsafeBuffer(new byte[64]);
    private final List<Entry> log = new ArrayList<>();
    private final List<byte[]> underWay = new ArrayList<>();
    private final EngineClock clock = new EngineClock(this::nowNs);
    private long nowNs = 1;
    private int term;
    private int leader = ReplicatedLog.NO_LEADER;

    MemoryGroup(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            nodes.add(new Node(i, OrderedRoom::new, null, 0));
        }
    }

    Node node(final int member)
    {
        return nodes.get(member);
    }

    /** Replace a node by one whose rooms have another logic, or that begins with a snapshot at its place in the log. */
    Node replace(final int member, final Function<List<String>, RoomLogic> logic, final DirectBuffer snapshot)
    {
        final int at = null == snapshot ? 0 : nodes.get(member).at;
        nodes.set(member, new Node(member, logic, snapshot, at));
        return nodes.get(member);
    }

    /** Begin a term, with nothing of what is under way. */
    void elect(final int member)
    {
        term++;
        if (ReplicatedLog.NO_LEADER != leader && leader != member)
        {
            node(leader).replica.change(ReplicaLog.Event.FOLLOWING, ReplicatedLog.NO_LEADER);
        }
        leader = member;
        underWay.clear();
        log.add(new Entry(null, term, member));
    }

    /** Commit the oldest messages that are under way. */
    void commit(final int count)
    {
        for (int i = 0; i < count && !underWay.isEmpty(); i++)
        {
            log.add(new Entry(underWay.remove(0), term, leader));
        }
    }

    /** Lose the oldest message that is under way, as a session of the leader might. */
    byte[] lose()
    {
        return underWay.remove(0);
    }

    /** Commit a message that was under way earlier. */
    void commitLate(final byte[] message)
    {
        log.add(new Entry(message, term, leader));
    }

    int underWay()
    {
        return underWay.size();
    }

    /** Pass on what is committed and step every node, until nobody proposes any more. */
    void settle()
    {
        for (int i = 0; i < 20 || !underWay.isEmpty(); i++)
        {
            nowNs += TurnProposer.GATHER_NS;
            commit(Integer.MAX_VALUE);
            stepAll();
            assertTrue(i < 10_000, "the group does not settle");
        }
    }

    void stepAll()
    {
        nodes.forEach(Node::step);
    }

    long nowNs()
    {
        return nowNs;
    }

    void advance(final long ns)
    {
        nowNs += ns;
    }

    /** A node, its queues, and its place in the log. */
    final class Node
    {
        final CommandQueue ring =
            CommandQueue.singleProducer(SLOTS, CommandQueue.RING_SLOT_LENGTH, new BusySpinWaitStrategy());
        final CommandQueue inbox =
            CommandQueue.multiProducer(SLOTS, CommandQueue.INBOX_SLOT_LENGTH, new BusySpinWaitStrategy());
        final CommandQueue edgeInbox =
            CommandQueue.multiProducer(SLOTS, CommandQueue.INBOX_SLOT_LENGTH, new BusySpinWaitStrategy());
        final CommandQueue worker =
            CommandQueue.multiProducer(SLOTS, CommandQueue.INBOX_SLOT_LENGTH, new BusySpinWaitStrategy());
        final List<String> events = new ArrayList<>();
        final List<String> ends = new ArrayList<>();
        final List<Throwable> errors = new ArrayList<>();
        final EngineCounters counters = new EngineCounters();
        final ReplicaLog replica = new ReplicaLog(() -> { });
        final ApplicationQuestions questions = new ApplicationQuestions();
        final LoopAgent agent;
        final int member;
        int snapshotRequests;
        long commitTimeoutNs = Long.MAX_VALUE;
        LoopLeadership leadership;
        private int at;

        Node(
            final int member,
            final Function<List<String>, RoomLogic> logic,
            final DirectBuffer snapshot,
            final int at)
        {
            this.member = member;
            this.at = at;
            replica.proposer(new MemoryProposer(member));
            final LoopContext context = new LoopContext()
                .loop(0)
                .ring(ring)
                .inboxes(inbox)
                .edgeInbox(edgeInbox)
                .workersByServiceIdMap(Map.of(OrderedRoom.SERVICE, new CommandQueue[]{worker}))
                .trunks(new TrunkServerContext().limit(LINK + 1))
                .questions(questions)
                .counters(new LoopCounters(0, counters, Map.of()))
                .host(new HostContext().loopState(new LoopLimits(0, 1, 512, 64 * 1_024)).linkLimit(LINK + 1)
                    .roomType(RoomType.of(TYPE, "ordered", 1, () -> logic.apply(events)).timers(4).requests(512)
                        .questions(8)))
                .clock(clock)
                .errorHandler(errors::add);
            agent = LoopAgent.logged(context, snapshot, new LoopGroup(replica, member,
                new SnapshotRequests(
                    () -> snapshotRequests++, REPLAY_BUDGET_NS, SNAPSHOT_INTERVAL_NS, context.counters()),
                () -> EPOCH_MS));
        }

        /** Pass on what is committed, and run a duty cycle. */
        void step()
        {
            for (; at < log.size(); at++)
            {
                final Entry entry = log.get(at);
                if (null != entry.message)
                {
                    replica.commit(entry.term, new UnsafeBuffer(entry.message), 0, entry.message.length);
                }
                else if (entry.leader == member && entry.term == term)
                {
                    replica.change(ReplicaLog.Event.LEADING, entry.term);
                }
                else
                {
                    replica.change(ReplicaLog.Event.FOLLOWING, entry.leader);
                }
            }
            cycle();
        }

        /** Run a duty cycle. */
        void cycle()
        {
            nowNs += 1_000;
            agent.doWork();
        }

        void openRooms()
        {
            for (final long roomId : new long[]{FIRST, SECOND})
            {
                offer(ControlSignal.COMMAND, commands.openRoom(command, 0, roomId, 0, 0, 0, TYPE, value, 0, 0));
            }
        }

        void order(final long roomId, final long action, final long argument)
        {
            value.putLong(0, action);
            value.putLong(8, argument);
            offer(ControlSignal.COMMAND, commands.signal(command, 0, roomId, 0, 0, value, 0, 16));
        }

        /** A question of the program, whose end is noted. */
        void ask(final long roomId, final long question)
        {
            final long id = questions.nextId();
            assertEquals(0, questions.add(id, (status, answer) -> ends.add(question + " ended with " + status)));
            value.putLong(0, question);
            offer(ControlSignal.COMMAND, commands.ask(command, 0, roomId, 0, id, ASK_TIMEOUT_NS, value, 0, 8));
        }

        void attach(final LinkAttachment link)
        {
            final int length = commands.linkUp(command, 0, 77, LINK);
            assertTrue(inbox.offer(ControlSignal.ATTACH, link, command, 0, length), "the queue is full");
        }

        void detach()
        {
            offer(ControlSignal.DETACH, commands.linkDown(command, 0, LINK));
        }

        /** Signals that the edge was sent. */
        List<ControlSignal> edgeSignals()
        {
            final List<ControlSignal> signals = new ArrayList<>();
            while (!edgeInbox.isEmpty())
            {
                edgeInbox.poll((slot, sequence, isEndOfBatch) ->
                {
                    if (slot.takeAttachment() instanceof LoopLeadership change)
                    {
                        leadership = change;
                    }
                    return signals.add(slot.signal());
                });
            }
            return signals;
        }

        /** Correlation ids of the requests that a service was sent. */
        List<Long> requests()
        {
            final List<Long> correlationIds = new ArrayList<>();
            worker.poll((slot, sequence, isEndOfBatch) ->
            {
                correlationIds.add(new RequestDecoder().wrapAndApplyHeader(
                    worker.block(), slot.offset, new MessageHeaderDecoder()).correlationId());
                return true;
            });
            return correlationIds;
        }

        private void offer(final ControlSignal signal, final int length)
        {
            assertTrue(inbox.offer(signal, null, command, 0, length), "the queue is full");
        }
    }

    private final class MemoryProposer implements ReplicatedLog.Proposer
    {
        private final int member;
        private boolean isOpen;

        MemoryProposer(final int member)
        {
            this.member = member;
        }

        @Override
        public int maxLength()
        {
            return 64 * 1_024;
        }

        @Override
        public void open()
        {
            isOpen = true;
        }

        @Override
        public void close()
        {
            isOpen = false;
        }

        @Override
        public long commitTimeoutNs()
        {
            return nodes.get(member).commitTimeoutNs;
        }

        @Override
        public int work(final long nowNs)
        {
            return 0;
        }

        @Override
        public long propose(final DirectBuffer buffer, final int offset, final int length)
        {
            if (!isOpen)
            {
                return ReplicatedLog.BACK_PRESSURED;
            }
            if (isCommittedAtOnce)
            {
                node(member).replica.commit(term, buffer, offset, length);
            }
            else if (member == leader)
            {
                final byte[] message = new byte[length];
                buffer.getBytes(offset, message);
                underWay.add(message);
            }
            // One that was deposed and has not noticed yet proposes into the void.
            return 0;
        }
    }
}
