package io.escapement.engine.internal.loop;

import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.internal.durable.ProposalHandler;
import io.escapement.engine.internal.durable.ReplicaLog;
import io.escapement.rooms.log.ProposalReader;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A durable loop whose log several nodes keep. It follows until its node leads, and again when that ends:
 *
 * <pre>
 *   follows --LEADING, in the log's order--&gt; proposes HostResumed --it has run--&gt; leads --FOLLOWING--&gt; follows
 * </pre>
 *
 * <p>A loop that follows runs what is committed, without output, and drops the commands of its queues. When it leads no
 * more, it forgets what it has proposed: that may be committed or not.
 *
 * <p>If a proposal of the leader is missing in the log, all nodes skip those behind it. The leader then has nothing to
 * go on with in its term, so it ends as by a fault: its trunks end, its node leaves, and the others elect.
 */
public final class ReplicaLoopAgent extends DurableLoopAgent
{
    /** Committed proposals that a duty cycle runs: a node that catches up must still be seen to move. */
    private static final int BATCH = 32;
    private static final int NOT_LEADING = TrunkCode.NOT_LEADING.value();

    private final ReplicaLog replica;
    private final int memberId;
    private final LeadershipNotices notices;
    private final SnapshotRequests snapshots;
    private final ProposalHandler handler = this::onCommitted;
    private int incarnation;
    private long lastBeforeIncarnation;

    /**
     * Make a loop that follows, and its room host.
     *
     * @param context   with all options set; the host keeps a loop state.
     * @param snapshot  to restore, or null for an empty host.
     * @param logger    of the rooms.
     * @param replica   of this loop; whoever made it closes it when the loop's thread has ended.
     * @param memberId  number of this node.
     * @param snapshots that it asks for while it leads.
     */
    public ReplicaLoopAgent(
        final LoopContext context,
        final DirectBuffer snapshot,
        final System.Logger logger,
        final ReplicaLog replica,
        final int memberId,
        final SnapshotRequests snapshots)
    {
        super(context, snapshot, logger);
        this.replica = replica;
        this.memberId = memberId;
        this.snapshots = snapshots;
        snapshots.begin(clock.nowNs());
        notices = new LeadershipNotices(context, edgeInbox);
        log = replica;
        runner.skipBehindGaps();
        // The log of the group keeps bytes, and does not check them.
        runner.verifyChecksums();
        deadlineNs = Long.MAX_VALUE;
        outputs.hold(true);
    }

    /**
     * Fail a room in a turn that is still to come. Nothing happens when that turn has run, because a snapshot is behind
     * it. All nodes have to do it.
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

    /** Committed proposals that did not run. */
    long stale()
    {
        return runner.stale() + replica.late();
    }

    @Override
    public boolean isLogEmpty()
    {
        return replica.isEmpty();
    }

    @Override
    public int doWork()
    {
        if (null != fault())
        {
            // The node leaves the group.
            replica.fail(fault());
            return super.doWork();
        }
        final int work = super.doWork();
        return work + replica.work(nowNs);
    }

    @Override
    public long deadlineNs()
    {
        return null == proposer ? deadlineNs : super.deadlineNs();
    }

    @Override
    boolean isWaiting()
    {
        return !replica.isEmpty() || notices.isDue() || null != proposer && super.isWaiting() || isSnapshotDue() ||
            null != replica.failure() && null == fault();
    }

    @Override
    int turn()
    {
        checkLog();
        runReplica();
        if (0 != ran)
        {
            snapshots.onTurns(clock.nowNs() - nowNs);
            counters.replay(snapshots.replayNs());
        }
        if (isSnapshotDue())
        {
            snapshots.request(nowNs);
        }
        if (notices.isDue() && notices.send())
        {
            outputs.missDirectory();
        }
        return null == proposer ? follow() : lead();
    }

    @Override
    void runCommitted()
    {
        // A commit takes longer than the rest of the cycle.
    }

    @Override
    void command(final UnsafeBuffer buffer, final int offset, final int length)
    {
        if (null != proposer)
        {
            super.command(buffer, offset, length);
        }
        else
        {
            questions.onDropped(buffer, offset, NOT_LEADING);
        }
    }

    @Override
    boolean hasRoom()
    {
        return null == proposer || super.hasRoom();
    }

    @Override
    void onAttach(final LinkAttachment link)
    {
        if (null == proposer)
        {
            outputs.attach(link);
        }
        else
        {
            super.onAttach(link);
        }
    }

    @Override
    void onDetach(final int link)
    {
        if (null == proposer)
        {
            outputs.detach(link);
        }
        else
        {
            super.onDetach(link);
        }
    }

