package io.escapement.engine.internal.loop;

import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.internal.durable.CommitLog;
import io.escapement.engine.internal.durable.LogSnapshots;
import io.escapement.engine.internal.durable.ProposalHandler;
import io.escapement.engine.internal.durable.ReplicaLog;
import io.escapement.engine.internal.queue.EngineClock;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.LogSource;
import io.escapement.rooms.log.ProposalReader;
import io.escapement.rooms.log.ProposalWriter;
import io.escapement.rooms.replay.ProposalRunner;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.DirectBuffer;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Turns that are proposed to a log and run once the log has committed them. The output is therefore never ahead of the
 * log.
 *
 * <pre>
 *   follows   runs the turns of the log, without output
 *   begins    proposes HostResumed: links are down, requests without an answer are resent
 *   leads     a cycle: run what was committed; gather returns, inbox, ring; propose; run what was committed
 * </pre>
 *
 * <p>A loop of a journal runs all turns of its log, and then leads until it stops. A loop of a group starts and follows
 * in the order of the group's log. When it no longer leads, it forgets its proposals: they may be committed or not.
 *
 * <p>At RECORDED a turn is committed when it is proposed, and runs in the same cycle. At SYNCED it takes a sync. While
 * proposals are under way, commands gather in the ring. If the log has no room, they wait there, then in Aeron. If the
 * log fails, the loop fails. The loop of a group's leader also fails if a proposal of its term is missing in the log.
 * All nodes skip the proposals after the missing proposal. The leader's node leaves and the others elect.
 */
public final class CommittedTurns implements Turns
{
    /** A loop with turns under way polls the log this often when it parks. */
    static final long POLL_NS = TimeUnit.MICROSECONDS.toNanos(350);
    /** An empty turn did not move the deadline: the wheel's tick is not over. */
    private static final long DEADLINE_RETRY_NS = TimeUnit.MICROSECONDS.toNanos(100);
    /** Committed proposals that a duty cycle runs: a node that catches up must still be seen to move. */
    private static final int BATCH = 32;
    private static final int FAILURE_LONGS = 3;
    private static final int NOT_LEADING = TrunkCode.NOT_LEADING.value();

    /** A link that is attached or detached when the turn of a proposal starts. */
    private record LinkChange(long proposal, LinkAttachment attachment, int detachedLink)
    {
    }

    private final ProposalRunner runner;
    private final RoomHost host;
    private final LoopOutputs outputs;
    private final LoopEvents events;
    private final LoopContext context;
    private final EngineClock clock;
    private final LoopCounters counters;
    private final ProposalHandler handler = this::onCommitted;
    private final ArrayDeque<LinkChange> linkChanges = new ArrayDeque<>();
    /** {proposal, room, callback} of each failure that is not in the log. */
    private final LongArrayList failures = new LongArrayList();
    private final UnsafeBuffer failedBytes = new UnsafeBuffer(new byte[ProposalWriter.FAILED_LENGTH]);
    private final AtomicLong blockedSinceNs = new AtomicLong(NEVER);
    /** Null if no other node has the log. */
    private final LoopGroup group;
    private final LeadershipNotices notices;
    private final Runnable onFollows;
    private CommitLog log;
    /** Null while the loop follows. */
    private TurnProposer proposer;
    /** Null if a recording keeps all turns. */
    private Snapshots snapshots;
    private volatile Role role = Role.FOLLOWS;
    private int incarnation;
    private long lastBeforeIncarnation;
    private long nowNs;
    private long deadlineNs = Long.MAX_VALUE;
    /** The log must commit up to here before a packet leaves or another turn runs. */
    private long heldPosition;
    private long emptyTurnNs;
    private long proposedDeadlineNs;
    private long recoveryNs;
    private int ran;
    private boolean isHolding;

