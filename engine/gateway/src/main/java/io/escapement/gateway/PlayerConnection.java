package io.escapement.gateway;

import io.escapement.codecs.PlayerMessages;
import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.player.CloseCode;
import io.escapement.codecs.player.MessageDecoder;
import io.escapement.codecs.player.MessageHeaderDecoder;
import io.escapement.codecs.player.PlayerLayout;
import io.escapement.codecs.room.RefusalCode;
import io.escapement.ratelimit.TokenBuckets;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One connection of a player, from its first byte to its last: takes messages in, limits their rate, and watches the
 * bytes taken by the player's machine. It belongs to a session from Hello on.
 */
final class PlayerConnection
{
    /** Log-ins of one connection at once: a wrong password may be corrected twice. */
    static final int LOG_IN_LIMIT = 3;
    /** Time after which another is allowed, because a player's token expires while the connection lives. */
    static final long LOG_IN_INTERVAL_NS = TimeUnit.MINUTES.toNanos(5);
    private static final long REFUSAL_INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    /** A flood is over if no message was over the rate for this long. */
    private static final long FLOOD_PAUSE_NS = TimeUnit.SECONDS.toNanos(2);
    /** A player's messages that were read when the trunk became blocked: more than two packets. */
    static final int HELD_LIMIT = 16 * 1_024;
    private static final int UNKNOWN_VERSION = RefusalCode.UNKNOWN_VERSION.value();
    private static final long NEVER = Long.MAX_VALUE;

    private final PlayerLink link;
    private final String address;
    private final GatewayLimits limits;
    /** Of the worker that has this connection. */
    private Sessions sessions;
    private GatewayCounters counters;
    private final TokenBuckets messageRate;
    private final TokenBuckets byteRate;
    private final TokenBuckets logInRate = TokenBuckets.ofInterval(1, LOG_IN_INTERVAL_NS, LOG_IN_LIMIT);
    private final UnsafeBuffer heldView = new UnsafeBuffer(0, 0);
    private final long createdNs;
    private final long helloDueNs;
    private ArrayDeque<byte[]> held;
    private int heldBytes;
    private PlayerSession session;
    private long flushDelayNs;
    private long flushDueNs = NEVER;
    private long lastSignNs;
    private long pingDueNs;
    private long closeDueNs = NEVER;
    private CloseCode dueCode;
    private long seenQueueBytes;
    /** When its machine last took bytes, or had no bytes to take. */
    private long takenNs;
    private long overRateNs;
    private long floodNs;
    private long refusalDueNs;
    private boolean isOverRate;
    private boolean isClosed;
    /** On its way to another worker since its Hello. */
    private boolean isMoving;
    private boolean hasMoved;
    private int moveTo;
    /** Position in the list of connections. */
    int position;

    PlayerConnection(final Sessions sessions, final PlayerLink link, final String address, final long helloDueNs)
    {
        this.sessions = sessions;
        this.link = link;
        this.address = address;
        this.helloDueNs = helloDueNs;
        limits = sessions.limits();
        counters = sessions.counters();
        messageRate = TokenBuckets.ofRate(1, limits.messageRate(), 2 * limits.messageRate());
        byteRate = TokenBuckets.ofRate(1, limits.byteRate(), 2 * limits.byteRate());
        createdNs = sessions.nowNs();
        lastSignNs = createdNs;
        takenNs = createdNs;
        pingDueNs = createdNs + limits.pingNs();
    }

    PlayerLink link()
    {
        return link;
    }

    String address()
    {
        return address;
    }

    PlayerSession session()
    {
        return session;
    }

    boolean isClosed()
    {
        return isClosed;
    }

    /** A ping of the player's machine, which is answered within the rate of messages. */
    void onPing(final DirectBuffer buffer, final int length)
    {
        if (!isClosed && isWithinRate(length) && !isMoving)
        {
            beforeQueueing();
            link.pong(buffer, 0, length);
        }
    }

    /** The answer to a ping, or one without it: the protocol allows both. */
    void onPong(final int length)
    {
        if (!isClosed)
        {
            isWithinRate(length);
        }
    }

    /** A fragment that is not the last of its message. It counts as a message for the rate, because it may be empty. */
    void onFragment()
    {
        if (!isClosed)
        {
            isWithinRate(0);
        }
    }

