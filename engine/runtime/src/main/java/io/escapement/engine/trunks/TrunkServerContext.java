package io.escapement.engine.trunks;

import io.escapement.config.ConfigException;
import io.escapement.driver.Endpoints;
import io.escapement.engine.spi.Authenticator;
import io.escapement.engine.spi.LogInService;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.BitUtil;

/**
 * Options of the trunk server: where trunks connect, who may connect, and how much each may send. Frozen when an engine
 * is launched with it.
 */
public final class TrunkServerContext
{
    /** Default of {@link #limit(int)}. */
    public static final int LIMIT_DEFAULT = 64;

    /** Default of {@link #socketBuffer(int)}. */
    public static final int SOCKET_BUFFER_DEFAULT = 4 * 1_024 * 1_024;

    /** Default of {@link #termLength(int)}. */
    public static final int TERM_LENGTH_DEFAULT = 256 * 1_024;

    /** Default of {@link #queueLength(int)}. */
    public static final int QUEUE_LENGTH_DEFAULT = 4 * 1_024 * 1_024;

    /** Default of {@link #queueMemory(int)}. */
    public static final int QUEUE_MEMORY_DEFAULT = 32 * 1_024 * 1_024;

    /** Default of {@link #statePatienceNs(long)}. */
    public static final long STATE_PATIENCE_NS_DEFAULT = TimeUnit.MILLISECONDS.toNanos(16);

    /** Default of {@link #feedReceiversPerLink(int)}. */
    public static final int FEED_RECEIVERS_PER_LINK_DEFAULT = 8;

    /** Default of {@link #slowNs(long)}. */
    public static final long SLOW_NS_DEFAULT = TimeUnit.SECONDS.toNanos(10);

    /** Default of {@link #keepaliveNs(long)}. */
    public static final long KEEPALIVE_NS_DEFAULT = TimeUnit.SECONDS.toNanos(1);

    /** Default of {@link #graceNs(long)}. */
    public static final long GRACE_NS_DEFAULT = TimeUnit.SECONDS.toNanos(30);

    /** Default of {@link #playerTokenNs(long)}. */
    public static final long PLAYER_TOKEN_NS_DEFAULT = TimeUnit.HOURS.toNanos(1);

    /** Default rate of entries from one trunk to one loop. */
    public static final int TRUNK_RATE_DEFAULT = 4_000_000;

    /** Default rate of entries from one seat. */
    public static final int SEAT_RATE_DEFAULT = 1_000_000;

    /** Whether trunks of a secret get feeds where the application does not say it. */
    private static final boolean IS_FED_DEFAULT = Boolean.getBoolean("escapement.feed");
    private static final int MIN_TERM_LENGTH = 64 * 1_024;
    /** A few frames of thousands of players, and no more than guards admit by default. */
    private static final int MIN_FEED_TERM_LENGTH = 1_024 * 1_024;
    /** Eight of the longest messages. */
    private static final int MIN_QUEUE_LENGTH = 64 * 1_024;
    private static final int MAX_FRAME = 512 * 1_024 * 1_024;
    private static final int AS_FITS = 0;
    /** Two lost datagrams in a row are common. Three intervals of silence are not. */
    private static final int KEEPALIVES_MISSED = 3;
    /**
     * Hosts may hold as many handshakes as they leave free. The handshakes of all trunks therefore leave as many
     * places.
     */
    private static final int HANDSHAKES_PER_TRUNK = 2;

    private final List<Port> ports = new ArrayList<>();
    private boolean isIpc;
    private int socketBuffer = SOCKET_BUFFER_DEFAULT;
    private int termLength = TERM_LENGTH_DEFAULT;
    private int queueLength = QUEUE_LENGTH_DEFAULT;
    private int queueMemory = QUEUE_MEMORY_DEFAULT;
    private long statePatienceNs = STATE_PATIENCE_NS_DEFAULT;
    private int feedReceiversPerLink = FEED_RECEIVERS_PER_LINK_DEFAULT;
    private String feedGroup;
    private long slowNs = SLOW_NS_DEFAULT;
    private int largestFrame = AS_FITS;
    private int window;
    private int ipcWindow;
    private Authenticator authenticator;
    private LogInService logInService;
    private int limit = LIMIT_DEFAULT;
    private long playerTokenNs = PLAYER_TOKEN_NS_DEFAULT;
    private long graceNs = GRACE_NS_DEFAULT;
    private long keepaliveNs = KEEPALIVE_NS_DEFAULT;
    private int trunkRate = TRUNK_RATE_DEFAULT;
    private int seatRate = SEAT_RATE_DEFAULT;
    private Path tokenKeyFile;
    private boolean isConcluded;