    /** Make them, and their host. The listener is called when the loop leads no more. */
    CommittedTurns(
        final LoopContext context,
        final LoopOutputs outputs,
        final LoopEvents events,
        final DirectBuffer snapshot,
        final LoopGroup group,
        final Runnable onFollows)
    {
        this.context = context;
        this.outputs = outputs;
        this.events = events;
        this.group = group;
        this.onFollows = onFollows;
        clock = context.clock();
        counters = context.counters();
        final HostContext options = context.host().outputs(outputs).listener(events).muted();
        runner = null == snapshot ? new ProposalRunner(options) :
            ProposalRunner.restore(options, snapshot, 0, snapshot.capacity());
        host = runner.host();
        outputs.hold(true);
        outputs.packetsHeld(() -> 0 != host.failures() || isHeld());
        notices = new LeadershipNotices(context);
        if (null != group)
        {
            log = group.log();
            runner.skipBehindGaps();
            // The log of the group keeps bytes, and does not check them.
            runner.verifyChecksums();
            snapshots = group.snapshots();
            snapshots.begin(clock.nowNs(), 0);
        }
    }

    /**
     * Run the turns of a log, without output. Before the loop leads.
     *
     * @param recovered the log.
     * @return number of messages.
     * @throws io.escapement.rooms.replay.ProposalException if one cannot be run, or computes other bytes than before.
     */
    public long recover(final LogSource recovered)
    {
        final long startNs = clock.nowNs();
        runner.failBy(recovered);
        long count = 0;
        for (recovered.rewind(); recovered.next(); count++)
        {
            if (ProposalReader.isProposal(recovered.buffer(), recovered.offset(), recovered.length()) &&
                runner.run(recovered.buffer(), recovered.offset(), recovered.length()))
            {
                addFailures();
            }
        }
        recoveryNs = 0 == count ? 0 : clock.nowNs() - startNs;
        return count;
    }

    /**
     * Fail a room in a future turn. If that turn has run, the call has no effect, because a snapshot contains the turn.
     * All nodes must do it.
     *
     * @param proposal number of the turn's proposal.
     * @param roomId   of the room.
     * @param callback the room's count of callbacks.
     */
    public void failAt(final long proposal, final long roomId, final long callback)
    {
        if (proposal > runner.lastProposal())
        {
            runner.failAt(proposal, roomId, callback);
        }
    }

    /**
     * Take snapshots, from the start of the incarnation. Before {@link #lead}.
     *
     * @param target         of the snapshots.
     * @param replayBudgetNs longest time to rerun the turns after a snapshot.
     * @param intervalNs     longest time between two, if there are turns.
     */
    public void snapshots(final LogSnapshots target, final long replayBudgetNs, final long intervalNs)
    {
        snapshots = new LoopSnapshots(
            context.loop(), target, replayBudgetNs, intervalNs, counters, context.errorHandler());
        // The code of the host's own records takes milliseconds to load, and no turn waits yet.
        host.rehearseImage(0);
    }

    /**
     * Begin an incarnation: gather its HostResumed. Then call {@link #pollLead()} until it has run.
     *
     * @param commitLog     to propose to. Its maker closes it when the loop's thread has exited.
     * @param number        of the incarnation, above all that the log has.
     * @param currentTimeMs wall-clock time.
     */
    public void lead(final CommitLog commitLog, final int number, final long currentTimeMs)
    {
        log = commitLog;
        begin(number, 0, currentTimeMs);
        if (null != snapshots)
        {
            snapshots.begin(nowNs, recoveryNs);
        }
    }

    /** Whether the incarnation has started. In the thread that called {@link #lead}, before the loop's has started. */
    public boolean pollLead()
    {
        outputs.turnTime(clock.nowNs(), false);
        begin(clock.nowNs());
        end();
        sendNotices();
        return isLeading();
    }

    /** Have the edge open or close. */
    private void sendNotices()
    {
        if (notices.isDue() && notices.send())
        {
            outputs.missDirectory();
        }
    }

    /** Append the hashes that a replay of the log compares at its end. Once the loop has stopped, in any thread. */
    public void appendHashes()
    {
        if (isLeading() && 0 == proposer.underWay())
        {
            proposer.proposeHashes();
        }
    }

    /** Whether the loop leads. Any thread. */
    public boolean isLeading()
    {
        return Role.LEADS == role;
    }

    /** Counts proposals of older incarnations, and the proposals with a compared output hash. */
    public ProposalRunner runner()
    {
        return runner;
    }

