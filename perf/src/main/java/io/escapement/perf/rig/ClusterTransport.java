package io.escapement.perf.rig;

import io.aeron.Aeron;
import io.aeron.cluster.client.AeronCluster;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

/** A session of a bare Aeron Cluster. */
public final class ClusterTransport implements Transport
{
    private final Aeron aeron;
    private AeronCluster.AsyncConnect connecting;
    private AeronCluster cluster;

    /**
     * Connect.
     *
     * @param receiver of what the service sends back.
     */
    public ClusterTransport(final Aeron aeron, final DurablePlan plan, final Receiver receiver)
    {
        this.aeron = aeron;
        connecting = AeronCluster.asyncConnect(new AeronCluster.Context()
            .aeron(aeron)
            .ownsAeronClient(false)
            .ingressChannel("aeron:udp?term-length=" + PerfDriver.TERM_LENGTH)
            .ingressEndpoints(plan.ingressEndpoints(EngineNodes.NODES))
            .egressChannel("aeron:udp?endpoint=" + plan.clientEndpoint())
            .egressListener((sessionId, timestamp, buffer, offset, length, header) ->
                receiver.onMessage(buffer, offset, length)));
    }

    @Override
    public boolean connect()
    {
        if (null == cluster)
        {
            cluster = connecting.poll();
        }
        return null != cluster;
    }

    @Override
    public boolean send(final DirectBuffer buffer, final int length)
    {
        return cluster.offer(buffer, 0, length) > 0;
    }

    @Override
    public boolean flush()
    {
        return true;
    }

    @Override
    public int poll()
    {
        return aeron.conductorAgentInvoker().invoke() + (null == cluster ? 0 : cluster.pollEgress());
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(cluster, null == cluster ? connecting : null);
    }
}