    /** Handle a binary message. */
    void onMessage(final DirectBuffer buffer, final int offset, final int length)
    {
        if (isClosed)
        {
            return;
        }
        counters.increment(GatewayCounter.MESSAGES_RECEIVED);
        counters.add(GatewayCounter.RECEIVED_BYTES, length);
        final int code = PlayerLayout.RULES.validate(buffer, offset, length);
        if (UNKNOWN_VERSION == code)
        {
            close(CloseCode.PROTOCOL_VERSION);
        }
        else if (0 != code || SchemaRules.templateId(buffer, offset) >= PlayerMessages.FIRST_REPLY)
        {
            close(CloseCode.MALFORMED);
        }
        else if (!isWithinRate(length))
        {
            refuseByRate(buffer, offset);
        }
        else if (isHolding() || !dispatch(buffer, offset))
        {
            hold(buffer, offset, length);
        }
        else if (isMoving)
        {
            keep(buffer, offset, length);
            leave();
        }
    }

    /** Handle the messages that the blocked trunk did not take. Returns false while it does not take them. */
    boolean retry()
    {
        while (isHolding() && !isClosed)
        {
            heldView.wrap(held.peek());
            if (!dispatch(heldView, 0))
            {
                return false;
            }
            heldBytes -= held.remove().length;
        }
        if (!isClosed)
        {
            link.isReading(true);
        }
        return true;
    }

    private boolean isHolding()
    {
        return null != held && !held.isEmpty();
    }

    private void hold(final DirectBuffer buffer, final int offset, final int length)
    {
        final boolean isFirst = !isHolding();
        if (keep(buffer, offset, length) && isFirst)
        {
            link.isReading(false);
            sessions.connections().onBlocked(this);
        }
    }

    private boolean keep(final DirectBuffer buffer, final int offset, final int length)
    {
        if (null == held)
        {
            held = new ArrayDeque<>();
        }
        if (heldBytes + length > HELD_LIMIT)
        {
            close(CloseCode.FLOOD);
            return false;
        }
        final byte[] copy = new byte[length];
        buffer.getBytes(offset, copy);
        held.add(copy);
        heldBytes += length;
        return true;
    }

    /** Go to the worker of the session that Hello names. It handles Hello and later messages. */
    private void leave()
    {
        link.isReading(false);
        if (NEVER != flushDueNs)
        {
            sessions.connections().onMoved(this);
            flushDueNs = NEVER;
            link.flush();
        }
        sessions.move(this, moveTo);
    }

    /** Go on at another worker, unless that is full. */
    void arrive(final Sessions there, final boolean isFull)
    {
        sessions = there;
        counters = there.counters();
        isMoving = false;
        if (isFull)
        {
            close(CloseCode.FULL);
        }
        else if (!retry())
        {
            sessions.connections().onBlocked(this);
        }
    }

    /** Count a frame, which is a sign of life. One over the rate is to be ignored. */
    private boolean isWithinRate(final int length)
    {
        final long nowNs = sessions.nowNs();
        lastSignNs = nowNs;
        if (messageRate.tryTake(0, nowNs) && length == byteRate.take(0, length, nowNs))
        {
            return true;
        }
        counters.increment(GatewayCounter.RATE_LIMITED);
        if (!isOverRate || nowNs - overRateNs > FLOOD_PAUSE_NS)
        {
            floodNs = nowNs;
            isOverRate = true;
            refusalDueNs = nowNs;
        }
        overRateNs = nowNs;
        if (nowNs - floodNs > limits.floodNs())
        {
            close(CloseCode.FLOOD);
        }
        return false;
    }

    /** Report a message over the rate, once per second. */
    private void refuseByRate(final DirectBuffer buffer, final int offset)
    {
        if (isClosed || null == session)
        {
            return;
        }
        final long nowNs = sessions.nowNs();
        final boolean isReported = nowNs - refusalDueNs >= 0;
        refusalDueNs = isReported ? nowNs + REFUSAL_INTERVAL_NS : refusalDueNs;
        final int templateId = SchemaRules.templateId(buffer, offset);
        final long roomId = MessageDecoder.TEMPLATE_ID == templateId ? buffer.getLong(
            offset + MessageHeaderDecoder.ENCODED_LENGTH, ByteOrder.LITTLE_ENDIAN) : 0;
        sessions.refuseByRate(session, roomId, templateId, isReported);
    }

    /** Returns false for a message that the trunk does not take now. */
    private boolean dispatch(final DirectBuffer buffer, final int offset)
    {
        return sessions.adapter().handle(this, buffer, offset);
    }

    void hello(final int flushMs, final long tokenHigh, final long tokenLow)
    {
        flushDelayNs = TimeUnit.MILLISECONDS.toNanos(Math.min(flushMs, PlayerMessages.MAX_FLUSH_MS));
        moveTo = sessions.workerOf(tokenHigh);
        if (!hasMoved && !sessions.isHere(moveTo))
        {
            isMoving = true;
            hasMoved = true;
            return;
        }
        sessions.hello(this, tokenHigh, tokenLow);
    }

