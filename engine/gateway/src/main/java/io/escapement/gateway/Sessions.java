package io.escapement.gateway;

import io.escapement.client.SendStatus;
import io.escapement.codecs.Codes;
import io.escapement.codecs.player.CloseCode;
import io.escapement.codecs.player.GatewayCode;
import io.escapement.codecs.player.JoinDecoder;
import io.escapement.codecs.player.LeaveDecoder;
import io.escapement.codecs.player.MessageDecoder;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.TrunkCode;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The sessions and connections of one worker, and their use of its trunk. Its own thread calls everything here. It
 * knows neither sockets nor Aeron.
 */
final class Sessions implements Upstream.Listener
{
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long SPREAD_NS = TimeUnit.SECONDS.toNanos(5);
    /** Ordinal of the engine's {@code AwayReason.MOVED}. */
    private static final int MOVED = 1;

    private final GatewayContext context;
    private final GatewayLimits limits;
    private final GatewayCounters counters;
    private final NanoClock clock;
    private final SharedMessage shared;
    private final SecureRandom random;
    private final PlayerProxy proxy = new PlayerProxy();
    private final PlayerAdapter adapter = new PlayerAdapter(this);
    private final Workers workers;
    private final ResumeTokens tokens;
    private final SessionTable table;
    private final Connections connections;
    private final PlayerLogIns logIns;
    private final Places places;
    private Upstream upstream;
    private long nowNs;
    private long tickDueNs;
    private boolean hasBeenUp;
    private boolean isDraining;
    private boolean hasFlushed;

    Sessions(
        final GatewayContext context,
        final GatewayCounters counters,
        final AddressLimits addresses,
        final SharedMessage shared,
        final ResumeTokens tokens,
        final Workers workers)
    {
        this.context = context;
        limits = context.limits();
        this.counters = counters;
        this.shared = shared;
        this.tokens = tokens;
        this.workers = workers;
        clock = context.clock();
        random = context.random();
        nowNs = clock.nanoTime();
        tickDueNs = nowNs;
        connections = new Connections(counters);
        table = new SessionTable(random, tokens, workers.number(), limits.connectionLimit());
        logIns = new PlayerLogIns(this, context.credentials(), addresses, workers);
        places = new Places(this);
    }

    /** The trunk, which has this as its listener. */
    void upstream(final Upstream value)
    {
        upstream = value;
        places.upstream(value);
        logIns.upstream(value);
    }

    GatewayLimits limits()
    {
        return limits;
    }

    GatewayCounters counters()
    {
        return counters;
    }

    PlayerProxy proxy()
    {
        return proxy;
    }

    long nowNs()
    {
        return nowNs;
    }

    PlayerAdapter adapter()
    {
        return adapter;
    }

    Connections connections()
    {
        return connections;
    }

    /** Of the sessions of all workers. */
    ResumeTokens tokens()
    {
        return tokens;
    }

    /** Whether a player who connects now can play. */
    boolean isReady()
    {
        return upstream.isUp() && !isDraining;
    }

    int sessions()
    {
        return table.size();
    }

    /** The sessions, with and without a connection. */
    Iterable<PlayerSession> all()
    {
        return table.all();
    }

    // Connections

    /** A connection may be without a Hello until it is due. */
    PlayerConnection accept(final PlayerLink link, final String address, final long helloDueNs)
    {
        final PlayerConnection connection = new PlayerConnection(this, link, address, helloDueNs);
        connections.add(connection);
        return connection;
    }

    /** The worker that has a token's session, or this worker if the token names no other. */
    int workerOf(final long tokenHigh)
    {
        final int worker = SessionTable.workerOf(tokenHigh);
        return 0 != tokenHigh && workers.isOther(worker) ? worker : workers.number();
    }

    /** Whether this is the number of this worker. */
    boolean isHere(final int worker)
    {
        return worker == workers.number();
    }

    /** Hand a connection to the worker of its session. */
    void move(final PlayerConnection connection, final int worker)
    {
        counters.increment(GatewayCounter.CONNECTIONS_MOVED);
        connections.remove(connection);
        workers.move(connection, worker);
    }

