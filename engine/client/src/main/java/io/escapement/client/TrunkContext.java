package io.escapement.client;

import io.aeron.Aeron;
import io.escapement.codecs.TrunkMessages;
import io.escapement.codecs.TrunkProof;
import io.escapement.config.ConfigException;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import org.agrona.BitUtil;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * The options of one trunk. {@link TrunkClient#connect} checks and freezes them. A setter called later throws
 * {@link IllegalStateException}, and an invalid value {@link ConfigException}.
 */
public final class TrunkContext
{
    /**
     * Where an engine is.
     *
     * @param ingress  its endpoint of streams.
     * @param response its control endpoint of response channels.
     */
    record Endpoint(String ingress, String response)
    {
        private boolean isSet()
        {
            return null != ingress && null != response;
        }
    }

    /** Answers the engine's challenge. */
    @FunctionalInterface
    public interface Credentials
    {
        /**
         * Compute the credentials of this trunk from both nonces.
         *
         * @param clientHigh first half of the client's nonce.
         * @param clientLow  second half of the client's nonce.
         * @param serverHigh first half of the engine's nonce.
         * @param serverLow  second half of the engine's nonce.
         * @param identity   of this trunk.
         * @return the credentials, at most 512 bytes.
         */
        byte[] answer(long clientHigh, long clientLow, long serverHigh, long serverLow, byte[] identity);
    }

    /** Shortest {@link #termLength(int)}. */
    public static final int MIN_TERM_LENGTH = 64 * 1_024;
    /** Default of {@link #termLength(int)}. */
    public static final int TERM_LENGTH_DEFAULT = 256 * 1_024;
    /** Default of {@link #receiveWindow(int)}. */
    public static final int RECEIVE_WINDOW_DEFAULT = 128 * 1_024;
    /** Default of {@link #reconnect(long, long)}: do not. */
    public static final long NO_RECONNECT = 0;
    /** Default of {@link #resendLength(int)}: do not. */
    public static final int NO_RESEND = 0;
    /** Default of {@link #connectTimeoutNs(long)}. */
    public static final long CONNECT_TIMEOUT_DEFAULT_NS = TimeUnit.SECONDS.toNanos(5);

    /** Where a feed is received if the application does not say it. */
    public static final String ANY_FEED_ENDPOINT = "0.0.0.0:0";

    /** Default of {@link #feed(String)}. */
    public static final String FEED_DEFAULT = Boolean.getBoolean("escapement.feed") ? ANY_FEED_ENDPOINT : null;
    static final long MAX_FEED_RETRY_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long MIN_FEED_RETRY_NS = TimeUnit.SECONDS.toNanos(1);
    private static final Pattern ENDPOINT = Pattern.compile("[^|,\\s]+:\\d{1,5}");
    private static final String FEED_BUFFER = "2m";
    /** Half of a feed's term, which is what Aeron allows. */
    private static final String FEED_WINDOW = "512k";
    /** Aeron's limits of a term. */
    /** Some of the longest messages. */
    private static final int MIN_RESEND_LENGTH = 4 * 1_024;
    private static final int MAX_RESEND_LENGTH = 1_024 * 1_024 * 1_024;
    private static final int MAX_TERM_LENGTH = 1_024 * 1_024 * 1_024;
    /** Aeron Cluster's own limit is of this order. Each member costs a connection. */
    private static final int MAX_MEMBERS = 9;
    /** A lost member is retried soon, because it may be the next leader. */
    private static final long GROUP_MIN_RECONNECT_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long GROUP_MAX_RECONNECT_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final TrunkListener NO_LISTENER = new TrunkListener()
    {
    };

    private Aeron aeron;
    private Supplier<Aeron> aeronSupplier;
    private TrunkStream.Factory streams;
    private final List<Endpoint> endpoints = new ArrayList<>();
    private boolean isIpc;
    private boolean isGroup;
    private int termLength = TERM_LENGTH_DEFAULT;
    private int receiveWindow = RECEIVE_WINDOW_DEFAULT;
    private String feedEndpoint = FEED_DEFAULT;
    private byte[] identity = {};
    private int applicationVersion;
    private Credentials credentials;
    private ResumeTicket ticket;
    private ClientSeats seats;
    private long minReconnectNs = NO_RECONNECT;
    private long maxReconnectNs = NO_RECONNECT;
    private RandomGenerator random = new SecureRandom();
    private TrunkListener listener = NO_LISTENER;
    private long connectTimeoutNs = CONNECT_TIMEOUT_DEFAULT_NS;
    private int resendLength = NO_RESEND;
    private Resender resender;
    private NanoClock clock = SystemNanoClock.INSTANCE;
    private boolean isConcluded;

    /**
     * The Aeron client. The caller owns and closes it. If its conductor is invoked rather than run in a thread, the
     * caller must invoke it as often as it polls the trunk. Otherwise the trunk cannot connect.
     *
     * @param value the client.
     */
    public TrunkContext aeron(final Aeron value)
    {
        checkOpen();
        aeron = value;
        return this;
    }

    /**
     * The supplier of Aeron clients. {@link TrunkClient#connect} calls it. A later attempt to connect also calls it if
     * the last client has closed, for example because its media driver died. The attempt fails if this throws an
     * {@link io.aeron.exceptions.AeronException}. The caller closes the clients.
     *
     * @param value may block, for example until a driver is running. The trunk is not polled that long.
     */
    public TrunkContext aeronSupplier(final Supplier<Aeron> value)
    {
        checkOpen();
        aeronSupplier = value;
        return this;
    }

    /**
     * Connect over UDP.
     *
     * @param ingress  the engine's ingress endpoint, host:port.
     * @param response the engine's control endpoint of response channels, host:port.
     */
    public TrunkContext udp(final String ingress, final String response)
    {
        checkOpen();
        endpoints.clear();
        endpoints.add(new Endpoint(ingress, response));
        isIpc = false;
        isGroup = false;
        return this;
    }

    /**
     * Connect over UDP to a group of engines that keep one log under one leader. Call this for each of them, instead of
     * {@link #udp}. The trunk is on standby at all of them. When the next engine starts to lead, the trunk is resumed
     * there by itself. It always reconnects, as with {@link #reconnect}, which sets the delays.
     *
     * @param ingress  a member's ingress endpoint, host:port.
     * @param response its control endpoint of response channels, host:port.
     */
    public TrunkContext member(final String ingress, final String response)
    {
        checkOpen();
        if (!isGroup)
        {
            endpoints.clear();
        }
        endpoints.add(new Endpoint(ingress, response));
        isIpc = false;
        isGroup = true;
        return this;
    }

    /** Connect over shared memory, to an engine on the same media driver. */
    public TrunkContext ipc()
    {
        checkOpen();
        endpoints.clear();
        isIpc = true;
        isGroup = false;
        return this;
    }

    /**
     * Length of the terms to the engine. Longer terms queue more before back pressure when the engine is slow. The
     * engine's driver accepts at most 1 MiB unless it is configured otherwise. Default 256 KiB.
     *
     * @param bytes a power of two, from 64 KiB.
     */
    public TrunkContext termLength(final int bytes)
    {
        checkOpen();
        termLength = bytes;
        return this;
    }

    /**
     * Receive window of each UDP stream: the engine may send this much ahead. The windows of all streams of a socket
     * should fit its receive buffer. Default 128 KiB.
     *
     * @param bytes of the window.
     */
    public TrunkContext receiveWindow(final int bytes)
    {
        checkOpen();
        receiveWindow = bytes;
        return this;
    }

    /**
     * Receive the states for all seats of rooms from the engine's feed, if the engine offers a feed. The feed costs the
     * engine a part of the trunk's cost. A lost packet is not repeated: the client reports the loss, and rooms send
     * whole states. Default {@link #FEED_DEFAULT}: do not.
     *
     * @param endpoint host:port to receive on. The engine must reach it at the trunk's source address. Port 0 means any
     *                 port. If the engine sends to a multicast group, host is an address of the interface that joins
     *                 it. Over shared memory the endpoint has no meaning.
     */
    public TrunkContext feed(final String endpoint)
    {
        checkOpen();
        feedEndpoint = endpoint;
        return this;
    }

    /**
     * The name under which the engine's authenticator knows this client. Default empty.
     *
     * @param value at most 64 bytes in UTF-8.
     */
    public TrunkContext identity(final String value)
    {
        checkOpen();
        identity = value.getBytes(StandardCharsets.UTF_8);
        return this;
    }

    /**
     * The application's version, for the engine's authenticator. Default 0.
     *
     * @param value any number.
     */
    public TrunkContext applicationVersion(final int value)
    {
        checkOpen();
        applicationVersion = value;
        return this;
    }

    /**
     * Authenticate by a secret shared with the engine: see {@link TrunkProof}.
     *
     * @param value at least 16 bytes.
     */
    public TrunkContext secret(final byte[] value)
    {
        return credentials(new TrunkProof(value)::of);
    }

    /**
     * Authenticate in another way, for an engine with its own authenticator.
     *
     * @param value answers challenges.
     */
    public TrunkContext credentials(final Credentials value)
    {
        checkOpen();
        credentials = value;
        return this;
    }

    /**
     * Resume a lost trunk instead of making a new trunk.
     *
     * @param value the ticket of the lost trunk, or null for a new trunk, the default.
     */
    public TrunkContext ticket(final ResumeTicket value)
    {
        checkOpen();
        ticket = value;
        return this;
    }

    /**
     * Resume the trunk of a client in this process that is down: as with its ticket, and the seats are the same
     * objects, with their players and attachments.
     *
     * @param lost client, which is down.
     */
    public TrunkContext resume(final TrunkClient lost)
    {
        checkOpen();
        if (TrunkClient.State.DOWN != lost.state())
        {
            throw new IllegalStateException("the trunk is " + lost.state() + ": only one that is DOWN can be resumed");
        }
        ticket = lost.ticket();
        seats = lost.clientSeats();
        resender = lost.resender();
        return this;
    }

    /**
     * Reconnect when the connection is lost or an attempt fails, instead of going down. The trunk is resumed while the
     * engine holds it. Otherwise it is a new trunk, and every player rejoins with the arguments of the last join.
     * Refusals of these joins reach {@link TrunkListener#onRefused} with the request id of the join. An expired token
     * needs a new log-in. Errors that another attempt would repeat still close the trunk: wrong credentials or
     * versions, and a trunk that another connection has resumed.
     *
     * @param minDelayNs before the first attempt, or {@link #NO_RECONNECT}, the default.
     * @param maxDelayNs between attempts. Each failure doubles the delay up to this. Delays are random between the
     *                   shortest and the current one, so that many clients do not return at once.
     */
    public TrunkContext reconnect(final long minDelayNs, final long maxDelayNs)
    {
        checkOpen();
        minReconnectNs = minDelayNs;
        maxReconnectNs = maxDelayNs;
        return this;
    }

    /**
     * Keep the messages that the engine has not accepted. They are resent with their numbers when a seat is resumed or
     * its player returns to it, before any newer message. Each message of a held seat runs exactly once, even after a
     * kill and a restart of the engine on its journal. The engine reports the accepted messages, and
     * {@link TrunkListener#onAccepted} passes the reports on. Default {@link #NO_RESEND}. If a client resumes another
     * client, it also keeps its messages.
     *
     * @param bytes of all messages that are kept, at least 4 KiB; each takes a multiple of 64. A message that does not
     *              fit is refused with {@link SendStatus#RESEND_FULL}.
     */
    public TrunkContext resendLength(final int bytes)
    {
        checkOpen();
        resendLength = bytes;
        return this;
    }

    /**
     * The receiver of the trunk's callbacks. The default ignores all.
     *
     * @param value the listener.
     */
    public TrunkContext listener(final TrunkListener value)
    {
        checkOpen();
        listener = Objects.requireNonNull(value);
        return this;
    }

    /**
     * How long the handshake may take until the trunk is down with HANDSHAKE_TIMEOUT, and a join may wait for the
     * stream of its loop. Default 5 s.
     *
     * @param ns above 0.
     */
    public TrunkContext connectTimeoutNs(final long ns)
    {
        checkOpen();
        connectTimeoutNs = ns;
        return this;
    }

    /**
     * The clock. Default {@link SystemNanoClock}.
     *
     * @param value the clock.
     */
    public TrunkContext clock(final NanoClock value)
    {
        checkOpen();
        clock = Objects.requireNonNull(value);
        return this;
    }

    /** The transport. Default Aeron. */
    TrunkContext streams(final TrunkStream.Factory value)
    {
        checkOpen();
        streams = value;
        return this;
    }

    /** The source of jitter. */
    TrunkContext random(final RandomGenerator value)
    {
        checkOpen();
        random = value;
        return this;
    }

    TrunkContext conclude()
    {
        checkOpen();
        if (null == streams)
        {
            ConfigException.check(
                null != aeron || null != aeronSupplier, "aeron", null, "set the Aeron client to connect with");
            ConfigException.check(isIpc || !endpoints.isEmpty() && endpoints.stream().allMatch(Endpoint::isSet),
                "udp", null, "set the engine's two endpoints with udp(ingress, response), those of each of several " +
                "with member(ingress, response), or use ipc()");
            streams = new AeronStreams(this);
        }
        ConfigException.check(endpoints.size() <= MAX_MEMBERS && Set.copyOf(endpoints).size() == endpoints.size(),
            "member", endpoints, "name each engine once, at most " + MAX_MEMBERS);
        if (isGroup && NO_RECONNECT == minReconnectNs)
        {
            minReconnectNs = GROUP_MIN_RECONNECT_NS;
            maxReconnectNs = GROUP_MAX_RECONNECT_NS;
        }
        ConfigException.check(null != credentials, "secret", null, "set secret(...) or credentials(...)");
        ConfigException.check(identity.length <= TrunkMessages.MAX_IDENTITY_LENGTH, "identity",
            identity.length + " bytes", "use at most " + TrunkMessages.MAX_IDENTITY_LENGTH + " bytes of UTF-8");
        ConfigException.check(
            BitUtil.isPowerOfTwo(termLength) && termLength >= MIN_TERM_LENGTH && termLength <= MAX_TERM_LENGTH,
            "termLength", termLength, "use a power of two from " + MIN_TERM_LENGTH);
        ConfigException.check(null == feedEndpoint || isEndpoint(feedEndpoint), "feed", feedEndpoint,
            "use host:port with a port from 0 to 65535, such as " + ANY_FEED_ENDPOINT);
        ConfigException.check(receiveWindow > 0, "receiveWindow", receiveWindow, "use a number of bytes above 0");
        ConfigException.check(
            connectTimeoutNs > 0, "connectTimeoutNs", connectTimeoutNs, "use a number of nanoseconds above 0");
        ConfigException.check(
            NO_RESEND == resendLength || resendLength >= MIN_RESEND_LENGTH && resendLength <= MAX_RESEND_LENGTH,
            "resendLength", resendLength,
            "use " + MIN_RESEND_LENGTH + " to " + MAX_RESEND_LENGTH + " bytes, or NO_RESEND");
        ConfigException.check(
            NO_RECONNECT == minReconnectNs || minReconnectNs > 0 && minReconnectNs <= maxReconnectNs,
            "reconnect", minReconnectNs + ", " + maxReconnectNs,
            "use delays above 0, the shorter one first, or NO_RECONNECT");
        isConcluded = true;
        return this;
    }

    static boolean isEndpoint(final String text)
    {
        if (!ENDPOINT.matcher(text).matches())
        {
            return false;
        }

        return Integer.parseInt(text.substring(text.lastIndexOf(':') + 1)) <= 0xFFFF;
    }

    private void checkOpen()
    {
        if (isConcluded)
        {
            throw new IllegalStateException("the context belongs to a connected trunk: make a new one");
        }
    }

    String responseChannel(final int member)
    {
        return isIpc ?
            "aeron:ipc?control-mode=response|rejoin=false" :
            "aeron:udp?control-mode=response|control=" + endpoints.get(member).response() +
                "|rejoin=false|rcv-wnd=" + receiveWindow;
    }

    /**
     * The channel of a feed. Its packets are not repeated, and who does not take them in time misses them.
     *
     * @param group that the feed is sent to. Empty for no group.
     */
    String feedChannel(final String group, final int sessionId)
    {
        return (isIpc ? "aeron:ipc?tether=false" : "aeron:udp?endpoint=" +
            (group.isEmpty() ? feedEndpoint : group + feedInterface()) +
            "|so-rcvbuf=" + FEED_BUFFER + "|rcv-wnd=" + FEED_WINDOW) +
            "|reliable=false|rejoin=false|session-id=" + sessionId;
    }

    /** Aeron finds an interface itself where no address is named. */
    private String feedInterface()
    {
        final String host = feedEndpoint.substring(0, feedEndpoint.lastIndexOf(':'));
        return "0.0.0.0".equals(host) || "[::]".equals(host) ? "" : "|interface=" + host;
    }

    /** Whether the client subscribes to feeds that it is offered. */
    boolean isFed()
    {
        return null != feedEndpoint;
    }

    int responseStreamId(final int streamId)
    {
        return isIpc ? TrunkMessages.IPC_RESPONSE_STREAMS + streamId : streamId;
    }

    String ingressChannel(final int member, final long responseId)
    {
        return (isIpc ? "aeron:ipc?" : "aeron:udp?endpoint=" + endpoints.get(member).ingress() + "|") +
            "term-length=" + termLength + "|response-correlation-id=" + responseId;
    }

    /** Whether the engine is reached over shared memory. */
    boolean isIpc()
    {
        return isIpc || endpoints.isEmpty();
    }

    /** Whether the trunk has several engines, with the client on standby at each. */
    boolean isGroup()
    {
        return isGroup;
    }

    int members()
    {
        return endpoints.size();
    }

    /** The endpoints of an engine, over UDP. */
    Endpoint endpoint(final int member)
    {
        return endpoints.get(member);
    }

    int termLength()
    {
        return termLength;
    }

    /** The client of the next connection. */
    Aeron aeron()
    {
        if (null != aeronSupplier && (null == aeron || aeron.isClosed()))
        {
            aeron = aeronSupplier.get();
        }
        return aeron;
    }

    /** The seats of the trunk to resume, or an empty array. */
    ClientSeats seats()
    {
        return null == seats ? new ClientSeats() : seats;
    }

    /** Null if messages are not resent. */
    Resender resender()
    {
        return null == resender && NO_RESEND != resendLength ? new Resender(resendLength) : resender;
    }

    /** Null if the trunk is lost with its connection. */
    Backoff newBackoff()
    {
        return NO_RECONNECT == minReconnectNs ? null : new Backoff(minReconnectNs, maxReconnectNs, random);
    }

    /** Delays before the client resubscribes to a feed that it left. */
    Backoff newFeedBackoff()
    {
        return new Backoff(MIN_FEED_RETRY_NS, MAX_FEED_RETRY_NS, random);
    }

    TrunkStream.Factory streams()
    {
        return streams;
    }

    byte[] identity()
    {
        return identity;
    }

    int applicationVersion()
    {
        return applicationVersion;
    }

    Credentials credentials()
    {
        return credentials;
    }

    ResumeTicket ticket()
    {
        return ticket;
    }

    TrunkListener listener()
    {
        return listener;
    }

    long connectTimeoutNs()
    {
        return connectTimeoutNs;
    }

    NanoClock clock()
    {
        return clock;
    }
}
