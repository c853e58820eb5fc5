package io.escapement.gateway;

import io.escapement.config.ConfigException;
import java.util.concurrent.TimeUnit;

/** How much of a gateway one player, one address and one worker may use, and for how long it waits for them. */
public final class GatewayLimits
{
    /** Default of {@link #connectionLimit(int)}. */
    public static final int CONNECTION_LIMIT_DEFAULT = 10_000;
    /** Default of {@link #ungreetedLimit(int)}. */
    public static final int UNGREETED_LIMIT_DEFAULT = 1_024;
    /** Default of {@link #acceptRate(int)}. */
    public static final int ACCEPT_RATE_DEFAULT = 2_000;
    /** Default of {@link #addressLimit(int)}. */
    public static final int ADDRESS_LIMIT_DEFAULT = 64;
    /** Default of {@link #addressRate(int)}. */
    public static final int ADDRESS_RATE_DEFAULT = 20;
    /** Default of {@link #logInRate(int)}. */
    public static final int LOG_IN_RATE_DEFAULT = 10;
    /** Default of {@link #logInQueueLimit(int)}: about ten seconds of an account service. */
    public static final int LOG_IN_QUEUE_LIMIT_DEFAULT = 1_024;
    /** Default of {@link #roomLimit(int)}. */
    public static final int ROOM_LIMIT_DEFAULT = 4;
    /** Default of {@link #messageRate(int)}. */
    public static final int MESSAGE_RATE_DEFAULT = 60;
    /** Default of {@link #byteRate(int)}. */
    public static final int BYTE_RATE_DEFAULT = 32 * 1_024;
    /** Default of {@link #stateQueueLimit(int)}. */
    public static final int STATE_QUEUE_LIMIT_DEFAULT = 32 * 1_024;
    /** Default of {@link #queueLimit(int)}. */
    public static final int QUEUE_LIMIT_DEFAULT = 256 * 1_024;
    /** Default of {@link #totalQueueLimit(long)}. */
    public static final long TOTAL_QUEUE_LIMIT_DEFAULT = 256L * 1_024 * 1_024;

    private int connectionLimit = CONNECTION_LIMIT_DEFAULT;
    private int ungreetedLimit = UNGREETED_LIMIT_DEFAULT;
    private int acceptRate = ACCEPT_RATE_DEFAULT;
    private int addressLimit = ADDRESS_LIMIT_DEFAULT;
    private int addressRate = ADDRESS_RATE_DEFAULT;
    private int logInRate = LOG_IN_RATE_DEFAULT;
    private int logInQueueLimit = LOG_IN_QUEUE_LIMIT_DEFAULT;
    private int roomLimit = ROOM_LIMIT_DEFAULT;
    private int messageRate = MESSAGE_RATE_DEFAULT;
    private int byteRate = BYTE_RATE_DEFAULT;
    private int stateQueueLimit = STATE_QUEUE_LIMIT_DEFAULT;
    private int queueLimit = QUEUE_LIMIT_DEFAULT;
    private long totalQueueLimit = TOTAL_QUEUE_LIMIT_DEFAULT;
    private long graceNs = TimeUnit.SECONDS.toNanos(30);
    private long handshakeNs = TimeUnit.SECONDS.toNanos(5);
    private long logInNs = TimeUnit.SECONDS.toNanos(60);
    private long pingNs = TimeUnit.SECONDS.toNanos(10);
    private long idleNs = TimeUnit.SECONDS.toNanos(25);
    private long slowNs = TimeUnit.SECONDS.toNanos(10);
    private long floodNs = TimeUnit.SECONDS.toNanos(10);
    private long requestNs = TimeUnit.SECONDS.toNanos(10);
    private boolean isConcluded;

    GatewayLimits()
    {
    }

    /**
     * Connections of each worker with a Hello, and sessions without a connection. Connections over it are answered 503,
     * or closed as FULL after an upgrade. 64 returning players are admitted beyond it. Default 10,000.
     *
     * @param value above 0.
     */
    public GatewayLimits connectionLimit(final int value)
    {
        checkOpen();
        connectionLimit = value;
        return this;
    }