    @Override
    boolean onRing(final CommandQueue.Slot slot, final long sequence, final boolean isEndOfBatch)
    {
        if (null != proposer)
        {
            return super.onRing(slot, sequence, isEndOfBatch);
        }
        return --batchLeft > 0;
    }

    @Override
    void onCommitted(final long position, final DirectBuffer buffer, final int offset, final int length)
    {
        if (null != proposer)
        {
            super.onCommitted(position, buffer, offset, length);
        }
        else if (ProposalReader.isProposal(buffer, offset, length) && runner.run(buffer, offset, length))
        {
            ran++;
        }
    }

    /** Run what the nodes have committed, and change the role in its order. */
    private void runReplica()
    {
        for (int i = 0; i < BATCH; i++)
        {
            if (pollCommitted())
            {
                continue;
            }
            switch (replica.event())
            {
                case LEADING -> onLeading(replica.eventValue());
                case FOLLOWING -> onFollowing(replica.eventValue());
                case SNAPSHOT -> onSnapshot();
                default ->
                {
                    return;
                }
            }
            replica.endEvent();
        }
    }

    private boolean pollCommitted()
    {
        try
        {
            if (0 == replica.poll(handler, 1))
            {
                return false;
            }
            checkFailures();
        }
        catch (final Throwable ex)
        {
            replica.failBehind(runner.lastProposal());
            throw ex;
        }
        afterCommitted();
        return true;
    }

    private void checkFailures()
    {
        if (0 != host.failures())
        {
            throw new IllegalStateException("room " + host.failedRoomId(0) + " failed in proposal " +
                runner.lastProposal() + " for a reason of this machine, and may not have failed on the other nodes; " +
                "if all of them stop here, add this line to the file of Durability.amendments on each: " +
                host.loopState().limits().loop() + " " + runner.lastProposal() + " " + host.failedRoomId(0) + " " +
                host.failedCallback(0));
        }
    }

    private void afterCommitted()
    {
        counters.stale(stale());
        if (null == proposer)
        {
            return;
        }
        if (runner.gapIncarnation() == incarnation)
        {
            throw new IllegalStateException("a proposal behind " + runner.lastProposal() +
                " is missing in the log, so no node runs those behind it: this node cannot lead on");
        }
        // A stale proposal may come before HostResumed, and changes nothing.
        if (isLeading() || runner.lastProposal() == lastBeforeIncarnation)
        {
            return;
        }
        if (host.incarnation() != incarnation)
        {
            throw new IllegalStateException("proposal " + runner.lastProposal() + " of incarnation " +
                host.incarnation() + " was committed in incarnation " + incarnation);
        }
        leads(true);
        // Not before HostResumed, after which everything without an answer is sent.
        outputs.hold(false);
        notices.leading(host, incarnation);
    }

    private boolean isSnapshotDue()
    {
        return isLeading() && snapshots.isDue(nowNs);
    }

    private void onSnapshot()
    {
        replica.snapshot(host::snapshot);
        snapshots.begin(clock.nowNs());
        counters.snapshot();
    }

    private void onLeading(final int number)
    {
        if (null != proposer)
        {
            // Another term of this node: what it proposed in the last one may be committed or not.
            endLeadership(memberId);
        }
        incarnation = number;
        lastBeforeIncarnation = runner.lastProposal();
        replica.open();
        begin(number, memberId, System.currentTimeMillis());
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

    private void endLeadership(final int leader)
    {
        abandonReloads("this node leads no more");
        gate.close();
        outputs.close();
        outputs.hold(true);
        outputs.forget();
        changeLinks(Long.MAX_VALUE);
        replica.forget();
        proposer = null;
        local = null;
        leads(false);
        deadlineNs = Long.MAX_VALUE;
        unblock();
        notices.following(leader);
        // Also if this node leads the next term: by then another may have led, and run later commands.
        for (int i = (inbox.capacity() + ring.capacity()) / LoopContext.BATCH_LIMIT; i >= 0; i--)
        {
            dropCommands();
        }
        questions.endAll(NOT_LEADING);
    }

    private int follow()
    {
        dropCommands();
        abandonReloads("this node does not lead");
        final int work = ran + (inbox.isEmpty() && ring.isEmpty() ? 0 : 1);
        if (0 != ran)
        {
            ran = 0;
            onTurn(host);
        }
        return work;
    }

    /** Commands have no effect any more; those of links still have one on the queues to trunks. */
    private void dropCommands()
    {
        batchLeft = LoopContext.BATCH_LIMIT;
        inbox.poll(inboxHandler);
        batchLeft = LoopContext.BATCH_LIMIT;
        ring.poll(ringHandler);
    }
}
