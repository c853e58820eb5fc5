package io.escapement.simulator;

import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.ProposalDecoder;
import io.escapement.engine.spi.ReplicatedLog;
import io.escapement.rooms.log.ProposalReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A log of several nodes in memory. A seed decides the open points of a real log: when a proposal is committed, how far
 * each node lags, and whether a proposal of a deposed leader is lost, committed with its term, or arrives late.
 */
final class Group
{
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int MAX_LENGTH = 64 * 1_024;
    /** Enough for the loop to write a snapshot, so that every run of a seed takes as many. */
    private static final int SNAPSHOT_CYCLES = 8;
    /** Committed messages that a loop runs per cycle. */
    private static final int MESSAGES_A_CYCLE = 32;
    /** Committed messages that may be committed once more. */
    private static final int REMEMBERED = 32;

    /** A message that was committed in a term, the start of a term, or, without either, a snapshot. */
    private record Entry(byte[] message, int term, int leader)
    {
        boolean isSnapshot()
        {
            return null == message && 0 == term;
        }
    }

    private record Proposal(byte[] message, long dueNs)
    {
    }

    private final SplittableRandom random;
    private final SimulatedClock clock;
    private final int loops;
    private final List<String> violations;
    private final List<Entry> log = new ArrayList<>();
    private final ArrayDeque<Proposal> underWay = new ArrayDeque<>();
    private final ArrayDeque<Proposal> late = new ArrayDeque<>();
    private final List<Member> members = new ArrayList<>();
    private byte[][] snapshot;
    private int snapshotAt;
    private int term;
    private int leader = ReplicatedLog.NO_LEADER;
    private boolean isCalm = true;
    private boolean isSnapshotDue;
    private int stale;
    private int snapshots;

    Group(
        final SplittableRandom random,
        final SimulatedClock clock,
        final int count,
        final int loops,
        final List<String> violations)
    {
        this.random = random;
        this.clock = clock;
        this.loops = loops;
        this.violations = violations;
        for (int i = 0; i < count; i++)
        {
            members.add(new Member(i));
        }
    }

    Member member(final int number)
    {
        return members.get(number);
    }

    int leader()
    {
        return leader;
    }

    int term()
    {
        return term;
    }

    /** Proposals of deposed leaders, and repetitions, that were committed. */
    int stale()
    {
        return stale;
    }

    int snapshots()
    {
        return snapshots;
    }

