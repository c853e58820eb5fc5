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
    private final ExclusivePublication requests;
    private final Subscription replies;
    private final FragmentHandler receiver;

    /**
     * Connect.
     *
     * @param receiver of answers, null for one way.
     */
    public BareTransport(final Aeron aeron, final DurablePlan plan, final FragmentHandler receiver)
    {
        this.receiver = receiver;
        replies = null == receiver ?
            null : aeron.addSubscription(BareServer.replyChannel(plan), BareServer.REPLY_STREAM_ID);
        requests = aeron.addExclusivePublication(BareServer.requestChannel(plan), BareServer.REQUEST_STREAM_ID);
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
    public int poll()
    {
        return null == replies ? 0 : replies.poll(receiver, BareServer.REPLY_LIMIT);
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(requests, replies);
    }
}