    /** Take a connection that another worker handed over. */
    void arrive(final PlayerConnection connection, final boolean isFull)
    {
        if (!connection.isClosed())
        {
            connections.add(connection);
            connection.arrive(this, isFull);
        }
    }

    void onLogInElsewhere(final long playerId, final long order)
    {
        logIns.onLogInElsewhere(playerId, order);
    }

    PlayerLogIns logIns()
    {
        return logIns;
    }

    /** Read the clock, which callbacks of this turn use. */
    void beginTurn()
    {
        nowNs = clock.nanoTime();
    }

    /** After sockets and trunk were polled: orders, held messages, timers, then everything queued in one flush each. */
    int endTurn()
    {
        int work = logIns.send() + places.advance(nowNs);
        if (connections.isBlocked() && upstream.flush())
        {
            work += connections.unblock();
        }
        if (nowNs - tickDueNs >= 0)
        {
            tickDueNs = nowNs + TICK_NS;
            tick();
        }
        final int flushed = connections.flush(nowNs);
        hasFlushed = flushed > 0;
        return work + flushed;
    }

    /** Whether the last turn flushed a connection. */
    boolean hasFlushed()
    {
        return hasFlushed;
    }

    private void tick()
    {
        connections.tick(nowNs, limits.totalQueueLimit());
        expireSessions();
        logIns.tick(nowNs);
        places.tick(nowNs);
        counters.gauges(connections, table, places, upstream);
    }

    private void expireSessions()
    {
        for (PlayerSession over = table.over(nowNs, limits.graceNs()); null != over;
            over = table.over(nowNs, limits.graceNs()))
        {
            counters.increment(GatewayCounter.SESSIONS_EXPIRED);
            end(over);
        }
    }

    /** A connection was closed, here or by the player's machine. */
    void onConnectionClosed(final PlayerConnection connection, final CloseCode code)
    {
        connections.remove(connection);
        final PlayerSession session = connection.session();
        if (null == session || session.connection != connection)
        {
            return;
        }
        session.connection = null;
        final boolean isWorthless = !session.isLoggedIn && CloseCode.REPLACED != code;
        if (isWorthless || session.isVoid || CloseCode.ENGINE_LOST == code || CloseCode.GOING_AWAY == code ||
            CloseCode.NORMAL == code)
        {
            end(session);
        }
        else
        {
            table.detach(session, nowNs);
            places.detach(session);
        }
    }

    // Requests of players

    void hello(final PlayerConnection connection, final long tokenHigh, final long tokenLow)
    {
        if (isDraining)
        {
            connection.close(CloseCode.GOING_AWAY);
            return;
        }
        PlayerSession known = table.find(tokenHigh, tokenLow);
        if (null != known && known.isVoid)
        {
            known.connection.close(CloseCode.ENGINE_LOST);
            known = null;
        }
        if (!connection.link().greet(null != known && known.isLoggedIn))
        {
            connection.close(CloseCode.FULL);
            return;
        }
        final PlayerSession session = null == known ? new PlayerSession() : known;
        if (null == known)
        {
            counters.increment(GatewayCounter.SESSIONS_OPENED);
        }
        else
        {
            counters.increment(GatewayCounter.SESSIONS_RESUMED);
            if (null != session.connection)
            {
                session.connection.close(CloseCode.REPLACED);
            }
            table.attach(session);
        }
        table.putWithNewToken(session);
        session.connection = connection;
        connection.session(session);
        proxy.welcome(connection, session, ms(limits.graceNs()), ms(limits.pingNs()), upstream.serverTimeNs(),
            null != known);
        if (!upstream.isUp())
        {
            proxy.engineAway(connection, ms(limits.graceNs()));
        }
        places.attach(session);
    }

