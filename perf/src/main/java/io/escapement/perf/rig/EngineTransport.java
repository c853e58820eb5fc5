package io.escapement.perf.rig;

import io.aeron.Aeron;
import io.aeron.logbuffer.FragmentHandler;
import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import io.escapement.codecs.Codes;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A trunk to an engine with one seat in one room. */
public final class EngineTransport implements Transport, TrunkListener
{
    private static final byte[] NO_TOKEN = {};
    private static final UnsafeBuffer NO_ARGS = new UnsafeBuffer(new byte[0]);

    private final TrunkClient client;
    private final FragmentHandler receiver;
    private final boolean isBatching;
    private ClientSeat seat;
    private boolean isJoining;
    private boolean isFlushPending;

    /**
     * Connect.
     *
     * @param isBatching whether messages share a batch. Otherwise each is sent separately.
     * @param receiver   of events, which have no header. Null for one way.
     */
    public EngineTransport(
        final Aeron aeron, final DurablePlan plan, final boolean isBatching, final FragmentHandler receiver)
    {
        this.receiver = receiver;
        this.isBatching = isBatching;
        final TrunkContext context = new TrunkContext()
            .aeron(aeron)
            .udp(plan.serverEndpoint(), plan.responseEndpoint())
            .termLength(PerfDriver.TERM_LENGTH)
            .identity("perf")
            .secret(EngineGame.secret())
            .listener(this);
        client = TrunkClient.connect(plan.isIpc() ? context.ipc() : context);
    }

    @Override
    public boolean connect()
    {
        if (!isJoining)
        {
            isJoining = SendStatus.SENT == client.join(1, LoopbackGame.ROOM_ID, 1, NO_TOKEN, NO_ARGS, 0, 0);
        }
        return null != seat;
    }

    @Override
    public boolean send(final DirectBuffer buffer, final int length)
    {
        if (isFlushPending && !client.flush())
        {
            return false;
        }
        final boolean isAccepted = SendStatus.SENT == client.send(seat, buffer, 0, length);
        isFlushPending = !isBatching && !client.flush();
        return isAccepted;
    }

    @Override
    public boolean flush()
    {
        return client.flush();
    }

    @Override
    public int poll()
    {
        return client.poll();
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
        receiver.onFragment(buffer, offset, length, null);
    }

    @Override
    public void onDown(final int code)
    {
        throw new IllegalStateException("the trunk is down: " + Codes.nameOf(code));
    }

    @Override
    public void onRefused(
        final int templateId, final long roomId, final int seatIndex, final long reference, final int code)
    {
        throw new IllegalStateException(
            "the server refused an entry of template " + templateId + ": " + Codes.nameOf(code));
    }
}
