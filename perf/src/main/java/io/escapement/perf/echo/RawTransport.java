package io.escapement.perf.echo;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

/** Two plain streams. */
final class RawTransport implements EchoTransport
{
    private static final int FRAGMENT_LIMIT = 16;

    private final Aeron aeron;
    private final ExclusivePublication requests;
    private final Subscription replies;
    private final FragmentHandler handler;

    RawTransport(final Aeron aeron, final EchoOptions options, final Receiver receiver)
    {
        this.aeron = aeron;
        final String to = options.isIpc() ? "aeron:ipc" : "aeron:udp?endpoint=" + options.serverEndpoint();
        final String from = options.isIpc() ? "aeron:ipc" : "aeron:udp?endpoint=" + options.clientEndpoint();
        replies = aeron.addSubscription(from, EchoServer.STREAM_ID + 1);
        requests = aeron.addExclusivePublication(to, EchoServer.STREAM_ID);
        handler = (buffer, offset, length, header) -> receiver.onEcho(buffer, offset, length);
    }

    @Override
    public boolean isReady()
    {
        return requests.isConnected() && replies.isConnected();
    }

    @Override
    public boolean send(final DirectBuffer buffer, final int length)
    {
        return requests.offer(buffer, 0, length) > 0;
    }

    @Override
    public int poll()
    {
        aeron.conductorAgentInvoker().invoke();
        return replies.poll(handler, FRAGMENT_LIMIT);
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(requests, replies);
    }
}