    void join(
        final PlayerSession session,
        final long requestId,
        final long roomId,
        final boolean isSpectator,
        final UnsafeBuffer args)
    {
        final Place known = session.placeIn(roomId);
        final boolean isAway = null != known && Place.State.AWAY == known.state;
        int code = 0;
        if (!session.isLoggedIn)
        {
            code = GatewayCode.NOT_LOGGED_IN.value();
        }
        else if (!upstream.isUp())
        {
            code = GatewayCode.ENGINE_UNREACHABLE.value();
        }
        else if (null != known && !isAway)
        {
            code = RefusalCode.ALREADY_JOINED.value();
        }
        else if (null == known && session.places.size() >= limits.roomLimit())
        {
            code = GatewayCode.TOO_MANY_ROOMS.value();
        }
        if (0 != code)
        {
            refuse(session.connection, roomId, requestId, JoinDecoder.TEMPLATE_ID, code);
            return;
        }
        places.join(session, known, requestId, roomId, isSpectator, args);
    }

    /** Free a seat, or withdraw the join of one. */
    void leave(final PlayerSession session, final long roomId, final int code)
    {
        final Place place = session.placeIn(roomId);
        if (null != place && Place.State.JOINING == place.state && null == place.seat)
        {
            places.cancel(place);
        }
        else if (null == place || Place.State.SEATED != place.state)
        {
            refuse(session.connection, roomId, 0, LeaveDecoder.TEMPLATE_ID, RefusalCode.NOT_JOINED.value());
        }
        else
        {
            places.leave(place, code);
        }
    }

    /** Send a player's message. Returns false if the trunk does not take it now. */
    boolean message(final PlayerSession session, final MessageDecoder message)
    {
        final long roomId = message.roomId();
        final Place place = session.placeIn(roomId);
        if (null == place || Place.State.SEATED != place.state)
        {
            refuse(session.connection, roomId, 0, MessageDecoder.TEMPLATE_ID, RefusalCode.NOT_JOINED.value());
            return true;
        }
        final int length = message.payloadLength();
        final SendStatus status = upstream.send(
            place.seat, message.buffer(), message.limit() + MessageDecoder.payloadHeaderLength(), length);
        // A trunk that is back connects the streams of its loops one after another, and then has the seats back.
        if (SendStatus.BACK_PRESSURED == status || SendStatus.NOT_READY == status && upstream.isUp())
        {
            return false;
        }
        if (SendStatus.SENT != status)
        {
            refuseMessage(session, place, GatewayCode.ENGINE_UNREACHABLE.value());
        }
        return true;
    }

    /** Refuse a message over the rate, which counts among the player's messages to the room. */
    void refuseByRate(final PlayerSession session, final long roomId, final int templateId, final boolean isReported)
    {
        final Place place = MessageDecoder.TEMPLATE_ID == templateId ? session.placeIn(roomId) : null;
        if (null != place && Place.State.SEATED == place.state)
        {
            place.seat.skipSequence();
        }
        if (isReported)
        {
            refuse(session.connection, roomId, null == place || null == place.seat ? 0 :
                place.seat.sequence() - place.firstSequence, templateId, TrunkCode.RATE_LIMITED.value());
        }
    }

    private void refuseMessage(final PlayerSession session, final Place place, final int code)
    {
        place.seat.skipSequence();
        refuse(session.connection, place.roomId, place.seat.sequence() - place.firstSequence,
            MessageDecoder.TEMPLATE_ID, code);
    }

    void ping(final PlayerConnection connection, final long clientTimeNs)
    {
        proxy.pong(connection, clientTimeNs, upstream.serverTimeNs());
    }

    /** The player leaves for good: its seats are free. */
    void goodbye(final PlayerSession session)
    {
        for (int i = session.places.size() - 1; i >= 0; i--)
        {
            if (Place.State.SEATED == session.places.get(i).state)
            {
                places.leave(session.places.get(i), 0);
            }
        }
    }

    void refuse(
        final PlayerConnection connection,
        final long roomId,
        final long reference,
        final int templateId,
        final int code)
    {
        counters.refused(GatewayCounter.REQUESTS_OF_PLAYERS_REFUSED, code);
        if (null != connection)
        {
            proxy.refused(connection, roomId, reference, templateId, code);
        }
    }

    /** Forget a session. The engine holds its seats for the player. */
    void end(final PlayerSession session)
    {
        if (session.isOver)
        {
            return;
        }
        session.isOver = true;
        table.remove(session);
        logIns.remove(session);
        places.end(session);
    }

