package io.escapement.engine.internal.edge;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.internal.loop.CommandQueue;
import io.escapement.engine.spi.LogInService;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;

/** Log-ins of players and the tokens they result in. A log-in holds a permit of its trunk until it is replied to. */
final class LogIns
{
    private static final byte[] NO_TOKEN = new byte[0];

    private final Trunks trunks;
    private final ControlProxy proxy;
    private final NanoClock clock;
    private final EdgeCounters counters;
    private final LogInService service;
    private final CommandQueue edgeInbox;
    private final PlayerTokens tokens;
    private final long tokenNs;

    LogIns(final EdgeContext context, final Trunks trunks, final ControlProxy proxy, final NanoClock clock)
    {
        this.trunks = trunks;
        this.proxy = proxy;
        this.clock = clock;
        counters = context.counters();
        service = context.policy().logInService();
        edgeInbox = context.queues().edgeInbox();
        tokens = new PlayerTokens(context.random());
        tokenNs = context.policy().timeouts().playerTokenNs();
    }

    void onLogIn(final Connection connection, final long requestId, final byte[] credentials)
    {
        final Trunk trunk = connection.trunk();
        if (null == trunk)
        {
            counters.refused(TrunkCode.OUT_OF_ORDER.value());
        }
        else if (null == service)
        {
            refuse(connection, requestId, TrunkCode.NO_LOG_IN);
        }
        else if (!trunk.logIns().tryAcquire())
        {
            refuse(connection, requestId, TrunkCode.LOG_IN_BUSY);
        }
        else
        {
            service.logIn(trunk.id(), credentials, new PendingLogIn(edgeInbox, trunk.id(), requestId));
        }
    }

    /** The service replied, as {@link PendingLogIn} encodes it. */
    void onLoggedIn(final DirectBuffer buffer, final int offset)
    {
        final long trunkId = buffer.getLong(offset + PendingLogIn.TRUNK_ID);
        final Trunk trunk = trunks.find(trunkId);
        if (null == trunk)
        {
            return;
        }
        trunk.logIns().release();
        if (trunk.isUp())
        {
            final long requestId = buffer.getLong(offset + PendingLogIn.REQUEST_ID);
            final int status = buffer.getInt(offset + PendingLogIn.STATUS);
            final long playerId = buffer.getLong(offset + PendingLogIn.PLAYER_ID);
            final byte[] token = RefusalCode.NONE.value() == status ?
                tokens.issue(trunkId, playerId, clock.nanoTime() + tokenNs) : NO_TOKEN;
            counters.countIfDropped(proxy.logInReply(trunk.connection(), requestId, status, playerId, token));
        }
    }

    /** Where to put a token before {@link #checkPlayer}. */
    byte[] tokenBuffer()
    {
        return tokens.tokenBuffer();
    }

    /** Whether a trunk may act for a player: NONE, or a refusal code. */
    int checkPlayer(final Trunk trunk, final long playerId, final int tokenLength)
    {
        return trunk.isTrusted() ? RefusalCode.NONE.value() :
            tokens.check(trunk.id(), playerId, tokenLength, clock.nanoTime());
    }

    private void refuse(final Connection connection, final long requestId, final TrunkCode code)
    {
        counters.refused(code.value());
        counters.countIfDropped(proxy.logInReply(connection, requestId, code.value(), 0, NO_TOKEN));
    }
}