    /** Commit a message without a proposal. */
    void append(final byte[] message)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(message);
        final boolean isTurn = ProposalReader.isProposal(buffer, 0, message.length);
        log.add(new Entry(message, isTurn ? new ProposalDecoder().wrapAndApplyHeader(
            buffer, 0, new MessageHeaderDecoder()).incarnation() : term, leader));
    }

    /** Have all nodes take a snapshot here. */
    void appendSnapshot()
    {
        log.add(new Entry(null, 0, 0));
    }

    /** The newest snapshot of a loop. */
    DirectBuffer snapshot(final int loop)
    {
        return new UnsafeBuffer(snapshot[loop]);
    }

    /** Without faults, or with them. */
    void calm(final boolean value)
    {
        isCalm = value;
    }

    /** Start a term. Messages in flight from the last term are committed before it, late, or never. */
    void elect(final int member)
    {
        for (int i = random.nextInt(underWay.size() + 1); i > 0; i--)
        {
            commit(underWay.poll().message);
        }
        if (random.nextBoolean())
        {
            late.addAll(underWay);
        }
        underWay.clear();
        term++;
        leader = member;
        log.add(new Entry(null, term, member));
    }

    /** The leader is deposed without a successor. Its proposals stay in flight. */
    void depose(final int member)
    {
        if (member == leader)
        {
            leader = ReplicatedLog.NO_LEADER;
        }
    }

    /** Commit the due messages. */
    void step()
    {
        final long nowNs = clock.nanoTime();
        while (!underWay.isEmpty() && underWay.peek().dueNs <= nowNs && ReplicatedLog.NO_LEADER != leader)
        {
            commit(underWay.poll().message);
        }
        if (!late.isEmpty() && 0 == random.nextInt(8))
        {
            stale++;
            commit(late.poll().message);
        }
        if (!isCalm && !log.isEmpty() && 0 == random.nextInt(64))
        {
            repeat();
        }
        if (isSnapshotDue && ReplicatedLog.NO_LEADER != leader)
        {
            isSnapshotDue = false;
            appendSnapshot();
        }
    }

    private void commit(final byte[] message)
    {
        log.add(new Entry(message, term, leader));
    }

    private void repeat()
    {
        final Entry entry = log.get(log.size() - 1 - random.nextInt(Math.min(log.size(), REMEMBERED)));
        if (null != entry.message)
        {
            stale++;
            commit(entry.message);
        }
    }

    /** A snapshot of the same place is the same on every node. */
    private void keep(final int at, final byte[][] taken)
    {
        if (at > snapshotAt)
        {
            snapshots++;
            snapshotAt = at;
            snapshot = taken;
        }
        else if (at == snapshotAt && !Arrays.deepEquals(snapshot, taken))
        {
            violations.add("a snapshot at " + at + " differs between nodes");
        }
    }

    /** The part of one node. It rejoins after each start of the node. */
    final class Member implements ReplicatedLog, ReplicatedLog.Node
    {
        private final int number;
        private final boolean[] isOpen = new boolean[loops];
        private Receiver receiver;
        private int at;
        private byte[][] begin;

        Member(final int number)
        {
            this.number = number;
        }

        /** Whether everything that is committed was passed on. */
        @Override
        public boolean isCurrent()
        {
            return at == log.size();
        }

        /** Pass on some of the committed messages. */
        void step(final Runnable engine, final BooleanSupplier isAlive)
        {
            while (at < log.size() && (isCalm || 0 != random.nextInt(6)))
            {
                final Entry entry = log.get(at++);
                if (null != entry.message)
                {
                    receiver.onCommitted(entry.term, new UnsafeBuffer(entry.message), 0, entry.message.length);
                }
                else if (entry.isSnapshot())
                {
                    takeSnapshot(engine, isAlive);
                }
                else if (entry.leader == number && entry.term == term && leader == number)
                {
                    receiver.onLeading(entry.term);
                }
                else
                {
                    receiver.onFollowing(entry.leader);
                }
            }
        }

        private void takeSnapshot(final Runnable engine, final BooleanSupplier isAlive)
        {
            final byte[][] taken = new byte[loops][];
            // The log's thread waits for the loops, which this thread runs.
            final Thread thread = new Thread(() -> receiver.onSnapshot((loop, buffer, offset, length) ->
            {
                taken[loop] = new byte[length];
                buffer.getBytes(offset, taken[loop]);
            }));
            thread.start();
            // Until it waits for the loops, or has exited. It may be blocked where classes are loaded.
            while (Thread.State.RUNNABLE == thread.getState() || Thread.State.BLOCKED == thread.getState())
            {
                Thread.onSpinWait();
            }
            // Always as many, even if that thread has exited before. The loops may need to run the log until here.
            for (int cycle = SNAPSHOT_CYCLES + at / MESSAGES_A_CYCLE; cycle > 0; cycle--)
            {
                engine.run();
            }
            if (hasEnded(thread, isAlive))
            {
                keep(at, taken);
            }
        }

        /** A loop that failed with a fault takes no snapshot. */
        private boolean hasEnded(final Thread thread, final BooleanSupplier isAlive)
        {
            try
            {
                while (thread.isAlive())
                {
                    if (!isAlive.getAsBoolean())
                    {
                        thread.interrupt();
                        return false;
                    }
                    thread.join(10);
                }
                return true;
            }
            catch (final InterruptedException ex)
            {
                throw new IllegalStateException(ex);
            }
        }

        @Override
        public ReplicatedLog.Node join(final int count, final Receiver joined)
        {
            receiver = joined;
            Arrays.fill(isOpen, false);
            final boolean isFromSnapshot = null != snapshot && random.nextBoolean();
            begin = isFromSnapshot ? snapshot : new byte[loops][];
            at = isFromSnapshot ? snapshotAt : 0;
            return this;
        }

        @Override
        public int memberId()
        {
            return number;
        }

        @Override
        public long realm()
        {
            return 7;
        }

        @Override
        public DirectBuffer snapshot(final int loop)
        {
            return null == begin[loop] ? null : new UnsafeBuffer(begin[loop]);
        }

        @Override
        public ReplicatedLog.Proposer proposer(final int loop)
        {
            return new MemberProposer(this, loop);
        }

        @Override
        public void requestSnapshot()
        {
            isSnapshotDue |= number == leader;
        }

        @Override
        public void announce(final int typeId, final int version)
        {
            // All nodes have the same types.
        }

        @Override
        public List<Integer> membersWithout(final int typeId, final int version)
        {
            return List.of();
        }

        @Override
        public void close()
        {
            Arrays.fill(isOpen, false);
        }
    }

    private final class MemberProposer implements ReplicatedLog.Proposer
    {
        private final Member member;
        private final int loop;
        private int openTerm;

        MemberProposer(final Member member, final int loop)
        {
            this.member = member;
            this.loop = loop;
        }

        @Override
        public int maxLength()
        {
            return MAX_LENGTH;
        }

        @Override
        public void open()
        {
            member.isOpen[loop] = true;
            openTerm = term;
        }

        @Override
        public void close()
        {
            member.isOpen[loop] = false;
        }

        @Override
        public int work(final long nowNs)
        {
            return 0;
        }

        @Override
        public long propose(final DirectBuffer buffer, final int offset, final int length)
        {
            if (!member.isOpen[loop] || !isCalm && 0 == random.nextInt(32))
            {
                return ReplicatedLog.BACK_PRESSURED;
            }
            final byte[] message = new byte[length];
            buffer.getBytes(offset, message);
            if (member.number == leader && openTerm == term)
            {
                final long lastNs = underWay.isEmpty() ? 0 : underWay.peekLast().dueNs;
                underWay.add(new Proposal(message, Math.max(lastNs, clock.nanoTime() + random.nextLong(4 * MS))));
            }
            else if (random.nextBoolean())
            {
                // One that was deposed and has not noticed yet.
                late.add(new Proposal(message, 0));
            }
            return 0;
        }
    }
}