    @Override
    public RoomHost host()
    {
        return host;
    }

    @Override
    public boolean begin(final long cycleNs)
    {
        nowNs = cycleNs;
        final Throwable failure = log.failure();
        if (null != failure)
        {
            throw new IllegalStateException("the log of turns failed, no command can be made durable", failure);
        }
        runCommitted();
        return switch (role)
        {
            case FOLLOWS -> true;
            case BEGINS -> false;
            case LEADS -> beginProposal();
        };
    }

    /** A refused proposal is retried at once. A new proposal starts after the last proposals had time to be synced. */
    private boolean beginProposal()
    {
        if (isHeld() || !mayPropose() || proposer.isRefused())
        {
            return false;
        }
        proposer.gatherReturns();
        return true;
    }

    private boolean mayPropose()
    {
        return proposer.isRefused() || 0 == proposer.underWay() ||
            nowNs - proposer.proposedNs() >= TurnProposer.GATHER_NS;
    }

    @Override
    public boolean hasRoom(final int sixteenths)
    {
        return Role.FOLLOWS == role || proposer.hasRoom(sixteenths);
    }

    @Override
    public void command(final DirectBuffer buffer, final int offset, final int length)
    {
        if (Role.FOLLOWS == role)
        {
            context.questions().onDropped(buffer, offset, NOT_LEADING);
        }
        else
        {
            proposer.gather(buffer, offset, length, events.hostOffsetNs());
        }
    }

    @Override
    public void attach(final LinkAttachment link)
    {
        if (Role.FOLLOWS == role)
        {
            outputs.attach(link);
        }
        else
        {
            linkChanges.add(new LinkChange(proposer.number(), link, 0));
        }
    }

    @Override
    public void detach(final int link)
    {
        if (Role.FOLLOWS == role)
        {
            outputs.detach(link);
        }
        else
        {
            linkChanges.add(new LinkChange(proposer.number(), null, link));
        }
    }

    @Override
    public int end()
    {
        int work = 0;
        if (Role.FOLLOWS != role && !isHeld() && mayPropose() && (0 != proposer.commands() || isDeadlineDue()))
        {
            work = propose();
        }
        if (0 == ran)
        {
            return work + (Role.FOLLOWS == role || isHeld() ? 0 : outputs.release());
        }
        if (null != snapshots)
        {
            snapshots.onTurns(clock.nowNs() - nowNs);
        }
        work += ran + events.commands();
        ran = 0;
        events.onTurn(host);
        return work;
    }

    /** Because all messages that the log has passed on have run, the host has the state of the log's position. */
    @Override
    public int work(final long cycleNs)
    {
        nowNs = cycleNs;
        sendNotices();
        final int work = null == group ? 0 : group.log().work(cycleNs);
        return null != snapshots && isLeading() && !isHeld() ? work + snapshots.step(host, cycleNs) : work;
    }

    @Override
    public boolean isWaiting()
    {
        return null != proposer && isProposerWaiting() || notices.isDue() ||
            null != snapshots && isLeading() && snapshots.isWaiting(nowNs) ||
            null != group && (!isLogEmpty() || null != log.failure());
    }

    private boolean isProposerWaiting()
    {
        return proposer.hasReturns() || 0 != proposer.underWay() || 0 != proposer.commands() ||
            proposer.isRefused() || isHeld();
    }

    @Override
    public long deadlineNs()
    {
        return deadlineNs;
    }

    /** Once a turn for the due work is proposed, a turn takes commands without a time limit. */
    @Override
    public long cutNs()
    {
        return isDueProposed() ? Long.MAX_VALUE : deadlineNs;
    }

    @Override
    public long parkUntilNs()
    {
        if (null == proposer || 0 == proposer.underWay())
        {
            return deadlineNs;
        }
        final long pollNs = nowNs + POLL_NS;
        return isDueProposed() ? pollNs : Math.min(deadlineNs, pollNs);
    }

    @Override
    public long blockedSinceNs()
    {
        return blockedSinceNs.get();
    }

    @Override
    public boolean isLogEmpty()
    {
        return null == group || group.log().isEmpty();
    }

