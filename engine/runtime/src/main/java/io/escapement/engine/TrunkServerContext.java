package io.escapement.engine;

import io.escapement.driver.Endpoints;
import io.escapement.driver.HostFacts;
import io.escapement.engine.internal.edge.EdgeSettings;
import io.escapement.engine.internal.edge.HmacAuthenticator;
import io.escapement.engine.internal.edge.TrunkChannels;
import io.escapement.engine.internal.loop.LoopSettings;
import io.escapement.engine.spi.Authenticator;
import io.escapement.engine.spi.LogInService;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.BitUtil;

/** Where trunks come in, who may, and how much each may do. */
public final class TrunkServerContext
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.engine");
    private static final int MIN_TERM_LENGTH = 64 * 1_024;
    /** Eight of the largest messages. */
    private static final int MIN_QUEUE_LENGTH = 64 * 1_024;
    private static final int MAX_FRAME = 512 * 1_024 * 1_024;
    private static final int AS_FITS = 0;

    private final List<TrunkChannels.Port> ports = new ArrayList<>();
    private boolean isIpc;
    private int socketBuffer = 4 * 1_024 * 1_024;
    private int termLength = 256 * 1_024;
    private int queueLength = LoopSettings.QUEUE_LENGTH;
    private long statePatienceNs = LoopSettings.STATE_PATIENCE_NS;
    private int largestFrame = AS_FITS;
    private int window;
    private Authenticator authenticator;
    private LogInService logInService;
    private int limit = 64;
    private long tokenNs = TimeUnit.HOURS.toNanos(1);
    private long graceNs = TimeUnit.SECONDS.toNanos(30);
    private long keepaliveNs = TimeUnit.SECONDS.toNanos(1);
    private int trunkRate = 4_000_000;
    private int seatRate = 1_000_000;

    /**
     * Take trunks over UDP. Called again, it is one more place where they come in: the driver allocates for every
     * datagram whose sender is not the one before, so on a port of its own a big trunk costs no garbage.
     *
     * @param ingressEndpoint  where they come in, host:port.
     * @param responseEndpoint where the ways back start, host:port.
     * @return this.
     */
    public TrunkServerContext udp(final String ingressEndpoint, final String responseEndpoint)
    {
        ports.add(new TrunkChannels.Port(ingressEndpoint, responseEndpoint));
        return this;
    }

    /**
     * Take trunks over shared memory, from processes that use the same driver.
     *
     * @param value whether to.
     * @return this.
     */
    public TrunkServerContext ipc(final boolean value)
    {
        isIpc = value;
        return this;
    }

    /**
     * How much the sockets of trunks over UDP hold, 4 MiB unless set. Windows are made to fit it.
     *
     * @param bytes of each socket, as far as the host allows.
     * @return this.
     */
    public TrunkServerContext socketBuffer(final int bytes)
    {
        socketBuffer = bytes;
        return this;
    }

    /**
     * Length of the terms of a way back, 256 KiB unless set: how much waits for a trunk that is slow.
     *
     * @param bytes a power of two, from 64 KiB.
     * @return this.
     */
    public TrunkServerContext termLength(final int bytes)
    {
        termLength = bytes;
        return this;
    }

    /**
     * How much of events, and how much of states, may wait in a loop for one trunk, 256 KiB each unless set. When more
     * events wait, the trunk is closed: so this is what its players, who may be thousands, are sent while it stumbles.
     *
     * @param bytes of each, for each trunk on each loop.
     * @return this.
     */
    public TrunkServerContext queueLength(final int bytes)
    {
        queueLength = bytes;
        return this;
    }

    /**
     * How long a state waits for a trunk that does not take it, 16 ms unless set, a frame at 60 Hz; before twice that
     * it is dropped. Where a state builds on the one before, a dropped one costs a full picture, and more patience may
     * cost less.
     *
     * @param ns nanoseconds.
     * @return this.
     */
    public TrunkServerContext statePatienceNs(final long ns)
    {
        statePatienceNs = ns;
        return this;
    }

    /**
     * The most that one trunk is sent in the time of one frame. A window holds two of that, and as much may be sent
     * ahead to the engine: with a smaller window, frames wait for a round trip. It is made smaller where the windows of
     * all trunks would not fit the socket, or two windows not a term, and the engine says so. Unless set, windows are
     * what fits, up to 128 KiB.
     *
     * @param bytes to one trunk, from one loop.
     * @return this.
     */
    public TrunkServerContext largestFrame(final int bytes)
    {
        largestFrame = bytes;
        return this;
    }

    /**
     * Who may have a trunk.
     *
     * @param value decides.
     * @return this.
     */
    public TrunkServerContext authenticator(final Authenticator value)
    {
        authenticator = value;
        return this;
    }

    /**
     * Everyone who knows this secret may have a trunk.
     *
     * @param value     at least 16 bytes, from a file or the environment.
     * @param isTrusted whether such trunks may name their players.
     * @return this.
     */
    public TrunkServerContext secret(final byte[] value, final boolean isTrusted)
    {
        return authenticator(new HmacAuthenticator(value, isTrusted));
    }

    /**
     * Tells who players are.
     *
     * @param value the service, or null when trunks name their players.
     * @return this.
     */
    public TrunkServerContext logInService(final LogInService value)
    {
        logInService = value;
        return this;
    }

    /**
     * Trunks at one time, those that are lost and held counted in.
     *
     * @param value the limit.
     * @return this.
     */
    public TrunkServerContext limit(final int value)
    {
        limit = value;
        return this;
    }

    /**
     * How long a lost trunk can be resumed, 30 s unless set.
     *
     * @param ns nanoseconds.
     * @return this.
     */
    public TrunkServerContext graceNs(final long ns)
    {
        graceNs = ns;
        return this;
    }

    /**
     * How often a trunk has to say something, 1 s unless set. After three times this it is lost.
     *
     * @param ns nanoseconds.
     * @return this.
     */
    public TrunkServerContext keepaliveNs(final long ns)
    {
        keepaliveNs = ns;
        return this;
    }

    /**
     * How fast entries are taken.
     *
     * @param trunkPerSecond from a trunk, on one loop.
     * @param seatPerSecond  from a seat.
     * @return this.
     */
    public TrunkServerContext rates(final int trunkPerSecond, final int seatPerSecond)
    {
        trunkRate = trunkPerSecond;
        seatRate = seatPerSecond;
        return this;
    }

    /**
     * For how long a player's token is good on its trunk, an hour unless set. A new log-in gives a new one.
     *
     * @param ns nanoseconds.
     * @return this.
     */
    public TrunkServerContext playerTokenNs(final long ns)
    {
        tokenNs = ns;
        return this;
    }

    /** Refuse what is wrong, and make windows fit their socket. */
    void conclude(final HostFacts facts, final int loops)
    {
        EngineContext.check(isOverUdp() || isIpc, "trunks.udp", "neither udp nor ipc is set");
        EngineContext.check(null != authenticator, "trunks.authenticator", "neither secret nor authenticator is set");
        EngineContext.check(limit > 0, "trunks.limit", limit);
        EngineContext.check(keepaliveNs > 0, "trunks.keepaliveNs", keepaliveNs);
        EngineContext.check(tokenNs > 0, "trunks.playerTokenNs", tokenNs);
        EngineContext.check(graceNs >= 0, "trunks.graceNs", graceNs);
        EngineContext.check(trunkRate > 0 && seatRate > 0, "trunks.rates", trunkRate + ", " + seatRate);
        EngineContext.check(BitUtil.isPowerOfTwo(termLength) && termLength >= MIN_TERM_LENGTH,
            "trunks.termLength", termLength);
        EngineContext.check(queueLength >= MIN_QUEUE_LENGTH, "trunks.queueLength", queueLength);
        EngineContext.check(statePatienceNs > 0, "trunks.statePatienceNs", statePatienceNs);
        EngineContext.check(largestFrame >= AS_FITS && largestFrame <= MAX_FRAME, "trunks.largestFrame", largestFrame);
        final int wanted = AS_FITS == largestFrame ? Sizing.DEFAULT_WINDOW : Sizing.windowFor(largestFrame);
        window = Math.min(wanted, termLength / 2);
        if (isOverUdp())
        {
            final int given = Sizing.socketBuffer(socketBuffer, facts);
            window = Sizing.window(window, limit, socketBuffer, given);
            socketBuffer = given;
        }
        if (AS_FITS != largestFrame && window < wanted)
        {
            LOGGER.log(System.Logger.Level.WARNING, "trunks.largestFrame: " + largestFrame + " wants windows of " +
                wanted + " bytes, and they are " + window + ": half of trunks.termLength is " + termLength / 2 +
                (isOverUdp() ? ", and trunks.limit " + limit + " shares half of a trunks.socketBuffer of " +
                socketBuffer : ""));
        }
        Sizing.checkMemory(facts.store(), limit, loops, termLength);
    }

    /** A port that another has would come to light when the first trunk comes. */
    void requireFreePorts()
    {
        for (final TrunkChannels.Port port : ports)
        {
            requireFree(port.ingress());
            requireFree(port.response());
        }
    }

    private static void requireFree(final String endpoint)
    {
        try
        {
            Endpoints.requireFree(Endpoints.parse(endpoint));
        }
        catch (final IllegalArgumentException | SocketException ex)
        {
            throw new EngineException("trunks.udp: " + endpoint + ": " + ex.getMessage(), ex);
        }
    }

    boolean isOverUdp()
    {
        return !ports.isEmpty();
    }

    Authenticator authenticator()
    {
        return authenticator;
    }

    LogInService logInService()
    {
        return logInService;
    }

    int limit()
    {
        return limit;
    }

    int queueLength()
    {
        return queueLength;
    }

    long statePatienceNs()
    {
        return statePatienceNs;
    }

    EdgeSettings edgeSettings(final int ringSlots)
    {
        return new EdgeSettings(limit, limit, TimeUnit.SECONDS.toNanos(5), keepaliveNs, graceNs,
            tokenNs, ringSlots / 4, trunkRate, Math.max(1, trunkRate / 10),
            seatRate, Math.max(1, seatRate / 10), 64);
    }

    TrunkChannels channels()
    {
        final List<TrunkChannels.Port> all = new ArrayList<>(ports);
        if (isIpc)
        {
            all.add(TrunkChannels.Port.IPC);
        }
        return new TrunkChannels(all, termLength, window, socketBuffer);
    }
}