    /** Announce the end to every connection, and close each after a random part of the time. */
    void drain(final long withinNs)
    {
        isDraining = true;
        goAway(CloseCode.GOING_AWAY, withinNs);
    }

    private void goAway(final CloseCode code, final long withinNs)
    {
        connections.forEach((connection) ->
        {
            if (null != connection.session())
            {
                proxy.goAway(connection, code, ms(withinNs));
            }
            connection.closeAt(nowNs + (long)(random.nextDouble() * withinNs), code);
        });
    }

    // Callbacks of the trunk

    @Override
    public void onUp(final boolean isResumed)
    {
        logIns.onUp();
        if (!isResumed && hasBeenUp)
        {
            // The engine restarted, or no longer held the trunk. Every seat and token of it is void.
            places.forgetAll();
            for (final PlayerSession session : new ArrayList<>(table.all()))
            {
                if (null == session.connection)
                {
                    end(session);
                }
                else
                {
                    session.isVoid = true;
                    session.connection.closeAt(
                        nowNs + (long)(random.nextDouble() * SPREAD_NS), CloseCode.ENGINE_LOST);
                }
            }
        }
        else
        {
            connections.forEachGreeted(proxy::engineBack);
        }
        hasBeenUp = true;
    }

    @Override
    public void onDown(final int code, final boolean isFinal)
    {
        counters.increment(GatewayCounter.TRUNK_LOST);
        places.onTrunkDown();
        if (TrunkCode.ENGINE_STOPPING.value() == code)
        {
            goAway(CloseCode.STOPPING, SPREAD_NS);
        }
        if (!hasBeenUp)
        {
            return;
        }
        connections.forEachGreeted((connection) -> proxy.engineAway(connection, ms(limits.graceNs())));
        if (isFinal)
        {
            context.errorHandler().onError(
                new IllegalStateException("the engine ended the trunk: " + Codes.nameOf(code)));
        }
    }

    @Override
    public void onLogIn(
        final long requestId, final int status, final long playerId, final byte[] token, final byte[] sessionToken)
    {
        logIns.onAnswer(requestId, status, playerId, token, sessionToken);
    }

    @Override
    public void onJoined(
        final long requestId, final TrunkSeat seat, final DirectBuffer answer, final int offset, final int length)
    {
        places.onJoined(requestId, seat, answer, offset, length);
    }

    @Override
    public void onSeatResumed(final TrunkSeat seat)
    {
        places.onSeatResumed(seat);
    }

    @Override
    public void onSeatAway(final TrunkSeat seat, final int reason)
    {
        places.onSeatAway(seat, reason, MOVED == reason);
    }

    @Override
    public void onLeft(final TrunkSeat seat, final int reason, final int code)
    {
        places.onLeft(seat, reason, code);
    }

    @Override
    public void onRefused(
        final int templateId, final long roomId, final int seatIndex, final long reference, final int code)
    {
        places.onRefused(templateId, roomId, seatIndex, reference, code);
    }

    @Override
    public void onRoomMessage(
        final long roomId,
        final boolean isState,
        final long turn,
        final List<? extends TrunkSeat> seats,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        boolean isEncoded = false;
        try
        {
            for (int i = 0; i < seats.size(); i++)
            {
                final Place place = seats.get(i).place();
                if (null != place && null != place.session.connection && Place.State.SEATED == place.state)
                {
                    if (!isEncoded)
                    {
                        proxy.roomMessage(shared, isState, roomId, turn, buffer, offset, length);
                        isEncoded = true;
                    }
                    send(place, isState, length);
                }
            }
        }
        finally
        {
            if (isEncoded)
            {
                shared.release();
            }
        }
    }

    private void send(final Place place, final boolean isState, final int length)
    {
        final PlayerConnection connection = place.session.connection;
        if (!isState)
        {
            connection.sendEvent(shared, length);
        }
        else if (!connection.sendState(shared, length))
        {
            counters.increment(GatewayCounter.STATES_DROPPED);
            places.onStateDropped(place);
        }
    }

    private static int ms(final long ns)
    {
        return (int)TimeUnit.NANOSECONDS.toMillis(ns);
    }
}