    /**
     * Connections of each worker without a Hello, and 64 with the token of a session. For a connection over it, the
     * oldest connection of the fullest network is closed. If no network is fuller than another and strangers connect at
     * {@link #acceptRate}, each connection gets this limit divided by that rate. That time should be several round
     * trips: half a second. Default 1,024.
     *
     * @param value above 0.
     */
    public GatewayLimits ungreetedLimit(final int value)
    {
        checkOpen();
        ungreetedLimit = value;
        return this;
    }

    /**
     * Connections that a worker accepts per second, evenly spread. Others wait in the operating system's queue. It
     * bounds the time that strangers take from the worker's players. Default 2,000.
     *
     * @param value above 0.
     */
    public GatewayLimits acceptRate(final int value)
    {
        checkOpen();
        acceptRate = value;
        return this;
    }

    /**
     * Connections of one address. Of version 6, its first 64 bits count as an address, and its first 48 bits may have
     * 16 times as many. Behind a proxy that terminates TLS all players have its address: name it with
     * {@link GatewayContext#proxy}. Default 64.
     *
     * @param value above 0.
     */
    public GatewayLimits addressLimit(final int value)
    {
        checkOpen();
        addressLimit = value;
        return this;
    }

    /**
     * New connections of one address per second. Two and a half times as many at once. 16 times as many of the first 48
     * bits of version 6. Default 20.
     *
     * @param value above 0.
     */
    public GatewayLimits addressRate(final int value)
    {
        checkOpen();
        addressRate = value;
        return this;
    }

    /**
     * Log-ins of one address per minute. 16 times as many of the first 48 bits of version 6. Default 10.
     *
     * @param value above 0.
     */
    public GatewayLimits logInRate(final int value)
    {
        checkOpen();
        logInRate = value;
        return this;
    }

    /**
     * Log-ins of a worker that wait until the trunk takes them. Log-ins that {@link GatewayCredentials#isQuick} names
     * have a second queue of this length. Networks of players take turns. When a queue is full, the newest log-in of
     * the network that has most is answered TRY_LATER. Default 1,024.
     *
     * @param value above 0.
     */
    public GatewayLimits logInQueueLimit(final int value)
    {
        checkOpen();
        logInQueueLimit = value;
        return this;
    }

    /**
     * Rooms in which a player may be at once. Default 4.
     *
     * @param value above 0.
     */
    public GatewayLimits roomLimit(final int value)
    {
        checkOpen();
        roomLimit = value;
        return this;
    }

    /**
     * Messages of a connection per second. Twice as many at once. Others are refused as RATE_LIMITED. Default 60.
     *
     * @param value above 0.
     */
    public GatewayLimits messageRate(final int value)
    {
        checkOpen();
        messageRate = value;
        return this;
    }

    /**
     * Bytes of a connection's messages per second. Twice as many at once. Default 32 KiB.
     *
     * @param value above 0.
     */
    public GatewayLimits byteRate(final int value)
    {
        checkOpen();
        byteRate = value;
        return this;
    }

    /**
     * Queued bytes from which a player's states are dropped. Once a quarter is left, the room sends a full state.
     * Default 32 KiB.
     *
     * @param value above 0.
     */
    public GatewayLimits stateQueueLimit(final int value)
    {
        checkOpen();
        stateQueueLimit = value;
        return this;
    }

    /**
     * Queued bytes at which a connection is closed as SLOW_CONSUMER: events are never dropped. Default 256 KiB.
     *
     * @param value above 0.
     */
    public GatewayLimits queueLimit(final int value)
    {
        checkOpen();
        queueLimit = value;
        return this;
    }

    /**
     * Queued bytes of all connections of a worker: above it the longest queues are closed. Default 256 MiB.
     *
     * @param value above 0.
     */
    public GatewayLimits totalQueueLimit(final long value)
    {
        checkOpen();
        totalQueueLimit = value;
        return this;
    }

    /**
     * How long a session without a connection can be resumed. Default 30 s. The rooms' own grace should not be shorter.
     *
     * @param ns nanoseconds above 0.
     */
    public GatewayLimits graceNs(final long ns)
    {
        checkOpen();
        graceNs = ns;
        return this;
    }

    /**
     * How long a connection may take from its accept to Hello, TLS and the upgrade included. Each page before the
     * upgrade renews that time. Default 5 s.
     *
     * @param ns nanoseconds above 0.
     */
    public GatewayLimits handshakeNs(final long ns)
    {
        checkOpen();
        handshakeNs = ns;
        return this;
    }

