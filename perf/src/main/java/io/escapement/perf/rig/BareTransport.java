package io.escapement.perf.rig;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.logbuffer.FragmentHandler;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

/** Bare Aeron: a publication to the server, and optionally a subscription to its answers. */
public final class BareTransport implements Transport
{
    private static final int FRAGMENT_LIMIT = 16;

    private final Aeron aeron;
    private final ExclusivePublication requests;
    private final Subscription replies;
    private final FragmentHandler handler;

    /** Connect. Without a reply channel and a receiver, which are null then, messages go one way. */
    public BareTransport(
        final Aeron aeron, final String requestChannel, final String replyChannel, final Receiver receiver)
    {
        this.aeron = aeron;
        replies = null == replyChannel ?
            null : aeron.addSubscription(replyChannel, LoopbackServer.REPLY_STREAM_ID);
        requests = aeron.addExclusivePublication(requestChannel, LoopbackServer.REQUEST_STREAM_ID);
        handler = (buffer, offset, length, header) -> receiver.onMessage(buffer, offset, length);
    }

    @Override
    public boolean connect()
    {
        return requests.isConnected() && (null == replies || replies.isConnected());
    }

    @Override
    public boolean send(final DirectBuffer buffer, final int length)
    {
        return requests.offer(buffer, 0, length) > 0;
    }

    @Override
    public boolean flush()
    {
        return true;
    }

    @Override
    public int poll()
    {
        aeron.conductorAgentInvoker().invoke();
        return null == replies ? 0 : replies.poll(handler, FRAGMENT_LIMIT);
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(requests, replies);
    }
}
