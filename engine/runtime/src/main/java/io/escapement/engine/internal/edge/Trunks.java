package io.escapement.engine.internal.edge;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.exceptions.RegistrationException;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.internal.loop.BatchSender;
import io.escapement.engine.internal.loop.CommandQueue;
import io.escapement.engine.spi.Authenticator;
import io.escapement.engine.spi.LogInService;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import org.agrona.CloseHelper;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.concurrent.status.AtomicCounter;

/**
 * Every trunk from its Hello to its end: the handshake, attaching to loops, loss, resumption and closing. Nothing here
 * waits, so Image.reject is not called, which waits for the driver: a connection that is not wanted is just not read
 * any more. What needs another thread or the driver is looked at again in {@link #housekeep}.
 */
final class Trunks
{
    private static final long ENDING_NS = 1_000_000_000;
    private static final byte[] NO_TOKEN = new byte[0];

    private final EdgeSettings settings;
    private final EdgeCounters counters;
    private final TrunkChannels channels;
    private final Authenticator authenticator;
    private final LogInService logInService;
    private final SecureRandom random;
    private final PlayerTokens tokens;
    private final ControlProxy proxy = new ControlProxy();
    private final Aeron aeron;
    private final int loops;
    private final LoopLinks loopLinks;
    private final CommandQueue edgeInbox;
    private final Long2ObjectHashMap<Trunk> trunkByIdMap = new Long2ObjectHashMap<>();
    private final Trunk[] trunkByLink;
    private final ArrayDeque<Integer> freeLinks = new ArrayDeque<>();
    private final ArrayList<Connection> connections = new ArrayList<>();
    private long lastTrunkId;
    private int handshakes;
    private long nowNs;
    private boolean isStopping;

    Trunks(final EdgeContext context, final Aeron aeron)
    {
        settings = context.settings();
        counters = context.counters();
        channels = context.channels();
        authenticator = context.authenticator();
        logInService = context.logInService();
        random = context.random();
        loops = context.inboxes().length;
        edgeInbox = context.edgeInbox();
        this.aeron = aeron;
        loopLinks = new LoopLinks(context, aeron);
        tokens = new PlayerTokens(random);
        trunkByLink = new Trunk[settings.trunkLimit()];
        for (int i = 0; i < trunkByLink.length; i++)
        {
            freeLinks.add(i);
        }
    }

    void time(final long timeNs)
    {
        nowNs = timeNs;
    }

    long nowNs()
    {
        return nowNs;
    }

    ArrayList<Connection> connections()
    {
        return connections;
    }

    // Connections

    void onControlImage(final Image image, final TrunkChannels.Port port)
    {
        connections.add(new Connection(image, port, nowNs));
    }

    void onControlImageGone(final Image image)
    {
        for (int i = connections.size() - 1; i >= 0; i--)
        {
            final Connection connection = connections.get(i);
            if (connection.image == image)
            {
                connections.remove(i);
                final Trunk trunk = connection.trunk;
                if (null != trunk && trunk.connection == connection)
                {
                    lose(trunk);
                }
                close(connection);
            }
        }
    }

    void onLoopImageGone(final LoopLink link)
    {
        if (null != link.trunk)
        {
            loopLinks.detach(link);
        }
    }

    // What clients say

    void onHello(
        final Connection connection,
        final int protocolVersion,
        final int applicationVersion,
        final long nonceHigh,
        final long nonceLow,
        final byte[] identity)
    {
        if (Connection.State.NEW != connection.state)
        {
            counters.refused(TrunkCode.OUT_OF_ORDER.value());
            return;
        }
        // The way back is wanted even to say no.
        if (handshakes == settings.handshakeLimit())
        {
            counters.refused(TrunkCode.TOO_MANY_HANDSHAKES.value());
            connection.state = Connection.State.ENDING;
            return;
        }
        handshakes++;
        connection.state = Connection.State.CHALLENGED;
        connection.registrationId = aeron.asyncAddExclusivePublication(
            channels.responseChannel(connection.image.correlationId(), connection.port),
            TrunkMessages.CONTROL_STREAM_ID);
        connection.challenge = new Authenticator.Challenge(
            identity, applicationVersion, nonceHigh, nonceLow, random.nextLong(), random.nextLong());
        if (isStopping)
        {
            reject(connection, TrunkCode.ENGINE_STOPPING);
        }
        else if (TrunkMessages.PROTOCOL_VERSION != protocolVersion)
        {
            reject(connection, TrunkCode.PROTOCOL_VERSION);
        }
        else
        {
            proxy.challenge(connection, connection.challenge.serverHigh(), connection.challenge.serverLow());
        }
    }