    /**
     * Accept trunks over UDP. Each call adds a port. A busy trunk on its own port causes no garbage: the driver
     * allocates for every datagram with a different address than the datagram before.
     *
     * @param ingressEndpoint  to which clients send, host:port.
     * @param responseEndpoint from which response channels are sent, host:port.
     */
    public TrunkServerContext udp(final String ingressEndpoint, final String responseEndpoint)
    {
        checkOpen();
        ports.add(new Port(ingressEndpoint, responseEndpoint));
        return this;
    }

    /**
     * Accept trunks over shared memory, from processes that use the same driver. Default false.
     *
     * @param value whether to.
     */
    public TrunkServerContext ipc(final boolean value)
    {
        checkOpen();
        isIpc = value;
        return this;
    }

    /**
     * Length of the buffer of each UDP socket, lowered to the host's limit. Default 4 MiB. Flow control windows are
     * sized so that the windows of all trunks together fit into half of it.
     *
     * @param bytes of each socket.
     */
    public TrunkServerContext socketBuffer(final int bytes)
    {
        checkOpen();
        socketBuffer = bytes;
        return this;
    }

    /**
     * Term length of response channels. Default 256 KiB. Because a window is at most half a term, longer terms allow
     * more bytes in flight to a trunk. Each trunk takes three terms of memory per stream.
     *
     * @param bytes a power of two, at least 64 KiB.
     */
    public TrunkServerContext termLength(final int bytes)
    {
        checkOpen();
        termLength = bytes;
        return this;
    }

    /**
     * Maximum bytes of events, and of states, that a loop keeps for a trunk until it takes them. Default 4 MiB. While
     * events fill half of it, the engine does not read the trunk. If they exceed it, the trunk is closed with
     * SLOW_CONSUMER and can be resumed with its seats.
     *
     * @param bytes of each queue, per trunk and loop.
     */
    public TrunkServerContext queueLength(final int bytes)
    {
        checkOpen();
        queueLength = bytes;
        return this;
    }

    /**
     * Memory that the queues of all trunks share. A trunk uses it only for messages that cannot be sent at once.
     * Default 32 MiB. A trunk's share is the memory that the other trunks leave, up to {@link #queueLength}. If no
     * space is left for an event, the trunk with the longest queue of events is closed.
     *
     * @param bytes per loop.
     */
    public TrunkServerContext queueMemory(final int bytes)
    {
        checkOpen();
        queueMemory = bytes;
        return this;
    }

    /**
     * Threshold for sending a room's states through the feed. The room must have seats on at least one trunk for this
     * number of trunks that receive the feed. A state costs each of these some nanoseconds, and a trunk of the room
     * eight times as many. Default 8.
     *
     * @param value at least 1.
     */
    public TrunkServerContext feedReceiversPerLink(final int value)
    {
        checkOpen();
        feedReceiversPerLink = value;
        return this;
    }

    /**
     * Send feeds over UDP to a multicast group, once for all trunks on a network segment instead of once for each. Each
     * host of the segment can then receive, forge and disturb the states that are on feeds: the segment must contain
     * only your hosts. A trunk that the group does not reach gets its states itself. Default null: no group.
     *
     * @param endpoint address:port of the group, such as 224.0.1.7:40500. The last number of the address must be odd.
     *                 It is sent to from the host of the first response endpoint.
     */
    public TrunkServerContext feedGroup(final String endpoint)
    {
        checkOpen();
        feedGroup = endpoint;
        return this;
    }

