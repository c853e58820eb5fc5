package io.escapement.gateway;

import io.escapement.client.SendStatus;
import io.escapement.codecs.player.CloseCode;
import io.escapement.codecs.player.GatewayCode;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.ratelimit.AddressPrefix;
import io.escapement.ratelimit.FairQueue;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * Log-ins of a worker: waiting log-ins, log-ins under way, and the one session of each player. The trunk carries a
 * limited number of log-ins at once. The networks of players take turns. Quick log-ins and passwords have separate
 * queues and places, because the engine's service hashes passwords, which is slow.
 */
final class PlayerLogIns
{
    /** The protocol allows 64 per trunk. */
    static final int OPEN_LIMIT = 60;
    /** Log-ins of one kind under way: they leave 12 places for the other kind. */
    static final int OPEN_OF_KIND = 48;
    private static final byte[] NONE = {};

    /** The engine answers for its service after 30 s, and a margin. */
    private static final long ENGINE_ANSWERS_NS = TimeUnit.SECONDS.toNanos(32);

    private static final class LogIn
    {
        private final Kind kind;
        private final PlayerSession session;
        private final long requestId;
        private final long dueNs;
        /** Until they are sent. */
        private byte[] credentials;
        private long trunkRequestId;
        /** Whether it has a place at the trunk. */
        private boolean isOpen;

        LogIn(
            final Kind kind,
            final PlayerSession session,
            final long requestId,
            final byte[] credentials,
            final long dueNs)
        {
            this.kind = kind;
            this.session = session;
            this.requestId = requestId;
            this.credentials = credentials;
            this.dueNs = dueNs;
        }

        void open(final long id)
        {
            trunkRequestId = id;
            credentials = null;
            isOpen = true;
            kind.open++;
        }

        void close()
        {
            kind.open -= isOpen ? 1 : 0;
            isOpen = false;
        }
    }

    private static final class Kind
    {
        private final FairQueue<LogIn> queue;
        /** Under way. */
        private int open;

        Kind(final int queueLimit)
        {
            queue = new FairQueue<>(queueLimit);
        }
    }

    private final Kind quick;
    private final Kind passwords;
    private final Long2ObjectHashMap<LogIn> openByRequestMap = new Long2ObjectHashMap<>();
    /** Answered late here, while the engine still has them. They keep their places, or it would refuse others. */
    private final Long2ObjectHashMap<LogIn> lateByRequestMap = new Long2ObjectHashMap<>();
    private final Long2ObjectHashMap<PlayerSession> sessionByPlayerMap = new Long2ObjectHashMap<>();
    private final ArrayList<LogIn> late = new ArrayList<>();
    private final Sessions sessions;
    private final GatewayCredentials credentials;
    private final AddressLimits addresses;
    private final Workers workers;
    private Upstream upstream;
    private long lastRequestId;

    PlayerLogIns(
        final Sessions sessions,
        final GatewayCredentials credentials,
        final AddressLimits addresses,
        final Workers workers)
    {
        this.sessions = sessions;
        this.credentials = credentials;
        this.addresses = addresses;
        this.workers = workers;
        quick = new Kind(sessions.limits().logInQueueLimit());
        passwords = new Kind(sessions.limits().logInQueueLimit());
    }

    void upstream(final Upstream value)
    {
        upstream = value;
    }

    /** Queue a log-in of a player, or refuse it. */
    void logIn(
        final PlayerConnection connection, final long requestId, final byte[] opaque, final boolean isOverLimit)
    {
        final PlayerSession session = connection.session();
        int code = 0;
        if (session.isLogInOpen)
        {
            code = GatewayCode.ALREADY_LOGGED_IN.value();
        }
        else if (isOverLimit || !addresses.tryLogIn(connection.address(), sessions.nowNs()))
        {
            code = GatewayCode.TOO_MANY_LOG_INS.value();
        }
        else if (!upstream.isUp())
        {
            code = GatewayCode.ENGINE_UNREACHABLE.value();
        }
        else
        {
            final byte[] translated = credentials.toTrunk(opaque, connection.address());
            if (null != translated)
            {
                session.isLogInOpen = true;
                add(connection, requestId, translated, credentials.isQuick(opaque) ? quick : passwords);
                return;
            }
            code = TrunkCode.BAD_CREDENTIALS.value();
        }
        sessions.counters().refused(GatewayCounter.LOG_INS_REFUSED, code);
        sessions.proxy().loggedIn(connection, requestId, code, 0, NONE);
    }

    private void add(
        final PlayerConnection connection, final long requestId, final byte[] translated, final Kind kind)
    {
        final LogIn displaced = kind.queue.offer(AddressPrefix.of(connection.address()), new LogIn(
            kind, connection.session(), requestId, translated, sessions.nowNs() + sessions.limits().requestNs()));
        if (null != displaced)
        {
            answer(displaced, GatewayCode.TRY_LATER.value(), 0, NONE, NONE);
        }
    }