    @Override
    public boolean isFollowing()
    {
        return Role.FOLLOWS == role;
    }

    /** The node leaves the group. */
    @Override
    public void fail(final Throwable cause)
    {
        if (null != group)
        {
            group.log().fail(cause);
        }
    }

    private boolean isHeld()
    {
        return !failures.isEmpty() || heldPosition > log.committedPosition();
    }

    /** Whether a frame or timer is due that no turn under way will run. */
    private boolean isDeadlineDue()
    {
        return nowNs >= deadlineNs && nowNs >= emptyTurnNs && (0 == proposer.underWay() || !isDueProposed());
    }

    /** Whether the last proposed turn runs the next due work. */
    private boolean isDueProposed()
    {
        return proposedDeadlineNs >= deadlineNs;
    }

    private int propose()
    {
        if (!proposer.propose(nowNs, nowNs + events.hostOffsetNs()))
        {
            if (NEVER == blockedSinceNs.get())
            {
                blockedSinceNs.lazySet(nowNs);
            }
            return 0;
        }
        unblock();
        proposedDeadlineNs = nowNs;
        runCommitted();
        return 1;
    }

    /** The log has room, as far as this loop knows. */
    private void unblock()
    {
        if (NEVER != blockedSinceNs.get())
        {
            blockedSinceNs.lazySet(NEVER);
        }
    }

    /** Run turns that are committed, and change the role in their order, until a room fails by the machine. */
    private void runCommitted()
    {
        if (!failures.isEmpty())
        {
            proposeFailures();
        }
        for (int i = 0; i < BATCH && !isHeld(); i++)
        {
            if (isHolding)
            {
                isHolding = false;
                outputs.hold(false);
            }
            if (!pollCommitted() && !pollGroup())
            {
                return;
            }
        }
    }

    private boolean pollCommitted()
    {
        final int before = ran;
        try
        {
            if (0 == log.poll(handler, 1))
            {
                return false;
            }
            if (null != group && 0 != host.failures())
            {
                throw failure();
            }
        }
        catch (final Throwable ex)
        {
            if (null != group)
            {
                group.log().failBehind(runner.lastProposal());
            }
            throw ex;
        }
        if (Role.FOLLOWS != role)
        {
            checkIncarnation();
        }
        if (before != ran && 0 != host.failures())
        {
            isHolding = true;
            outputs.hold(true);
            addFailures();
            proposeFailures();
        }
        return true;
    }

    private void onCommitted(final long position, final DirectBuffer buffer, final int offset, final int length)
    {
        if (ProposalReader.isProposal(buffer, offset, length) && runner.accept(buffer, offset, length))
        {
            run();
        }
        if (null != group)
        {
            counters.stale(stale());
        }
    }

    private void run()
    {
        changeLinks(runner.accepted());
        final long turn = host.turn();
        final int count = runner.runCommands();
        if (Role.FOLLOWS == role)
        {
            runner.endTurn();
        }
        else
        {
            events.commands(count);
            events.onCommandsRun();
            final long hostDeadlineNs = runner.endTurn();
            deadlineNs = Long.MAX_VALUE == hostDeadlineNs ? hostDeadlineNs : hostDeadlineNs - events.hostOffsetNs();
            emptyTurnNs = host.turn() == turn ? nowNs + DEADLINE_RETRY_NS : nowNs;
            context.measurements().onCommit(nowNs - proposer.onRun());
        }
        ran++;
    }

    /** Committed proposals that did not run. */
    long stale()
    {
        return runner.stale() + (null == group ? 0 : group.log().late());
    }

    private void checkIncarnation()
    {
        if (runner.gapIncarnation() == incarnation)
        {
            throw new IllegalStateException("a proposal after " + runner.lastProposal() +
                " is missing in the log, so no node runs the proposals after it: this node cannot lead on");
        }
        // A stale proposal may arrive before HostResumed. It has no effect.
        if (Role.LEADS == role || runner.lastProposal() == lastBeforeIncarnation)
        {
            return;
        }
        if (host.incarnation() != incarnation)
        {
            throw new IllegalStateException("proposal " + runner.lastProposal() + " of incarnation " +
                host.incarnation() + " was committed in incarnation " + incarnation);
        }
        role = Role.LEADS;
        // Not before HostResumed, after which everything without an answer is sent.
        outputs.hold(false);
        notices.leading(host, incarnation);
    }