    void onProof(final Connection connection, final byte[] credentials)
    {
        final Authenticator.Verdict verdict = verdict(connection, credentials);
        if (Authenticator.Verdict.REFUSED == verdict)
        {
            return;
        }
        final Integer link = freeLinks.poll();
        if (null == link)
        {
            reject(connection, TrunkCode.TOO_MANY_TRUNKS);
            return;
        }
        final Trunk trunk = new Trunk(
            ++lastTrunkId,
            link,
            connection.challenge.identity(),
            Authenticator.Verdict.TRUSTED == verdict,
            loops);
        trunkByLink[link] = trunk;
        trunkByIdMap.put(trunk.id, trunk);
        welcome(connection, trunk, false);
    }

    void onResume(
        final Connection connection,
        final long trunkId,
        final long resumeHigh,
        final long resumeLow,
        final byte[] credentials)
    {
        if (Authenticator.Verdict.REFUSED == verdict(connection, credentials))
        {
            return;
        }
        final Trunk trunk = trunkByIdMap.get(trunkId);
        final boolean isIts = null != trunk && trunk.resumeHigh == resumeHigh && trunk.resumeLow == resumeLow &&
            Arrays.equals(trunk.identity, connection.challenge.identity());
        if (!isIts)
        {
            reject(connection, TrunkCode.UNKNOWN_TRUNK);
            return;
        }
        if (trunk.isUp())
        {
            // The engine has not yet seen that the old connection is dead; the client has.
            final Connection old = trunk.connection;
            lose(trunk);
            end(old, TrunkCode.REPLACED);
        }
        welcome(connection, trunk, true);
    }

    void onLogIn(final Connection connection, final long requestId, final byte[] credentials)
    {
        final Trunk trunk = connection.trunk;
        if (null == trunk)
        {
            counters.refused(TrunkCode.OUT_OF_ORDER.value());
        }
        else if (null == logInService)
        {
            logInRefused(connection, requestId, TrunkCode.NO_LOG_IN);
        }
        else if (trunk.logInsUnderWay == settings.logInLimit())
        {
            logInRefused(connection, requestId, TrunkCode.LOG_IN_BUSY);
        }
        else
        {
            trunk.logInsUnderWay++;
            logInService.logIn(trunk.id, credentials, new LogInAnswer(edgeInbox, trunk.id, requestId));
        }
    }

    void onLoggedIn(final long trunkId, final long requestId, final int status, final long playerId)
    {
        final Trunk trunk = trunkByIdMap.get(trunkId);
        if (null == trunk)
        {
            return;
        }
        trunk.logInsUnderWay--;
        if (trunk.isUp())
        {
            final byte[] token = RefusalCode.NONE.value() == status ?
                tokens.issue(trunkId, playerId, nowNs + settings.tokenNs()) : NO_TOKEN;
            counted(proxy.logInReply(trunk.connection, requestId, status, playerId, token));
        }
    }

    void onKeepalive(final Connection connection, final long clientTimeNs)
    {
        if (null != connection.trunk)
        {
            counted(proxy.keepaliveReply(connection, clientTimeNs, nowNs));
        }
    }

    void onGoodbye(final Connection connection)
    {
        final Trunk trunk = connection.trunk;
        if (null != trunk)
        {
            lose(trunk);
            forget(trunk);
        }
        connection.state = Connection.State.ENDING;
        connection.endingNs = nowNs;
    }

    /** Something came from a connection, whatever it was. */
    void heard(final Connection connection)
    {
        if (null != connection.trunk)
        {
            connection.trunk.lastHeardNs = nowNs;
        }
    }

    void onAttach(final LoopLink link, final long trunkId, final long attachToken)
    {
        final Trunk trunk = trunkByIdMap.get(trunkId);
        final boolean isIts = null != trunk && trunk.isUp() && trunk.attachToken == attachToken;
        if (!isIts || null != trunk.loopLinks[link.loop])
        {
            counters.refused(TrunkCode.BAD_ATTACH.value());
            return;
        }
        loopLinks.attach(link, trunk);
    }

