package io.escapement.cluster;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.cluster.codecs.CloseReason;
import io.aeron.cluster.codecs.MessageHeaderDecoder;
import io.aeron.cluster.codecs.SessionMessageHeaderDecoder;
import io.aeron.cluster.service.ClientSession;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ClusterCounters;
import io.aeron.cluster.service.ClusteredService;
import io.aeron.logbuffer.Header;
import io.escapement.engine.spi.ReplicatedLog;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentTerminationException;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersReader;

/**
 * The service of the cluster: hands committed messages to the engine. The engine's loops run them in their own threads.
 * All loops share one service, so that the log is read once.
 *
 * <p>The role changes where the log says so: a new term starts with an event in the log, after everything that was
 * committed before. A term is over as soon as the counter of the consensus module says so, because no more messages are
 * committed for this node. The log also says it, but only after messages that may never be committed.
 */
final class LoopService implements ClusteredService
{
    private final int loops;
    private final ReplicatedLog.Receiver receiver;
    private final CountDownLatch started = new CountDownLatch(1);
    private final MessageHeaderDecoder messageHeader = new MessageHeaderDecoder();
    private final SessionMessageHeaderDecoder sessionHeader = new SessionMessageHeaderDecoder();
    private Cluster cluster;
    /** Of the consensus module. Null unless this node leads. */
    private AtomicCounter leadingRole;
    private volatile ClusterSnapshots restored;

    LoopService(final int loops, final ReplicatedLog.Receiver receiver)
    {
        this.loops = loops;
        this.receiver = receiver;
    }

    /** Wait until the snapshots have been read. Any thread. */
    boolean awaitStart(final long timeoutNs) throws InterruptedException
    {
        return started.await(timeoutNs, TimeUnit.NANOSECONDS);
    }

    /** The snapshot of a loop to start with, or null. Once started, any thread. */
    DirectBuffer snapshot(final int loop)
    {
        return null == restored ? null : restored.snapshot(loop);
    }

    @Override
    public void onStart(final Cluster joined, final Image snapshotImage)
    {
        cluster = joined;
        if (null != snapshotImage)
        {
            final ClusterSnapshots snapshots = new ClusterSnapshots(loops, cluster.idleStrategy());
            snapshots.read(snapshotImage);
            restored = snapshots;
        }
        started.countDown();
    }

    @Override
    public void onSessionOpen(final ClientSession session, final long timestamp)
    {
        // A loop of the leader. Its proposals name the incarnation, which says more.
    }

    @Override
    public void onSessionClose(final ClientSession session, final long timestamp, final CloseReason closeReason)
    {
        // The engine notices by itself when its loop cannot propose.
    }

    @Override
    public void onSessionMessage(
        final ClientSession session,
        final long timestamp,
        final DirectBuffer buffer,
        final int offset,
        final int length,
        final Header header)
    {
        checkEngine();
        // In front of the message, and the same on all nodes. Events would not do: no event follows a snapshot in a
        // term.
        sessionHeader.wrapAndApplyHeader(buffer, offset - AeronCluster.SESSION_HEADER_LENGTH, messageHeader);
        receiver.onCommitted(incarnation(sessionHeader.leadershipTermId()), buffer, offset, length);
    }

    @Override
    public void onTimerEvent(final long correlationId, final long timestamp)
    {
        // Time is in the proposals.
    }

    @Override
    public void onTakeSnapshot(final ExclusivePublication snapshotPublication)
    {
        checkEngine();
        final ClusterSnapshots snapshots = new ClusterSnapshots(loops, cluster.idleStrategy());
        final ClusterSnapshots.Sink sink = snapshots.sink(snapshotPublication);
        receiver.onSnapshot((loop, buffer, offset, length) ->
            snapshots.write(sink, snapshotPublication.maxPayloadLength(), loop, buffer, offset, length));
        snapshots.writeEnd(sink);
    }

    @Override
    public void onNewLeadershipTermEvent(
        final long leadershipTermId,
        final long logPosition,
        final long timestamp,
        final long termBaseLogPosition,
        final int leaderMemberId,
        final int logSessionId,
        final TimeUnit timeUnit,
        final int appVersion)
    {
        // A term of the past, in a log that is replayed, finds this node in the role of a follower.
        if (leaderMemberId == cluster.memberId() && Cluster.Role.LEADER == cluster.role())
        {
            leadingRole = moduleRole();
            receiver.onLeading(incarnation(leadershipTermId));
        }
        else
        {
            follow(leaderMemberId);
        }
    }

    @Override
    public void onRoleChange(final Cluster.Role newRole)
    {
        if (Cluster.Role.LEADER != newRole)
        {
            follow(ReplicatedLog.NO_LEADER);
        }
    }

    @Override
    public void onTerminate(final Cluster terminated)
    {
        // Releases no resources: the engine closes its own.
    }

    @Override
    public int doBackgroundWork(final long nowNs)
    {
        checkEngine();
        if (null == leadingRole || Cluster.Role.LEADER == Cluster.Role.get(leadingRole))
        {
            return 0;
        }
        follow(ReplicatedLog.NO_LEADER);
        return 1;
    }

    static int incarnation(final long leadershipTermId)
    {
        return Math.toIntExact(leadershipTermId + 1);
    }

    private void follow(final int leaderMemberId)
    {
        leadingRole = null;
        receiver.onFollowing(leaderMemberId);
    }

    private AtomicCounter moduleRole()
    {
        final CountersReader counters = cluster.aeron().countersReader();
        final int counterId = ClusterCounters.find(
            counters, ConsensusModule.Configuration.CLUSTER_NODE_ROLE_TYPE_ID, cluster.context().clusterId());
        return new AtomicCounter(counters.valuesBuffer(), counterId);
    }

    private void checkEngine()
    {
        if (null != receiver.failure())
        {
            throw new AgentTerminationException("the engine does not run turns any more");
        }
    }
}