    /**
     * If a trunk takes no data for this long, it is closed with SLOW_CONSUMER, and can be resumed with its seats.
     * Default 10 s, more than a long pause of a gateway.
     *
     * @param ns nanoseconds.
     */
    public TrunkServerContext slowNs(final long ns)
    {
        checkOpen();
        slowNs = ns;
        return this;
    }

    /**
     * A state may wait this long for a back-pressured trunk before it is dropped: at least this, at most twice this.
     * Default 16 ms, one frame at 60 Hz. Raise it if your states are deltas, because a dropped delta forces a full
     * snapshot.
     *
     * @param ns nanoseconds.
     */
    public TrunkServerContext statePatienceNs(final long ns)
    {
        checkOpen();
        statePatienceNs = ns;
        return this;
    }

    /**
     * Maximum bytes that one loop sends to one trunk in one frame. Default 0: windows are as large as fits, up to 128
     * KiB. Windows are sized for two such frames, because with smaller windows a frame waits for a round trip. A
     * warning is logged when that exceeds half a term, or a trunk's share of the socket buffer.
     *
     * @param bytes to one trunk, from one loop.
     */
    public TrunkServerContext largestFrame(final int bytes)
    {
        checkOpen();
        largestFrame = bytes;
        return this;
    }

    /**
     * Decides which clients get a trunk. Required, unless {@link #secret} is set.
     *
     * @param value the authenticator.
     */
    public TrunkServerContext authenticator(final Authenticator value)
    {
        checkOpen();
        authenticator = value;
        return this;
    }

    /**
     * Accept every client that proves knowledge of this secret.
     *
     * @param value     at least 16 bytes, from a file or the environment. See {@code Secrets}.
     * @param isTrusted whether such trunks may name their players without a log-in.
     */
    public TrunkServerContext secret(final byte[] value, final boolean isTrusted)
    {
        return secret(value, new Authenticator.Verdict(true, isTrusted, IS_FED_DEFAULT));
    }

    /**
     * Accept every client that proves knowledge of this secret.
     *
     * @param value   at least 16 bytes, from a file or the environment. See {@code Secrets}.
     * @param verdict on such clients.
     */
    public TrunkServerContext secret(final byte[] value, final Authenticator.Verdict verdict)
    {
        return authenticator(new HmacAuthenticator(value, verdict));
    }

    /**
     * Logs players in. Default null: log-ins are refused, and only trusted trunks can join rooms.
     *
     * @param value the service.
     */
    public TrunkServerContext logInService(final LogInService value)
    {
        checkOpen();
        logInService = value;
        return this;
    }

    /**
     * Maximum number of trunks at one time, including lost, resumable trunks. Default 64. All share the socket buffer
     * and each reserves shared memory. Handshakes, sessions of the driver and memory are derived from it: a trunk takes
     * a control stream and a stream per loop.
     *
     * @param value the limit.
     */
    public TrunkServerContext limit(final int value)
    {
        checkOpen();
        limit = value;
        return this;
    }

    /**
     * How long a lost trunk can be resumed. Default 30 s. Its seats are held as long.
     *
     * @param ns nanoseconds.
     */
    public TrunkServerContext graceNs(final long ns)
    {
        checkOpen();
        graceNs = ns;
        return this;
    }

    /**
     * Interval of keepalives. Default 1 s. A trunk that is silent for three intervals is lost.
     *
     * @param ns nanoseconds.
     */
    public TrunkServerContext keepaliveNs(final long ns)
    {
        checkOpen();
        keepaliveNs = ns;
        return this;
    }

    /**
     * Maximum entries per second. Entries above are refused and counted. A burst is a tenth of the per-second rate, of
     * a seat up to twice that. Defaults: 4 million per trunk, 1 million per seat.
     *
     * @param trunkPerSecond from one trunk to one loop.
     * @param seatPerSecond  from one seat.
     */
    public TrunkServerContext rates(final int trunkPerSecond, final int seatPerSecond)
    {
        checkOpen();
        trunkRate = trunkPerSecond;
        seatRate = seatPerSecond;
        return this;
    }

