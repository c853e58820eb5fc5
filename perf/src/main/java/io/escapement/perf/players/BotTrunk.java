package io.escapement.perf.players;

import io.aeron.Aeron;
import io.escapement.client.ClientSeat;
import io.escapement.client.SendStatus;
import io.escapement.client.TrunkClient;
import io.escapement.client.TrunkContext;
import io.escapement.client.TrunkListener;
import io.escapement.codecs.trunk.JoinDecoder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** A trunk with its players. */
final class BotTrunk implements TrunkListener, AutoCloseable
{
    private static final byte[] NO_TOKEN = {};
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);
    private static final long CONNECT_NS = 20_000_000_000L;

    private final TrunkClient client;
    private final PlayersBots bots;
    private long messageNs;

    BotTrunk(
        final Aeron aeron, final PlayersHost host, final int window, final int number, final PlayersBots bots)
    {
        this.bots = bots;
        client = TrunkClient.connect(new TrunkContext()
            .aeron(aeron)
            .udp(host.serverEndpoint(), host.responseEndpoint())
            .receiveWindow(window)
            .connectTimeoutNs(CONNECT_NS)
            .identity("bots-" + number)
            .secret(PlayersServer.SECRET)
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

    SendStatus join(final int bot, final long roomId)
    {
        return client.join(bot, roomId, bot + 1L, NO_TOKEN, NOTHING, 0, 0);
    }

    SendStatus send(final ClientSeat seat, final DirectBuffer buffer, final int length)
    {
        return client.send(seat, buffer, 0, length);
    }

    @Override
    public void close()
    {
        client.close();
    }

    @Override
    public void onJoined(final long requestId, final ClientSeat seat)
    {
        final Bot bot = bots.bot((int)requestId);
        bot.seat = seat;
        bot.seatIndex = seat.index();
        seat.attachment(bot);
        bots.onJoined();
    }

    @Override
    public boolean onRoomMessage(
        final long roomId,
        final boolean isState,
        final int audience,
        final long selector,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        // One look at the clock for all players of this trunk that it is for.
        messageNs = System.nanoTime();
        return true;
    }

    @Override
    public void onEvent(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
        bots.score().onAnswer((Bot)seat.attachment(), buffer, offset, length, messageNs);
    }

    @Override
    public void onState(final ClientSeat seat, final DirectBuffer buffer, final int offset, final int length)
    {
        bots.score().onState((Bot)seat.attachment(), buffer, offset, length, messageNs);
    }

    @Override
    public void onRefused(final int templateId, final long roomId, final long reference, final int code)
    {
        if (JoinDecoder.TEMPLATE_ID == templateId)
        {
            bots.onJoinRefused((int)reference, code);
        }
        else
        {
            bots.score().onRefused(code);
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
        throw new IllegalStateException("a trunk is down, code " + code);
    }
}