    void logIn(final long requestId, final byte[] credentials)
    {
        sessions.logIns().logIn(this, requestId, credentials, !logInRate.tryTake(0, sessions.nowNs()));
    }

    void session(final PlayerSession value)
    {
        session = value;
        sessions.connections().onGreeted();
    }

    /** Queue a message from the gateway itself. */
    void send(final DirectBuffer buffer, final int length)
    {
        if (!isClosed)
        {
            beforeQueueing();
            link.send(buffer, 0, length);
            count(length);
        }
    }

    /** Queue an event, which is never dropped while the connection lives. */
    void sendEvent(final SharedMessage message, final int length)
    {
        if (!isClosed)
        {
            beforeQueueing();
            link.send(message);
            count(length);
        }
    }

    /** Queue a state. If the player's machine does not take the queued bytes, returns false and drops the state. */
    boolean sendState(final SharedMessage message, final int length)
    {
        if (isClosed || link.queuedBytes() > limits.stateQueueLimit())
        {
            return isClosed;
        }
        beforeQueueing();
        link.send(message);
        count(length);
        return true;
    }

    private void count(final int length)
    {
        counters.increment(GatewayCounter.MESSAGES_SENT);
        counters.add(GatewayCounter.SENT_BYTES, length);
    }

    private void beforeQueueing()
    {
        if (NEVER == flushDueNs)
        {
            watchQueue(sessions.nowNs());
            flushDueNs = sessions.nowNs() + flushDelayNs;
            sessions.connections().onQueued(this);
        }
    }

    /** Note whether the player's machine has taken bytes. The queue is shorter then, unless more was queued between. */
    private void watchQueue(final long nowNs)
    {
        final long queued = link.queuedBytes();
        if (0 == queued || queued < seenQueueBytes)
        {
            takenNs = nowNs;
        }
        seenQueueBytes = queued;
    }

    /** Flush if that is due, and return whether all bytes are flushed. */
    boolean flush(final long nowNs)
    {
        if (!isClosed && nowNs - flushDueNs < 0)
        {
            return false;
        }
        flushDueNs = NEVER;
        if (!isClosed)
        {
            link.flush();
            watchQueue(nowNs);
            if (link.queuedBytes() > limits.queueLimit())
            {
                close(CloseCode.SLOW_CONSUMER);
            }
        }
        return true;
    }

    long queuedBytes()
    {
        return isClosed ? 0 : link.queuedBytes();
    }

    /** Whether a full state would reach the player soon. */
    boolean isDrained()
    {
        return link.queuedBytes() < limits.stateQueueLimit() / 4;
    }

    /** Close at this time, unless an earlier close is due. */
    void closeAt(final long ns, final CloseCode code)
    {
        if (NEVER == closeDueNs || ns - closeDueNs < 0)
        {
            closeDueNs = ns;
            dueCode = code;
        }
    }

    /** Timers, several times per second. */
    void tick(final long nowNs)
    {
        watchQueue(nowNs);
        if (NEVER != closeDueNs && nowNs - closeDueNs >= 0)
        {
            close(dueCode);
        }
        else if (null == session && nowNs - helloDueNs >= 0)
        {
            close(CloseCode.HANDSHAKE_TIMEOUT);
        }
        else if (null != session && !session.isLoggedIn && nowNs - createdNs > limits.logInNs())
        {
            close(CloseCode.NOT_LOGGED_IN);
        }
        else if (nowNs - lastSignNs > limits.idleNs())
        {
            close(CloseCode.IDLE);
        }
        else if (nowNs - takenNs > limits.slowNs())
        {
            close(CloseCode.SLOW_CONSUMER);
        }
        else if (nowNs - pingDueNs >= 0)
        {
            pingDueNs = nowNs + limits.pingNs();
            beforeQueueing();
            link.ping();
        }
    }

    /** Close for a reason that the player's client receives. */
    void close(final CloseCode code)
    {
        if (!isClosed)
        {
            isClosed = true;
            counters.closed(code);
            if (!isMoving)
            {
                sessions.onConnectionClosed(this, code);
            }
            link.close(code);
        }
    }

    /** The socket is gone. */
    void onClosed()
    {
        if (!isClosed)
        {
            isClosed = true;
            if (!isMoving)
            {
                sessions.onConnectionClosed(this, null);
            }
        }
    }
}
