package io.escapement.perf.echo;

import io.aeron.Aeron;
import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A trunk with one seat. */
final class EngineTransport implements EchoTransport, TrunkListener
{
    private static final byte[] NO_TOKEN = {};
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    private final Aeron aeron;
    private final TrunkClient client;
    private final Receiver receiver;
    private ClientSeat seat;
    private boolean isJoining;

    EngineTransport(final Aeron aeron, final EchoOptions options, final Receiver receiver)
    {
        this.aeron = aeron;
        this.receiver = receiver;
        final TrunkContext context = new TrunkContext()
            .aeron(aeron)
            .udp(options.serverEndpoint(), options.responseEndpoint())
            .termLength(1024 * 1024)
            .identity("perf")
            .secret(EchoServer.SECRET)
            .listener(this);
        client = TrunkClient.connect(options.isIpc() ? context.ipc() : context);
    }

    @Override
    public boolean isReady()
    {
        if (!isJoining)
        {
            isJoining = SendStatus.SENT == client.join(1, EchoServer.ROOM_ID, 1, NO_TOKEN, NOTHING, 0, 0);
        }
        return null != seat;
    }

    @Override
    public boolean send(final DirectBuffer buffer, final int length)
    {
        final boolean isTaken = SendStatus.SENT == client.send(seat, buffer, 0, length);
        client.flush();
        return isTaken;
    }

    @Override
    public int poll()
    {
        return aeron.conductorAgentInvoker().invoke() + client.poll();
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
    public void onEvent(final ClientSeat to, final DirectBuffer buffer, final int offset, final int length)
    {
        receiver.onEcho(buffer, offset, length);
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
