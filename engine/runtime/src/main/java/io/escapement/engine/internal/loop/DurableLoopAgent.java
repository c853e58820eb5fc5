package io.escapement.engine.internal.loop;

import io.escapement.engine.internal.durable.CommitLog;
import io.escapement.engine.internal.durable.LogSnapshots;
import io.escapement.engine.internal.durable.ProposalHandler;
import io.escapement.rooms.RoomTask;
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
 * A loop that proposes each turn to a log and runs it once it is committed, so nothing that leaves is ahead of the log.
 *
 * <pre>
 *   recover   runs the turns of the log, without output
 *   lead      HostResumed: links are down, what has no answer is sent again
 *   a cycle   run what was committed; gather returns, inbox, ring; propose; run what was committed
 * </pre>
 *
 * <p>At RECORDED a turn is committed when it is proposed, and runs in the same cycle. At SYNCED it takes a sync; while
 * proposals are under way commands gather in the ring. If the log has no room they wait there, then in Aeron. If the
 * log fails the loop ends as it does by a fault.
 */
public class DurableLoopAgent extends LoopAgent
{
    /** A loop with turns under way polls the log this often when it parks. */
    static final long POLL_NS = TimeUnit.MICROSECONDS.toNanos(350);
    /** An empty turn did not move the deadline: the wheel's tick is not over. */
    private static final long DEADLINE_RETRY_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long NOT_BLOCKED = -1;
    private static final int FAILURE_LONGS = 3;

    /** A link that is attached or detached when the turn of a proposal begins. */
    private record LinkChange(long proposal, LinkAttachment attachment, int detachedLink)
    {
    }

    final ProposalRunner runner;
    final RoomHost host;
    final LeaderGate gate;
    private final ProposalHandler handler = this::onCommitted;
    private final ArrayDeque<LinkChange> linkChanges = new ArrayDeque<>();
    /** {proposal, room, callback} of each failure that is not in the log. */
    private final LongArrayList failures = new LongArrayList();
    private final UnsafeBuffer failedBytes = new UnsafeBuffer(new byte[ProposalWriter.FAILED_LENGTH]);
    private final AtomicLong blockedSinceNs = new AtomicLong(NOT_BLOCKED);
    CommitLog log;
    /** Null while the loop does not lead. */
    TurnProposer proposer;
    /** Commands of the engine itself that are gathered next, or null. */
    ByteFifo local;
    int ran;
    private LoopSnapshots snapshots;
    /** The log has to commit up to here before a packet leaves or another turn runs. */
    private long heldPosition;
    private long emptyTurnNs;
    private long proposedDeadlineNs;
    private long recoveryNs;
    private boolean isHolding;
    private volatile boolean isLeading;