    /** Check that a trunk may speak for a player. */
    int checkPlayer(final Trunk trunk, final long playerId, final int tokenLength)
    {
        return trunk.isTrusted ? RefusalCode.NONE.value() : tokens.check(trunk.id, playerId, tokenLength, nowNs);
    }

    byte[] givenToken()
    {
        return tokens.given();
    }

    void entryRefused(
        final LoopLink link, final int templateId, final long roomId, final long reference, final int code)
    {
        counters.refused(code);
        counters.shed.incrementRelease();
        if (null != link.trunk && link.trunk.isUp())
        {
            counted(proxy.entryRefused(link.trunk.connection, templateId, roomId, reference, code),
                counters.refusalsDropped);
        }
    }

    // What loops say

    void onAttached(final int loop, final int link)
    {
        final Trunk trunk = trunkByLink[link];
        final LoopLink loopLink = null == trunk ? null : trunk.loopLinks[loop];
        if (null != loopLink && LoopLink.State.OFFERED == loopLink.state)
        {
            loopLink.state = LoopLink.State.ATTACHED;
            counted(proxy.attached(trunk.connection, loop));
        }
    }

    void onDetached(final int loop, final int link)
    {
        final Trunk trunk = loopLinks.onDetached(loop, link);
        if (null != trunk)
        {
            freeIfDetached(trunk);
        }
    }

    void onSlow(final int link)
    {
        final Trunk trunk = trunkByLink[link];
        if (null != trunk && trunk.isUp())
        {
            endTrunk(trunk, TrunkCode.SLOW_CONSUMER);
        }
    }

    // What time does

    int housekeep()
    {
        int work = 0;
        for (int i = connections.size() - 1; i >= 0; i--)
        {
            work += housekeep(connections.get(i));
        }
        work += loopLinks.housekeep();
        for (final Trunk trunk : trunkByLink)
        {
            if (null != trunk)
            {
                housekeep(trunk);
            }
        }
        return work;
    }

    /** Take no new trunks. */
    void drain()
    {
        isStopping = true;
    }

    /** Tell every trunk that the engine stops, and take no new ones. */
    void stop()
    {
        isStopping = true;
        for (final Trunk trunk : trunkByLink)
        {
            if (null != trunk)
            {
                if (trunk.isUp())
                {
                    endTrunk(trunk, TrunkCode.ENGINE_STOPPING);
                }
                else
                {
                    forget(trunk);
                }
            }
        }
    }

    /** Whether every trunk is gone, and every loop has let go of its way back. */
    boolean isIdle()
    {
        return 0 == held();
    }

    /** Trunks, links of loops that are being made or given up, and answers that wait. */
    int held()
    {
        int held = loopLinks.held() + trunkByLink.length - freeLinks.size();
        for (int i = 0; i < connections.size(); i++)
        {
            held += connections.get(i).out.isEmpty() ? 0 : 1;
        }
        return held;
    }

    private int housekeep(final Connection connection)
    {
        if (Connection.NO_REGISTRATION != connection.registrationId)
        {
            connection.publication = publication(connection.registrationId, connection);
            if (null != connection.publication)
            {
                connection.registrationId = Connection.NO_REGISTRATION;
            }
        }
        final int status = ControlProxy.flush(connection);
        if (Connection.State.ENDING == connection.state)
        {
            if (BatchSender.SENT == status || nowNs - connection.endingNs > ENDING_NS)
            {
                closePublication(connection);
            }
        }
        else if (Connection.State.WELCOMED != connection.state &&
            nowNs - connection.sinceNs > settings.handshakeTimeoutNs())
        {
            counters.refused(TrunkCode.HANDSHAKE_TIMEOUT.value());
            end(connection, TrunkCode.HANDSHAKE_TIMEOUT);
        }
        return 0;
    }

    private void housekeep(final Trunk trunk)
    {
        if (trunk.isUp())
        {
            if (nowNs - trunk.lastHeardNs > 3 * settings.keepaliveNs())
            {
                final Connection connection = trunk.connection;
                counters.refused(TrunkCode.KEEPALIVE_LATE.value());
                lose(trunk);
                end(connection, TrunkCode.KEEPALIVE_LATE);
            }
        }
        else if (nowNs - trunk.lostNs > settings.trunkGraceNs())
        {
            forget(trunk);
        }
    }