    /**
     * How long a player token is valid on its trunk. Default 1 h. Each log-in issues a new token.
     *
     * @param ns nanoseconds.
     */
    public TrunkServerContext playerTokenNs(final long ns)
    {
        checkOpen();
        playerTokenNs = ns;
        return this;
    }

    /**
     * File with the keys that sign the tokens of trunks and players, a key per line and at least 32 bytes long, such as
     * {@code openssl rand -base64 32} prints. With these keys, an engine that starts on another engine's journal
     * accepts its tokens: trunks are resumed, and players need not log in a second time. The first key signs. A second
     * key is also accepted: to replace a key, put the new key in front, and drop the old key after
     * {@link #playerTokenNs}. A reader of the file can make tokens: only its owner may read it. Default null: a key
     * that is made at launch. The nodes of a cluster share one file. Without a journal or a cluster it has no effect,
     * because trunks close with the engine.
     *
     * @param value the file.
     */
    public TrunkServerContext tokenKeyFile(final Path value)
    {
        checkOpen();
        tokenKeyFile = value;
        return this;
    }

    /** Ports on which trunks connect over UDP. */
    public List<Port> ports()
    {
        return List.copyOf(ports);
    }

    /** Whether trunks connect over shared memory. */
    public boolean isIpc()
    {
        return isIpc;
    }

    /** Length of the buffer of each UDP socket, in bytes. */
    public int socketBuffer()
    {
        return socketBuffer;
    }

    /** Term length of response channels, in bytes. */
    public int termLength()
    {
        return termLength;
    }

    /** Term length of feeds, in bytes. */
    public int feedTermLength()
    {
        return Math.max(termLength, MIN_FEED_TERM_LENGTH);
    }

    /** Flow control window of each stream over UDP, in bytes. The engine computes it at launch. */
    public int window()
    {
        return window;
    }

    /** Window of each response in shared memory, which shares no socket buffer, in bytes. */
    public int ipcWindow()
    {
        return ipcWindow;
    }

    /** Most bytes that one loop sends to one trunk in one frame, or 0. */
    public int largestFrame()
    {
        return largestFrame;
    }

    /** Most bytes of each queue of a trunk in a loop. */
    public int queueLength()
    {
        return queueLength;
    }

    /** Bytes that the queues of all trunks of a loop share. */
    public int queueMemory()
    {
        return queueMemory;
    }

    /** How long a state may wait for a back-pressured trunk, in nanoseconds. */
    public long statePatienceNs()
    {
        return statePatienceNs;
    }

    /** Receivers of a feed for each trunk of a room at which the room's states use the feed. */
    public int feedReceiversPerLink()
    {
        return feedReceiversPerLink;
    }

    /** The multicast group of feeds, or null. */
    public String feedGroup()
    {
        return feedGroup;
    }

    /** How long a trunk may take no data, in nanoseconds. */
    public long slowNs()
    {
        return slowNs;
    }

    /** Decides which clients get a trunk. */
    public Authenticator authenticator()
    {
        return authenticator;
    }

    /** Logs players in, or null. */
    public LogInService logInService()
    {
        return logInService;
    }

    /** Most trunks at one time. */
    public int limit()
    {
        return limit;
    }

    /** How long a lost trunk can be resumed, in nanoseconds. */
    public long graceNs()
    {
        return graceNs;
    }

    /** Interval of keepalives, in nanoseconds. */
    public long keepaliveNs()
    {
        return keepaliveNs;
    }

    /** Most entries per second from one trunk to one loop. */
    public int trunkRate()
    {
        return trunkRate;
    }

    /** Most entries per second from one seat. */
    public int seatRate()
    {
        return seatRate;
    }

    /** How long a player token is valid, in nanoseconds. */
    public long playerTokenNs()
    {
        return playerTokenNs;
    }

    /** File with the keys of tokens, or null. */
    public Path tokenKeyFile()
    {
        return tokenKeyFile;
    }

    /** Whether {@link #secret} is the authenticator, which never blocks. */
    public boolean hasSecret()
    {
        return authenticator instanceof HmacAuthenticator;
    }