    /**
     * How long a connection may be without a player. Default 60 s.
     *
     * @param ns nanoseconds above 0.
     */
    public GatewayLimits logInNs(final long ns)
    {
        checkOpen();
        logInNs = ns;
        return this;
    }

    /**
     * Interval of pings to the player's machine. Default 10 s.
     *
     * @param ns nanoseconds above 0.
     */
    public GatewayLimits pingNs(final long ns)
    {
        checkOpen();
        pingNs = ns;
        return this;
    }

    /**
     * Silence, pings included, after which a connection is closed as IDLE. Default 25 s.
     *
     * @param ns nanoseconds above 0.
     */
    public GatewayLimits idleNs(final long ns)
    {
        checkOpen();
        idleNs = ns;
        return this;
    }

    /**
     * How long a player's machine may take no bytes. Default 10 s.
     *
     * @param ns nanoseconds above 0.
     */
    public GatewayLimits slowNs(final long ns)
    {
        checkOpen();
        slowNs = ns;
        return this;
    }

    /**
     * How long a connection may be over its rate until it is closed as FLOOD. Default 10 s.
     *
     * @param ns nanoseconds above 0.
     */
    public GatewayLimits floodNs(final long ns)
    {
        checkOpen();
        floodNs = ns;
        return this;
    }

    /**
     * How long a log-in or a join may wait for the engine. Default 10 s. Keep it above the time that rooms may take to
     * decide on a join.
     *
     * @param ns nanoseconds above 0.
     */
    public GatewayLimits requestNs(final long ns)
    {
        checkOpen();
        requestNs = ns;
        return this;
    }

    void conclude()
    {
        positive("connectionLimit", connectionLimit);
        positive("ungreetedLimit", ungreetedLimit);
        positive("acceptRate", acceptRate);
        positive("addressLimit", addressLimit);
        positive("addressRate", addressRate);
        positive("logInRate", logInRate);
        positive("logInQueueLimit", logInQueueLimit);
        positive("roomLimit", roomLimit);
        positive("messageRate", messageRate);
        positive("byteRate", byteRate);
        positive("limits.stateQueueLimit", stateQueueLimit);
        positive("queueLimit", queueLimit);
        positive("totalQueueLimit", totalQueueLimit);
        positive("graceNs", graceNs);
        positive("handshakeNs", handshakeNs);
        positive("logInNs", logInNs);
        positive("limits.pingNs", pingNs);
        positive("idleNs", idleNs);
        positive("slowNs", slowNs);
        positive("floodNs", floodNs);
        positive("requestNs", requestNs);
        ConfigException.check(stateQueueLimit <= queueLimit, "limits.stateQueueLimit", stateQueueLimit,
            "use at most queueLimit");
        ConfigException.check(pingNs < idleNs, "limits.pingNs", pingNs, "use less than idleNs");
        isConcluded = true;
    }

    private static void positive(final String option, final long value)
    {
        ConfigException.check(value > 0, "limits." + option, value, "use a number above 0");
    }

    private void checkOpen()
    {
        if (isConcluded)
        {
            throw new IllegalStateException("the limits belong to a launched gateway");
        }
    }

    int connectionLimit()
    {
        return connectionLimit;
    }

    int acceptRate()
    {
        return acceptRate;
    }

    int ungreetedLimit()
    {
        return ungreetedLimit;
    }

    int addressLimit()
    {
        return addressLimit;
    }

    int addressRate()
    {
        return addressRate;
    }

    int logInRate()
    {
        return logInRate;
    }

    int logInQueueLimit()
    {
        return logInQueueLimit;
    }

    int roomLimit()
    {
        return roomLimit;
    }

    int messageRate()
    {
        return messageRate;
    }

    int byteRate()
    {
        return byteRate;
    }

    int stateQueueLimit()
    {
        return stateQueueLimit;
    }

    int queueLimit()
    {
        return queueLimit;
    }

    long totalQueueLimit()
    {
        return totalQueueLimit;
    }

    long graceNs()
    {
        return graceNs;
    }

    long handshakeNs()
    {
        return handshakeNs;
    }

    long logInNs()
    {
        return logInNs;
    }

    long pingNs()
    {
        return pingNs;
    }

    long idleNs()
    {
        return idleNs;
    }

    long slowNs()
    {
        return slowNs;
    }

    long floodNs()
    {
        return floodNs;
    }

    long requestNs()
    {
        return requestNs;
    }
}