    private ExclusivePublication publication(final long registrationId, final Connection connection)
    {
        try
        {
            return aeron.getExclusivePublication(registrationId);
        }
        catch (final RegistrationException ex)
        {
            connection.registrationId = Connection.NO_REGISTRATION;
            return null;
        }
    }

    private Authenticator.Verdict verdict(final Connection connection, final byte[] credentials)
    {
        if (Connection.State.CHALLENGED != connection.state)
        {
            counters.refused(TrunkCode.OUT_OF_ORDER.value());
            return Authenticator.Verdict.REFUSED;
        }
        final Authenticator.Verdict verdict = authenticator.authenticate(connection.challenge, credentials);
        if (Authenticator.Verdict.REFUSED == verdict)
        {
            reject(connection, TrunkCode.BAD_CREDENTIALS);
        }
        return verdict;
    }

    private void welcome(final Connection connection, final Trunk trunk, final boolean isResumed)
    {
        handshakes--;
        connection.state = Connection.State.WELCOMED;
        connection.trunk = trunk;
        trunk.connection = connection;
        trunk.lastHeardNs = nowNs;
        trunk.resumeHigh = random.nextLong();
        trunk.resumeLow = random.nextLong();
        trunk.attachToken = random.nextLong();
        counters.trunks.incrementRelease();
        proxy.welcome(connection, trunk, settings, nowNs, isResumed);
    }

    private void reject(final Connection connection, final TrunkCode code)
    {
        counters.refused(code.value());
        proxy.reject(connection, code.value());
        ending(connection);
    }

    private void logInRefused(final Connection connection, final long requestId, final TrunkCode code)
    {
        counters.refused(code.value());
        counted(proxy.logInReply(connection, requestId, code.value(), 0, NO_TOKEN));
    }

    private void endTrunk(final Trunk trunk, final TrunkCode code)
    {
        final Connection connection = trunk.connection;
        counters.refused(code.value());
        lose(trunk);
        forget(trunk);
        end(connection, code);
    }

    private void end(final Connection connection, final TrunkCode code)
    {
        proxy.goodbye(connection, code);
        ending(connection);
    }

    private void ending(final Connection connection)
    {
        if (Connection.State.CHALLENGED == connection.state)
        {
            handshakes--;
        }
        connection.trunk = null;
        connection.state = Connection.State.ENDING;
        connection.endingNs = nowNs;
    }

    /** The trunk's connection is gone: its seats go away and are held, and it can be resumed. */
    private void lose(final Trunk trunk)
    {
        for (final LoopLink link : trunk.loopLinks)
        {
            if (null != link)
            {
                loopLinks.detach(link);
            }
        }
        trunk.connection.trunk = null;
        trunk.connection = null;
        trunk.lostNs = nowNs;
        counters.trunks.decrementRelease();
    }

    private void forget(final Trunk trunk)
    {
        trunkByIdMap.remove(trunk.id);
        trunkByLink[trunk.link] = null;
        freeIfDetached(trunk);
    }

    /** A trunk's number is used again when no loop has anything of it any more. */
    private void freeIfDetached(final Trunk trunk)
    {
        if (trunkByLink[trunk.link] != trunk && !loopLinks.isDetaching(trunk))
        {
            freeLinks.add(trunk.link);
        }
    }

    private void close(final Connection connection)
    {
        if (Connection.State.CHALLENGED == connection.state)
        {
            handshakes--;
        }
        closePublication(connection);
        if (Connection.NO_REGISTRATION != connection.registrationId)
        {
            aeron.asyncRemovePublication(connection.registrationId);
        }
    }

    private static void closePublication(final Connection connection)
    {
        CloseHelper.quietClose(connection.publication);
        connection.publication = null;
        connection.out.clear();
    }

    private void counted(final boolean isQueued)
    {
        counted(isQueued, counters.answersDropped);
    }

    private static void counted(final boolean isQueued, final AtomicCounter dropped)
    {
        if (!isQueued)
        {
            dropped.incrementRelease();
        }
    }
}