    /** Whether trunks may get feeds. Another authenticator than {@link #secret} may grant them to any trunk. */
    public boolean mayFeed()
    {
        return !(authenticator instanceof HmacAuthenticator ofSecret) || ofSecret.verdict().isFed();
    }

    /** A trunk that is silent for this long is lost, in nanoseconds. */
    public long silenceNs()
    {
        return KEEPALIVES_MISSED * keepaliveNs;
    }

    /** Most handshakes under way at one time. */
    public int handshakeLimit()
    {
        return Math.min(Integer.MAX_VALUE / HANDSHAKES_PER_TRUNK, limit) * HANDSHAKES_PER_TRUNK;
    }

    /**
     * Freeze this context. {@code Engine.launch} calls this, after {@link #check}.
     *
     * @param grantedSocketBuffer that the host allows, in bytes.
     * @param udpWindow           of each stream over UDP, in bytes.
     * @param memoryWindow        of each response in shared memory, in bytes.
     */
    public void conclude(final int grantedSocketBuffer, final int udpWindow, final int memoryWindow)
    {
        checkOpen();
        socketBuffer = grantedSocketBuffer;
        window = udpWindow;
        ipcWindow = memoryWindow;
        isConcluded = true;
    }

    /** Refuse wrong options, and a context of another engine. {@code Engine.launch} calls this. */
    public void check()
    {
        checkOpen();
        ConfigException.check(!ports.isEmpty() || isIpc, "trunks.udp", "none", "set udp, or ipc to true");
        ConfigException.check(null != authenticator, "trunks.authenticator", null, "set a secret or an authenticator");
        ConfigException.check(limit > 0, "trunks.limit", limit, "must be positive");
        ConfigException.check(keepaliveNs > 0, "trunks.keepaliveNs", keepaliveNs, "must be positive");
        ConfigException.check(playerTokenNs > 0, "trunks.playerTokenNs", playerTokenNs, "must be positive");
        ConfigException.check(graceNs >= 0, "trunks.graceNs", graceNs, "must not be negative");
        ConfigException.check(trunkRate > 0 && seatRate > 0, "trunks.rates", trunkRate + ", " + seatRate,
            "both must be positive");
        ConfigException.check(BitUtil.isPowerOfTwo(termLength) && termLength >= MIN_TERM_LENGTH,
            "trunks.termLength", termLength, "must be a power of two, at least " + MIN_TERM_LENGTH);
        ConfigException.check(queueLength >= MIN_QUEUE_LENGTH, "trunks.queueLength", queueLength,
            "must be at least " + MIN_QUEUE_LENGTH);
        ConfigException.check(queueMemory >= queueLength, "trunks.queueMemory", queueMemory,
            "must be at least trunks.queueLength, which is " + queueLength);
        ConfigException.check(feedReceiversPerLink > 0, "trunks.feedReceiversPerLink", feedReceiversPerLink,
            "must be positive");
        checkFeedGroup();
        ConfigException.check(slowNs > 0, "trunks.slowNs", slowNs, "must be positive");
        ConfigException.check(statePatienceNs > 0, "trunks.statePatienceNs", statePatienceNs, "must be positive");
        ConfigException.check(largestFrame >= AS_FITS && largestFrame <= MAX_FRAME, "trunks.largestFrame",
            largestFrame, "must be from " + AS_FITS + " to " + MAX_FRAME);
    }

    private void checkFeedGroup()
    {
        if (null != feedGroup)
        {
            ConfigException.check(!ports.isEmpty(), "trunks.feedGroup", feedGroup, "set trunks.udp too");
            try
            {
                Endpoints.parseGroup(feedGroup);
            }
            catch (final IllegalArgumentException ex)
            {
                throw new ConfigException("trunks.feedGroup", feedGroup, ex.getMessage());
            }
        }
    }

    private void checkOpen()
    {
        if (isConcluded)
        {
            throw new IllegalStateException("the context is frozen: an engine was launched with it");
        }
    }

    /**
     * A UDP port for trunks.
     *
     * @param ingress  endpoint to which clients send, host:port.
     * @param response endpoint from which response channels are sent, host:port.
     */
    public record Port(String ingress, String response)
    {
    }
}
