package io.escapement.perf.crowd;

import io.aeron.Aeron;
import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import io.escapement.codecs.Codes;
import io.escapement.codecs.trunk.JoinDecoder;
import io.escapement.perf.rig.EngineGame;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A trunk to an engine. */
final class EngineTrunk implements BotTrunk, TrunkListener, AutoCloseable
{
    private static final byte[] NO_TOKEN = {};
    private static final UnsafeBuffer NO_ARGS = new UnsafeBuffer(new byte[0]);
    private static final long CONNECT_NS = TimeUnit.SECONDS.toNanos(20);

    private final TrunkClient client;
    private final CrowdBots bots;

    EngineTrunk(final Aeron aeron, final CrowdPlan plan, final int window, final int number, final CrowdBots bots)
    {
        this.bots = bots;
        final TrunkContext context = new TrunkContext();
        client = TrunkClient.connect((plan.isIpc() ?
            context.ipc() : context.udp(plan.serverEndpoint(), plan.responseEndpoint()))
            .aeron(aeron)
            .receiveWindow(window)
            .connectTimeoutNs(CONNECT_NS)
            .identity("bots-" + number)
            .secret(EngineGame.secret())
            .feed(plan.isFed() ? TrunkContext.ANY_FEED_ENDPOINT : null)
            .listener(this));
    }

    int poll()
    {
        return client.poll();
    }

    void flush()
    {
        client.flush();
    }

    boolean isUp()
    {
        return TrunkClient.State.UP == client.state();
    }

    @Override
    public boolean join(final Bot bot)
    {
        return SendStatus.SENT == client.join(bot.order, bot.roomId, bot.order + 1L, NO_TOKEN, NO_ARGS, 0, 0);
    }

    @Override
    public boolean send(final Bot bot, final DirectBuffer buffer, final int length)
    {
        return SendStatus.SENT == client.send((ClientSeat)bot.seat, buffer, 0, length);
    }

    @Override
    public void close()
    {
        client.close();
    }

    @Override
    public void onJoined(final long requestId, final ClientSeat seat)
    {
        seat.attachment(bots.onJoined((int)requestId, seat.index(), seat));
    }

    @Override
    public boolean onRoomMessage(
        final long roomId,
        final boolean isState,
        final List<ClientSeat> seats,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        // The clock is read once for all players of this trunk that the message is for.
        final long nowNs = System.nanoTime();
        for (int i = 0; i < seats.size(); i++)
        {
            final Bot bot = (Bot)seats.get(i).attachment();
            if (isState)
            {
                bots.stats.onState(bot, buffer, offset, length, nowNs);
            }
            else
            {
                bots.stats.onAnswer(bot, buffer, offset, length, nowNs);
            }
        }
        return false;
    }

    @Override
    public void onRefused(
        final int templateId, final long roomId, final int seatIndex, final long reference, final int code)
    {
        if (JoinDecoder.TEMPLATE_ID == templateId)
        {
            bots.onJoinRefused((int)reference, code);
        }
        else
        {
            bots.stats.onRefused(code);
        }
    }

    @Override
    public void onSeatAway(final ClientSeat seat, final int reason)
    {
        throw new IllegalStateException("a player lost its seat, reason " + reason);
    }

    @Override
    public void onLeft(final ClientSeat seat, final int reason)
    {
        throw new IllegalStateException("a player lost its seat, reason " + reason);
    }

    @Override
    public void onDown(final int code)
    {
        throw new IllegalStateException("a trunk is down: " + Codes.nameOf(code));
    }
}
