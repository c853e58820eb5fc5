package io.escapement.perf.ingress;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

/** A plain stream. */
final class RawSender implements Sender
{
    private final Aeron aeron;
    private final ExclusivePublication requests;

    RawSender(final Aeron aeron, final IngressOptions options)
    {
        this.aeron = aeron;
        requests = aeron.addExclusivePublication(
            "aeron:udp?endpoint=" + options.serverEndpoint(), IngressServer.STREAM_ID);
    }

    @Override
    public boolean isReady()
    {
        return requests.isConnected();
    }

    @Override
    public boolean send(final DirectBuffer buffer, final int length)
    {
        return requests.offer(buffer, 0, length) > 0;
    }

    @Override
    public void poll()
    {
        aeron.conductorAgentInvoker().invoke();
    }

    @Override
    public boolean flush()
    {
        return true;
    }

    @Override
    public void close()
    {
        CloseHelper.quietClose(requests);
    }
}
