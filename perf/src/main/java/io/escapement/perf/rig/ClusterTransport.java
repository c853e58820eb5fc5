package io.escapement.perf.rig;

import io.aeron.cluster.client.AeronCluster;
import io.aeron.logbuffer.FragmentHandler;
import org.agrona.DirectBuffer;

/** A session of a bare Aeron Cluster. */
public final class ClusterTransport implements Transport
{
    private final AeronCluster cluster;

    /**
     * Connect, and wait for it.
     *
     * @param receiver of the service's answers.
     */
    public ClusterTransport(final ClientHost host, final DurablePlan plan, final FragmentHandler receiver)
    {
        cluster = AeronCluster.connect(new AeronCluster.Context()
            .aeron(host.aeron())
            .ownsAeronClient(false)
            .agentInvoker(host.driver())
            .ingressChannel("aeron:udp?term-length=" + PerfDriver.TERM_LENGTH)
            .ingressEndpoints(plan.ingressEndpoints(DurablePlan.NODES))
            .egressChannel("aeron:udp?endpoint=" + plan.clientEndpoint())
            .egressListener((sessionId, timestamp, buffer, offset, length, header) ->
                receiver.onFragment(buffer, offset, length, header)));
    }

    @Override
    public boolean connect()
    {
        return true;
    }

    @Override
    public boolean send(final DirectBuffer buffer, final int length)
    {
        return cluster.offer(buffer, 0, length) > 0;
    }

    @Override
    public int poll()
    {
        return cluster.pollEgress();
    }

    @Override
    public void close()
    {
        cluster.close();
    }
}
