package io.escapement.perf.crowd;

import io.escapement.codecs.player.PlayerEncoder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;

/** All WebSockets to a gateway, one for each player: one selector and one large buffer to receive into. */
final class WebLinks implements BotLinks
{
    private static final int READ_LENGTH = 256 * 1024;
    private static final int MESSAGE_LENGTH = 1024;
    /** Connections that are opened at a time, so that none waits too long for the gateway. */
    private static final int OPENING_LIMIT = 64;

    final CrowdPlan plan;
    final CrowdBots bots;
    final Selector selector;
    final ByteBuffer in = ByteBuffer.allocateDirect(READ_LENGTH);
    final UnsafeBuffer inView = new UnsafeBuffer(in);
    /** A message before it is masked. */
    final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
    final PlayerEncoder encoder = new PlayerEncoder();
    /** Null without TLS. */
    final SSLContext tls;
    private final WebPlayer[] players;
    /** Those with messages that have not left. */
    private final ArrayDeque<WebPlayer> unsent = new ArrayDeque<>();
    private final Consumer<SelectionKey> onReady = this::onReady;
    private int opened;
    private int up;
    private int work;

    WebLinks(final CrowdPlan plan, final CrowdBots bots)
    {
        this.plan = plan;
        this.bots = bots;
        tls = plan.isTls() ? WebCertificate.client() : null;
        players = new WebPlayer[plan.players()];
        try
        {
            selector = Selector.open();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    @Override
    public void connect()
    {
        for (int i = 0; i < players.length; i++)
        {
            players[i] = new WebPlayer(this, i);
        }
    }

    @Override
    public boolean isUp()
    {
        return up == players.length;
    }

    @Override
    public BotTrunk trunk(final int number)
    {
        return players[number];
    }

    @Override
    public int poll()
    {
        work = 0;
        while (opened < players.length && null != players[opened] && opened - up < OPENING_LIMIT)
        {
            players[opened++].open();
        }
        try
        {
            selector.selectNow(onReady);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        return work;
    }

    @Override
    public void flush()
    {
        for (WebPlayer player = unsent.poll(); null != player; player = unsent.poll())
        {
            player.isUnsent = false;
            player.write();
        }
    }

    @Override
    public void close()
    {
        CloseHelper.quietCloseAll(players);
        CloseHelper.quietClose(selector);
    }

    void onUp()
    {
        up++;
    }

    /** Let its messages leave with the next flush. */
    void unsent(final WebPlayer player)
    {
        unsent.add(player);
    }

    private void onReady(final SelectionKey key)
    {
        work++;
        ((WebPlayer)key.attachment()).onReady(key);
    }
}