    /** Send as many as the trunk takes. */
    int send()
    {
        return send(quick) + send(passwords);
    }

    private int send(final Kind kind)
    {
        int sent = 0;
        while (!kind.queue.isEmpty() && kind.open < OPEN_OF_KIND && quick.open + passwords.open < OPEN_LIMIT)
        {
            final LogIn next = kind.queue.peek();
            if (!next.session.isOver)
            {
                if (SendStatus.SENT != upstream.logIn(lastRequestId + 1, next.credentials))
                {
                    return sent;
                }
                openByRequestMap.put(++lastRequestId, next);
                next.open(lastRequestId);
                sent++;
            }
            kind.queue.poll();
        }
        return sent;
    }

    void onAnswer(
        final long trunkRequestId,
        final int status,
        final long playerId,
        final byte[] token,
        final byte[] sessionToken)
    {
        final LogIn answered = lateByRequestMap.remove(trunkRequestId);
        if (null != answered)
        {
            answered.close();
            return;
        }
        final LogIn logIn = openByRequestMap.remove(trunkRequestId);
        if (null != logIn)
        {
            logIn.close();
            answer(logIn, status, playerId, token, sessionToken);
        }
    }

    private void answer(
        final LogIn logIn,
        final int status,
        final long playerId,
        final byte[] token,
        final byte[] sessionToken)
    {
        final PlayerSession session = logIn.session;
        session.isLogInOpen = false;
        if (session.isOver)
        {
            return;
        }
        int code = status;
        if (0 == status && session.isLoggedIn && playerId != session.playerId)
        {
            code = GatewayCode.ALREADY_LOGGED_IN.value();
        }
        if (0 == code)
        {
            sessions.counters().increment(GatewayCounter.LOG_INS);
            session.isLoggedIn = true;
            session.playerId = playerId;
            session.playerToken = token;
            replace(sessionByPlayerMap.put(playerId, session), session);
            session.logInOrder = workers.onLogIn(playerId);
        }
        else
        {
            sessions.counters().refused(GatewayCounter.LOG_INS_REFUSED, code);
        }
        if (null != session.connection)
        {
            sessions.proxy().loggedIn(session.connection, logIn.requestId, code,
                0 == code ? playerId : 0, 0 == code ? sessionToken : NONE);
        }
    }

    /** A player has logged in at another worker. A player has one session: the last. */
    void onLogInElsewhere(final long playerId, final long order)
    {
        final PlayerSession session = sessionByPlayerMap.get(playerId);
        if (null != session && session.logInOrder < order)
        {
            replace(session, null);
        }
    }

    private void replace(final PlayerSession other, final PlayerSession by)
    {
        if (null != other && other != by)
        {
            sessions.counters().increment(GatewayCounter.SESSIONS_REPLACED);
            if (null != other.connection)
            {
                other.connection.close(CloseCode.REPLACED);
            }
            sessions.end(other);
        }
    }

    /** A session is over. */
    void remove(final PlayerSession session)
    {
        if (session.isLoggedIn && sessionByPlayerMap.get(session.playerId) == session)
        {
            sessionByPlayerMap.remove(session.playerId);
        }
    }

    /** Refuse every log-in that the engine has not answered in time. */
    void tick(final long nowNs)
    {
        if (!lateByRequestMap.isEmpty())
        {
            lateByRequestMap.values().removeIf((logIn) -> isOver(logIn, nowNs));
        }
        if (!openByRequestMap.isEmpty())
        {
            openByRequestMap.values().removeIf((logIn) -> nowNs - logIn.dueNs >= 0 && late.add(logIn));
        }
        late.forEach((logIn) -> lateByRequestMap.put(logIn.trunkRequestId, logIn));
        expire(quick, nowNs);
        expire(passwords, nowNs);
        for (final LogIn logIn : late)
        {
            answer(logIn, GatewayCode.TRY_LATER.value(), 0, NONE, NONE);
        }
        late.clear();
    }

    private static boolean isOver(final LogIn logIn, final long nowNs)
    {
        if (nowNs - logIn.dueNs < ENGINE_ANSWERS_NS)
        {
            return false;
        }
        logIn.close();
        return true;
    }

    /** The trunk is up again: the engine has answered log-ins while it was not. */
    void onUp()
    {
        openByRequestMap.values().forEach(LogIn::close);
        lateByRequestMap.values().forEach(LogIn::close);
        lateByRequestMap.clear();
    }

    private void expire(final Kind kind, final long nowNs)
    {
        if (!kind.queue.isEmpty())
        {
            kind.queue.removeIf((logIn) -> nowNs - logIn.dueNs >= 0 && late.add(logIn));
        }
    }
}