    /** Take the next step of the group in its log. Returns false without a next step. */
    private boolean pollGroup()
    {
        if (null == group)
        {
            return false;
        }
        final ReplicaLog replica = group.log();
        switch (replica.event())
        {
            case LEADING -> onLeading(replica.eventValue());
            case FOLLOWING -> onFollowing(replica.eventValue());
            case SNAPSHOT -> onSnapshot();
            default ->
            {
                return false;
            }
        }
        replica.endEvent();
        return true;
    }

    private void onLeading(final int number)
    {
        if (null != proposer)
        {
            // Another term of this node: its proposals of the last term may be committed or not.
            endLeadership(group.memberId());
        }
        group.log().open();
        begin(number, group.memberId(), group.wallClock().time());
    }

    private void onFollowing(final int leader)
    {
        if (null == proposer)
        {
            notices.following(leader);
        }
        else
        {
            endLeadership(leader);
        }
    }

    private void onSnapshot()
    {
        group.log().snapshot(host::snapshot);
        snapshots.begin(clock.nowNs(), 0);
        counters.snapshot();
    }

    /** Gather the first command of an incarnation. */
    private void begin(final int number, final int memberId, final long currentTimeMs)
    {
        nowNs = clock.nowNs();
        deadlineNs = nowNs;
        incarnation = number;
        lastBeforeIncarnation = runner.lastProposal();
        events.hostOffsetNs(host.nowNs() - nowNs);
        proposer = new TurnProposer(runner, log, number, counters);
        role = Role.BEGINS;
        host.live(true);
        proposeFailures();
        proposer.gatherResumed(memberId, currentTimeMs - TimeUnit.NANOSECONDS.toMillis(host.nowNs()));
    }

    private void endLeadership(final int leader)
    {
        host.live(false);
        outputs.hold(true);
        outputs.forget();
        changeLinks(Long.MAX_VALUE);
        group.log().forget();
        proposer = null;
        role = Role.FOLLOWS;
        deadlineNs = Long.MAX_VALUE;
        unblock();
        notices.following(leader);
        onFollows.run();
    }

    /** Links change when their turn runs: the turns before it send to the trunks that had these links. */
    private void changeLinks(final long proposal)
    {
        while (!linkChanges.isEmpty() && linkChanges.peek().proposal <= proposal)
        {
            final LinkChange change = linkChanges.remove();
            if (null == change.attachment)
            {
                outputs.detach(change.detachedLink);
            }
            else
            {
                outputs.attach(change.attachment);
            }
        }
    }

    private IllegalStateException failure()
    {
        return new IllegalStateException("room " + host.failedRoomId(0) + " failed in proposal " +
            runner.lastProposal() + " for a reason of this machine, and may not have failed on the other nodes; " +
            "if all of them stop here, add this line to the file of Durability.amendments on each: " +
            context.loop() + " " + runner.lastProposal() + " " + host.failedRoomId(0) + " " + host.failedCallback(0));
    }

    private void addFailures()
    {
        for (int i = 0; i < host.failures(); i++)
        {
            failures.addLong(runner.lastProposal());
            failures.addLong(host.failedRoomId(i));
            failures.addLong(host.failedCallback(i));
        }
    }

    /** Propose the records of failures as far as the log has room. */
    private void proposeFailures()
    {
        int at = 0;
        long position = 0;
        while (at < failures.size() && position >= 0)
        {
            final int length = proposer.failed(
                failedBytes, failures.getLong(at), failures.getLong(at + 1), failures.getLong(at + 2));
            position = log.propose(failedBytes, 0, length);
            at += position < 0 ? 0 : FAILURE_LONGS;
            heldPosition = Math.max(heldPosition, position);
        }
        if (at == failures.size())
        {
            failures.clear();
        }
        else
        {
            for (; at > 0; at--)
            {
                failures.removeAt(0);
            }
        }
    }
}
