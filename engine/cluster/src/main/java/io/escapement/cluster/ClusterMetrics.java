package io.escapement.cluster;

import io.aeron.Aeron;
import io.aeron.FragmentAssembler;
import io.aeron.Subscription;
import io.aeron.cluster.ConsensusModule;
import io.aeron.cluster.ElectionState;
import io.aeron.cluster.codecs.ClusterMembersExtendedResponseDecoder;
import io.aeron.cluster.codecs.MessageHeaderDecoder;
import io.aeron.cluster.service.Cluster;
import io.aeron.cluster.service.ConsensusModuleProxy;
import io.aeron.logbuffer.Header;
import io.escapement.driver.guard.GuardCounter;
import io.escapement.engine.spi.ReplicatedLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Counters of a node, which its engine exports. Only the leader's consensus module knows how far each member lags. It
 * is polled periodically. Runs in the keeper's thread, except for the constructor.
 */
final class ClusterMetrics implements AutoCloseable
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.cluster");
    private static final long QUERY_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int FRAGMENT_LIMIT = 16;

    private final ElectionRecord election;
    private final int memberId;
    private final AtomicCounter elections;
    private final AtomicCounter electionNs;
    private final AtomicCounter term;
    private final AtomicCounter leads;
    private final AtomicCounter commitPosition;
    private final AtomicCounter snapshots;
    private final AtomicCounter snapshotAgeNs;
    private final AtomicCounter refused;
    private final AtomicCounter[] behindByMember;
    private final long[] positionByMember;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final ClusterMembersExtendedResponseDecoder response = new ClusterMembersExtendedResponseDecoder();
    private final FragmentAssembler assembler = new FragmentAssembler(this::onMessage);
    private AtomicCounter role;
    private AtomicCounter electionsTaken;
    private AtomicCounter electionState;
    private AtomicCounter termId;
    private AtomicCounter commit;
    private AtomicCounter snapshotsTaken;
    private final List<AtomicCounter> guards = new ArrayList<>();
    private Subscription subscription;
    private ConsensusModuleProxy proxy;
    private long snapshotNs;
    private long queriedNs;

    /**
     * Make the counters.
     *
     * @param receiver of the log.
     * @param options  of the node.
     * @param election of the node.
     */
    ClusterMetrics(final ReplicatedLog.Receiver receiver, final ClusterOptions options, final ElectionRecord election)
    {
        this.election = election;
        memberId = options.memberId();
        final int memberCount = options.memberCount();
        elections = receiver.counter("elections", false);
        electionNs = receiver.counter("nanoseconds of the last election", true);
        term = receiver.counter("term", true);
        leads = receiver.counter("leads", true);
        commitPosition = receiver.counter("bytes committed", true);
        snapshots = receiver.counter("snapshots", false);
        snapshotAgeNs = receiver.counter("nanoseconds since the last snapshot or the start", true);
        refused = receiver.counter("packets that the guards refused", false);
        behindByMember = new AtomicCounter[memberCount];
        positionByMember = new long[memberCount];
        for (int i = 0; i < memberCount; i++)
        {
            behindByMember[i] = receiver.counter("bytes that member " + i + " is behind the leader", true);
        }
    }

    /** The parts of the node run. */
    void begin(final ConsensusModule.Context context, final Aeron aeron, final long nowNs)
    {
        role = NodeParts.view(aeron, context.clusterNodeRoleCounter());
        electionsTaken = NodeParts.view(aeron, context.electionCounter());
        electionState = NodeParts.view(aeron, context.electionStateCounter());
        termId = NodeParts.view(aeron, context.leadershipTermIdCounter());
        commit = NodeParts.view(aeron, context.commitPositionCounter());
        snapshotsTaken = NodeParts.view(aeron, context.snapshotCounter());
        // Because the archive has an endpoint, the guards have counters.
        aeron.countersReader().forEach((counterId, typeId, key, label) ->
        {
            if (Arrays.stream(GuardCounter.values()).anyMatch((counter) -> counter.typeId() == typeId))
            {
                guards.add(new AtomicCounter(aeron.countersReader().valuesBuffer(), counterId));
            }
        });
        snapshotNs = nowNs;
        queriedNs = nowNs;
        subscription = aeron.addSubscription(context.controlChannel(), context.serviceStreamId());
        proxy = new ConsensusModuleProxy(
            aeron.addPublication(context.controlChannel(), context.consensusModuleStreamId()));
    }

    /** Set the counters. Returns the work done. */
    int update(final long nowNs)
    {
        final boolean isLeader = Cluster.Role.LEADER == Cluster.Role.get(role);
        final long taken = snapshotsTaken.get();
        if (taken != snapshots.get())
        {
            snapshotNs = nowNs;
        }
        elections.setRelease(electionsTaken.get());
        final long tookNs = election.onState(ElectionState.get(electionState), nowNs);
        if (tookNs > 0)
        {
            new ElectionEnded(memberId, isLeader, tookNs, election.course()).commit();
            electionNs.setRelease(tookNs);
            LOGGER.log(System.Logger.Level.INFO, "member " + memberId + (isLeader ? " leads" : " follows") + " after " +
                TimeUnit.NANOSECONDS.toMillis(tookNs) + " ms, " + election.course());
        }
        term.setRelease(termId.get());
        leads.setRelease(isLeader ? 1 : 0);
        commitPosition.setRelease(commit.get());
        snapshots.setRelease(taken);
        snapshotAgeNs.setRelease(nowNs - snapshotNs);
        refused.setRelease(guards.stream().mapToLong(AtomicCounter::get).sum());
        if (nowNs - queriedNs >= QUERY_NS)
        {
            queriedNs = nowNs;
            if (isLeader)
            {
                // One that finds no room is asked again.
                proxy.clusterMembersQuery(nowNs);
            }
            else
            {
                for (final AtomicCounter behind : behindByMember)
                {
                    behind.setRelease(0);
                }
            }
        }
        // Also while this node follows, so that messages from the module to its service are not delayed.
        return subscription.poll(assembler, FRAGMENT_LIMIT);
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(subscription, proxy);
    }

    private void onMessage(final DirectBuffer buffer, final int offset, final int length, final Header frame)
    {
        header.wrap(buffer, offset);
        // The module also sends its service messages without these figures.
        if (ClusterMembersExtendedResponseDecoder.TEMPLATE_ID != header.templateId() ||
            ClusterMembersExtendedResponseDecoder.SCHEMA_ID != header.schemaId())
        {
            return;
        }
        response.wrapAndApplyHeader(buffer, offset, header);
        long leaderPosition = 0;
        for (final ClusterMembersExtendedResponseDecoder.ActiveMembersDecoder member : response.activeMembers())
        {
            positionByMember[member.memberId()] = member.logPosition();
            leaderPosition = Math.max(leaderPosition, member.logPosition());
            member.skipIngressEndpoint();
            member.skipConsensusEndpoint();
            member.skipLogEndpoint();
            member.skipCatchupEndpoint();
            member.skipArchiveEndpoint();
        }
        for (int i = 0; i < behindByMember.length; i++)
        {
            behindByMember[i].setRelease(leaderPosition - Math.max(0, positionByMember[i]));
        }
    }
}
