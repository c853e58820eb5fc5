package io.escapement.perf.ingress;

import io.aeron.Aeron;
import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A trunk with one seat, that lets each message go alone or as many as a frame holds. */
final class TrunkSender implements Sender, TrunkListener
{
    private static final byte[] NO_TOKEN = {};
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);
    private static final int TERM_LENGTH = 1024 * 1024;

    private final Aeron aeron;
    private final TrunkClient client;
    private final boolean isSingle;
    private ClientSeat seat;
    private boolean isJoining;
    /** Whether a message that is to go alone has not gone. */
    private boolean isStuck;

    TrunkSender(final Aeron aeron, final IngressOptions options)
    {
        this.aeron = aeron;
        isSingle = IngressOptions.SINGLE.equals(options.what());
        client = TrunkClient.connect(new TrunkContext()
            .aeron(aeron)
            .udp(options.serverEndpoint(), options.responseEndpoint())
            .termLength(TERM_LENGTH)
            .identity("perf")
            .secret(IngressServer.SECRET)
            .listener(this));
    }

    @Override
    public boolean isReady()
    {
        if (!isJoining)
        {
            isJoining = SendStatus.SENT == client.join(1, IngressServer.ROOM_ID, 1, NO_TOKEN, NOTHING, 0, 0);
        }
        return null != seat;
    }

    @Override
    public boolean send(final DirectBuffer buffer, final int length)
    {
        if (isStuck && !client.flush())
        {
            return false;
        }
        final boolean isTaken = SendStatus.SENT == client.send(seat, buffer, 0, length);
        isStuck = isSingle && !client.flush();
        return isTaken;
    }

    @Override
    public void poll()
    {
        aeron.conductorAgentInvoker().invoke();
        client.poll();
    }

    @Override
    public boolean flush()
    {
        return client.flush();
    }

    @Override
    public void close()
    {
        client.close();
    }

    @Override
    public void onJoined(final long requestId, final ClientSeat joined)
    {
        seat = joined;
    }

    @Override
    public void onDown(final int code)
    {
        throw new IllegalStateException("the trunk is down, code " + code);
    }

    @Override
    public void onRefused(final int templateId, final long roomId, final long reference, final int code)
    {
        throw new IllegalStateException("entry of template " + templateId + " refused, code " + code);
    }
}