    /**
     * Make a loop and its room host.
     *
     * @param context  with all options set; the host keeps a loop state.
     * @param snapshot to restore, or null for an empty host.
     * @param logger   of the rooms.
     */
    public DurableLoopAgent(final LoopContext context, final DirectBuffer snapshot, final System.Logger logger)
    {
        super(context);
        gate = new LeaderGate(new Listener(), logger);
        outputs.close();
        final HostContext options = context.host().outputs(outputs).listener(gate).logger(gate);
        runner = null == snapshot ? new ProposalRunner(options) :
            ProposalRunner.restore(options, snapshot, 0, snapshot.capacity());
        host = runner.host();
        outputs.loopState(host.loopState());
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
        // The record of a failure may be many proposals behind the one in which it happened.
        recovered.rewindToFailed();
        while (recovered.next())
        {
            runner.failBy(recovered.buffer(), recovered.offset(), recovered.length());
        }
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
     * Take snapshots, from the beginning of the incarnation. Before {@link #lead}.
     *
     * @param target         of the snapshots.
     * @param replayBudgetNs longest time that the turns behind a snapshot should take to run again.
     * @param intervalNs     longest time between two, if there are turns.
     */
    public void snapshots(final LogSnapshots target, final long replayBudgetNs, final long intervalNs)
    {
        snapshots = new LoopSnapshots(target, replayBudgetNs, intervalNs, counters, errorHandler);
        // The code of the host's own records takes milliseconds to load, and nobody waits for a turn yet.
        host.rehearseImage(0);
    }

    /**
     * Begin an incarnation: propose its HostResumed. Then call {@link #pollLead()} until it has run.
     *
     * @param commitLog     to propose to; whoever made it closes it when the loop's thread has ended.
     * @param incarnation   number of the incarnation, above all that the log has.
     * @param currentTimeMs wall-clock time.
     */
    public void lead(final CommitLog commitLog, final int incarnation, final long currentTimeMs)
    {
        log = commitLog;
        begin(incarnation, 0, currentTimeMs);
        outputs.missDirectory();
        if (null != snapshots)
        {
            snapshots.begin(nowNs, recoveryNs);
        }
    }

    /** Gather the first command of an incarnation. */
    final void begin(final int incarnation, final int memberId, final long currentTimeMs)
    {
        nowNs = clock.nowNs();
        hostOffsetNs = host.nowNs() - nowNs;
        proposer = new TurnProposer(runner, log, incarnation, counters);
        gate.open();
        outputs.open(() -> 0 != host.failures() || isHeld());
        proposeFailures();
        proposer.gatherResumed(memberId, currentTimeMs - TimeUnit.NANOSECONDS.toMillis(host.nowNs()));
    }

    /** Append what a replay of the log compares at its end. Once the loop has ended, in any thread. */
    public void appendHashes()
    {
        if (isLeading && null == fault() && 0 == proposer.underWay())
        {
            proposer.proposeHashes();
        }
    }

    /** Whether the incarnation has begun. In the thread that called {@link #lead}, before the loop's has started. */
    public boolean pollLead()
    {
        nowNs = clock.nowNs();
        outputs.turnTime(nowNs, false);
        checkLog();
        if (!isHeld() && 0 != proposer.commands())
        {
            proposer.propose(nowNs, nowNs + hostOffsetNs);
        }
        runCommitted();
        leads(0 == proposer.commands() && 0 == proposer.underWay() && !isHeld());
        return isLeading;
    }

    final void leads(final boolean value)
    {
        isLeading = value;
    }

    /** Whether the loop leads. From any thread. */
    public final boolean isLeading()
    {
        return isLeading;
    }

    @Override
    public final long blockedSinceNs()
    {
        return blockedSinceNs.get();
    }

    /** Number of proposals of older incarnations, and of those whose output hash was compared. */
    public final ProposalRunner runner()
    {
        return runner;
    }

    @Override
    public final RoomHost host()
    {
        return host;
    }

    @Override
    public long deadlineNs()
    {
        if (0 == proposer.underWay())
        {
            return deadlineNs;
        }
        final long pollNs = nowNs + POLL_NS;
        return isProposed() ? pollNs : Math.min(deadlineNs, pollNs);
    }

    @Override
    boolean isWaiting()
    {
        return outputs.isSending() || null != local || proposer.hasReturns() || 0 != proposer.underWay() ||
            0 != proposer.commands() || proposer.isRefused() || isHeld() || outputs.isAnnounceDue() ||
            null != snapshots && snapshots.isFilling();
    }

    @Override
    int turn()
    {
        checkLog();
        runCommitted();
        return lead();
    }

    /** Propose a turn if there is work, and publish those that have run. */
    final int lead()
    {
        int work = 0;
        if (!isHeld() && mayPropose())
        {
            gather();
            if (0 != proposer.commands() || isDeadlineDue())
            {
                work = propose();
            }
        }
        outputs.announce(host);
        work += snapshot();
        if (0 == ran)
        {
            return work + (isHeld() ? 0 : outputs.release());
        }
        work += ran;
        ran = 0;
        onTurn(host);
        return work + commands;
    }

    /** All that the log has passed on has run, so the state of the host is that of the log's position. */
    private int snapshot()
    {
        if (null == snapshots)
        {
            return 0;
        }
        if (0 != ran)
        {
            snapshots.onTurns(clock.nowNs() - nowNs);
        }
        return isHeld() ? 0 : snapshots.step(host, nowNs);
    }

    @Override
    void command(final UnsafeBuffer buffer, final int offset, final int length)
    {
        proposer.gather(buffer, offset, length, hostOffsetNs);
    }

    @Override
    final void execute(final long roomId, final RoomTask task)
    {
        throw new IllegalStateException("a closure for room " + roomId + " cannot be made durable");
    }

    @Override
    boolean hasRoom()
    {
        return proposer.hasRoomForInbox();
    }

    @Override
    void onAttach(final LinkAttachment link)
    {
        linkChanges.add(new LinkChange(proposer.number(), link, 0));
    }

    @Override
    void onDetach(final int link)
    {
        linkChanges.add(new LinkChange(proposer.number(), null, link));
    }

    @Override
    boolean onRing(final CommandQueue.Slot slot, final long sequence, final boolean isEndOfBatch)
    {
        ringCommand(slot);
        return --batchLeft > 0 && proposer.hasRoom();
    }

    final void checkLog()
    {
        final Throwable failure = log.failure();
        if (null != failure)
        {
            throw new IllegalStateException("the log of turns failed, no command can be made durable", failure);
        }
    }

    private boolean isHeld()
    {
        return !failures.isEmpty() || heldPosition > log.committedPosition();
    }

    /** A refused proposal is proposed again at once, and a new one begins when the last ones had time to be synced. */
    private boolean mayPropose()
    {
        return proposer.isRefused() || 0 == proposer.underWay() ||
            nowNs - proposer.proposedNs() >= TurnProposer.GATHER_NS;
    }

    /** Whether a frame or timer is due that no turn under way will run. */
    private boolean isDeadlineDue()
    {
        return nowNs >= deadlineNs && nowNs >= emptyTurnNs &&
            (0 == proposer.underWay() || !isProposed());
    }

    /** Whether the last turn that was proposed runs what is due next. */
    private boolean isProposed()
    {
        return proposedDeadlineNs >= deadlineNs;
    }

    private void gather()
    {
        // Nothing comes before HostResumed, and nothing in its turn.
        if (proposer.isRefused() || !isLeading)
        {
            return;
        }
        proposer.gatherReturns();
        gatherLocal();
        if (!inbox.isEmpty() && hasRoom())
        {
            batchLeft = LoopContext.BATCH_LIMIT;
            inbox.poll(inboxHandler);
        }
        if (proposer.hasRoom())
        {
            batchLeft = LoopContext.BATCH_LIMIT;
            ring.poll(ringHandler);
        }
    }

    /** Commands of the engine itself; those that do not fit wait for the next proposal. */
    private void gatherLocal()
    {
        if (null == local)
        {
            local = outputs.takeLocal();
        }
        while (!local.isEmpty() && proposer.hasRoomForEngine())
        {
            final int length = local.headBuffer().getInt(local.head());
            command(local.headBuffer(), local.head() + LoopOutputs.LOCAL_HEADER_LENGTH, length);
            local.drop(LoopOutputs.LOCAL_HEADER_LENGTH + length);
        }
        if (local.isEmpty())
        {
            local = null;
        }
    }

    private int propose()
    {
        if (!proposer.propose(nowNs, nowNs + hostOffsetNs))
        {
            if (NOT_BLOCKED == blockedSinceNs.get())
            {
                blockedSinceNs.lazySet(nowNs);
            }
            return 0;
        }
        if (NOT_BLOCKED != blockedSinceNs.get())
        {
            blockedSinceNs.lazySet(NOT_BLOCKED);
        }
        proposedDeadlineNs = nowNs;
        runCommitted();
        return 1;
    }

    /** Run the turns that are committed, until a room fails for a reason of the machine. */
    void runCommitted()
    {
        if (!failures.isEmpty())
        {
            proposeFailures();
        }
        while (!isHeld())
        {
            if (isHolding)
            {
                isHolding = false;
                outputs.hold(false);
            }
            final int before = ran;
            if (0 == log.poll(handler, 1))
            {
                return;
            }
            if (before != ran && 0 != host.failures())
            {
                isHolding = true;
                outputs.hold(true);
                addFailures();
                proposeFailures();
            }
        }
    }

    void onCommitted(final long position, final DirectBuffer buffer, final int offset, final int length)
    {
        if (!ProposalReader.isProposal(buffer, offset, length) || !runner.accept(buffer, offset, length))
        {
            return;
        }
        changeLinks(runner.accepted());
        final long turn = host.turn();
        final int count = runner.runCommands();
        commands += count;
        flushedNs = 0 == count ? nowNs : clock.nowNs();
        commandsNs = flushedNs - nowNs;
        final long hostDeadlineNs = runner.endTurn();
        deadlineNs = Long.MAX_VALUE == hostDeadlineNs ? hostDeadlineNs : hostDeadlineNs - hostOffsetNs;
        emptyTurnNs = host.turn() == turn ? nowNs + DEADLINE_RETRY_NS : nowNs;
        measurements.onCommit(nowNs - proposer.onRun());
        ran++;
    }

    /** Links change when their turn runs: the turns before it send to the trunks that had these links. */
    final void changeLinks(final long proposal)
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

    /** The log has room, as far as this loop knows. */
    final void unblock()
    {
        blockedSinceNs.lazySet(NOT_BLOCKED);
    }
}
