package io.escapement.perf.crowd;

import io.escapement.engine.EngineContext;
import io.escapement.perf.rig.DurablePlan;
import io.escapement.perf.rig.Program;
import io.netty.handler.ssl.util.SelfSignedCertificate;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/**
 * The options of {@code players}, {@code capacity} and {@code overload}: rooms full of players, the layout of the
 * processes on the host, and the load.
 *
 * <p>A run has parts, and a part has phases of a steady rate without a pause between them. Between parts everything is
 * answered first. Parts of several phases are overload: moves under back pressure are given up, and the engine governs
 * frame rates.
 */
public final class CrowdPlan extends DurablePlan
{
    /** Placement: a room's seats are on different trunks. */
    public static final String SPREAD = "spread";
    /** Placement: a room's seats are on one trunk. */
    public static final String ALIGNED = "aligned";

    /** States: once for all trunks. */
    public static final String FEED = "feed";
    /** States: on each trunk. */
    public static final String TRUNK = "trunk";

    /** Peer: Netty over TCP, as many connections as trunks. */
    public static final String TCP = "tcp";
    /** Peer: Netty over TCP, a connection for each player. */
    public static final String TCP_PLAYERS = "tcp-players";

    /** Gateway: WebSockets over TCP. */
    public static final String PLAIN = "plain";
    /** Gateway: WebSockets over TLS. */
    public static final String TLS = "tls";

    /** Default: the compilers work this long, and take the core of the engine or the bots for tens of milliseconds. */
    public static final String WARM_UP_MS = "15000";

    /** Terms of the engine's side in shared memory, where no socket limits the window: half a term is in flight. */
    static final int IPC_TERM_LENGTH = 1024 * 1024;

    private static final int LARGE_HEAP_MB = 512;
    /** A room has a buffer for its output, 16 seats, and players in the other process. */
    private static final int ROOMS_PER_MB = 6;
    /** 2,000 engines of TLS hold 340 MB, and one full collection per second would be measured with the gateway. */
    private static final int TLS_CLIENT_HEAP_MB = 1_536;
    private static final int SOLO_CORES = 2;
    private static final int LOOP_BITS = 54;
    private static final int KEY_BITS = 256;
    private static final String PHASE_SEPARATOR = "+";
    private static final String PART_SEPARATOR = "/";

    @Option(names = "--rooms", defaultValue = "256", description = "rooms (default: ${DEFAULT-VALUE})")
    public int rooms;

    @Option(names = "--seats", defaultValue = "16", description = "seats per room (default: ${DEFAULT-VALUE})")
    public int seats;

    @Option(names = "--hz", defaultValue = "60",
        description = "frames and states per room per second (default: ${DEFAULT-VALUE})")
    public int hz;

    @Option(names = "--trunks", defaultValue = "16",
        description = "trunks that connect the players (default: ${DEFAULT-VALUE})")
    public int trunks;

    @Option(names = "--sends", defaultValue = "10",
        description = "moves per player per second (default: ${DEFAULT-VALUE})")
    public int sends;

    @Option(names = "--state", paramLabel = "BYTES", defaultValue = "200",
        description = "bytes of a state (default: ${DEFAULT-VALUE})")
    public int state;

    @Option(names = "--states", defaultValue = TRUNK,
        description = "trunk or feed: how states for all players of a room are sent (default: ${DEFAULT-VALUE})")
    public String states;

    @Option(names = "--placement", defaultValue = SPREAD,
        description = "spread or aligned: a room's seats on different trunks, or on one trunk (default: " +
            "${DEFAULT-VALUE})")
    public String placement;

    @Option(names = "--mtu", paramLabel = "BYTES", defaultValue = "1408",
        description = "bytes of a datagram, or of a fragment in shared memory (default: ${DEFAULT-VALUE})")
    public int mtu;

    @Option(names = "--idle", defaultValue = "park",
        description = "idle strategy of the engine: busy, yield, backoff or park (default: park)")
    public String idle;

    @Option(names = "--gather", paramLabel = "US", defaultValue = "1000", description =
        "how long the bots gather moves before they send them, as a gateway does, in microseconds " +
        "(default: ${DEFAULT-VALUE}). It counts as latency.")
    public int gatherUs;

    @Option(names = "--cores", hidden = true)
    private int cores;

    @Option(names = "--trunk-rate", hidden = true)
    public int trunkRate;

    @Option(names = "--flush", paramLabel = "MS", defaultValue = "0", description =
        "how long a gateway may hold messages back to send several in one packet, in milliseconds " +
        "(default: ${DEFAULT-VALUE})")
    public int flushMs;

    /** How the players' programs reach a gateway. Null without a gateway. */
    @Option(names = "--gateway", hidden = true)
    public String gateway;

    /** Pages that are open at the server's console. Negative without a console. */
    @Option(names = "--pages", hidden = true, defaultValue = "-1")
    public int pages;

    /** The page of the console, with a token that may look. */
    @Option(names = "--console-url", hidden = true)
    public String consoleUrl;

    /** The server that a process runs or connects to, null for the engine. */
    @Option(names = "--peer", hidden = true)
    public String peer;

    @Option(names = "--parts", hidden = true)
    private String parts;

    @Override
    public Program program(final String processRole)
    {
        if (GATEWAY.equals(processRole))
        {
            return new Program(List.of(gatewayCommand()), List.of());
        }
        if (!SERVER.equals(processRole) || null != peer)
        {
            return Program.NONE;
        }
        final List<String> options = new ArrayList<>(List.of("--mode=" + (isShared() ? "shared" : "solo"),
            "--idle=" + idle, "--loops=" + loops(), "--trunk-limit=" + trunks));
        if (isIpc())
        {
            options.add("--term-length=" + IPC_TERM_LENGTH);
        }
        if (hasConsole())
        {
            options.add("--console-port=0");
        }
        // The nodes of a cluster know themselves by it.
        return serve(!isIpc() || isCluster(), options);
    }

    private List<String> gatewayCommand()
    {
        final List<String> command = new ArrayList<>(List.of("gateway", "--log-in=game", "--drain=0",
            "--web-port=" + gatewayPort(), "--server=" + serverEndpoint(), "--respond=" + responseEndpoint()));
        if (isIpc())
        {
            command.add("--driver-dir=" + directory);
        }
        if (isFed())
        {
            command.add("--feed");
        }
        if (isTls())
        {
            certify(command);
        }
        return command;
    }

    /** Netty makes a certificate in two private files, which the tool deletes when it exits. */
    @SuppressWarnings("deprecation") // Its successor needs Bouncy Castle.
    private static void certify(final List<String> command)
    {
        try
        {
            final SelfSignedCertificate certificate = new SelfSignedCertificate("localhost", "EC", KEY_BITS);
            command.addAll(List.of("--cert=" + certificate.certificate(), "--key=" + certificate.privateKey()));
        }
        catch (final CertificateException ex)
        {
            throw new IllegalStateException("no certificate: " + ex.getMessage(), ex);
        }
    }

    /** Where the gateway listens. */
    int gatewayPort()
    {
        return Integer.parseInt(clientEndpoint().replaceFirst(".*:", ""));
    }

    /** Whether players reach the gateway over TLS. */
    boolean isTls()
    {
        return TLS.equals(gateway);
    }

    /** Whether states travel on the engine's feed. */
    boolean isFed()
    {
        return FEED.equals(states);
    }

    @Override
    public int heapMb()
    {
        return Math.max(LARGE_HEAP_MB, rooms / ROOMS_PER_MB);
    }

    @Override
    public int clientHeapMb()
    {
        return isTls() ? TLS_CLIENT_HEAP_MB : heapMb();
    }

    /**
     * Copy for one run.
     *
     * @param roomCount instead of {@code --rooms}.
     * @param hostCores that engine and bots share.
     * @param rateLimit moves per second that the engine accepts from a trunk, 0 for no limit.
     * @param load      the measured parts.
     */
    public CrowdPlan forRun(
        final int runWarmUpMs,
        final int roomCount,
        final int hostCores,
        final int rateLimit,
        final List<List<LoadPhase>> load)
    {
        final int durationMs = load.stream().flatMap(List::stream).mapToInt(LoadPhase::durationMs).sum();
        final CrowdPlan copy = forRun(new CrowdPlan(), "crowd", runWarmUpMs, durationMs);
        copy.rooms = roomCount;
        copy.cores = hostCores;
        copy.trunkRate = rateLimit;
        copy.parts = load.stream()
            .map((part) -> part.stream().map(LoadPhase::toString).collect(Collectors.joining(PHASE_SEPARATOR)))
            .collect(Collectors.joining(PART_SEPARATOR));
        return copy;
    }

    /** Make this the plan of a run on a peer, null for the engine. */
    public CrowdPlan beside(final String other)
    {
        peer = other;
        trunks = TCP_PLAYERS.equals(peer) ? players() : trunks;
        return this;
    }

    /** Make this the plan of a run of the engine without durability. */
    public CrowdPlan inMemory()
    {
        durability = MEMORY;
        return this;
    }

    /** Make this the plan of a run with players as WebSockets at a gateway with one trunk, {@link #PLAIN} or not. */
    public CrowdPlan atGateway(final String kind)
    {
        gateway = kind;
        trunks = 1;
        return this;
    }

    /** Make this the plan of a run without a gateway. Its players share one trunk, as if they had a gateway. */
    public CrowdPlan onOneTrunk()
    {
        trunks = 1;
        return this;
    }

    /** Make this the plan of a run of an engine with a console, at which pages are open. */
    public CrowdPlan withPages(final int count)
    {
        pages = count;
        return this;
    }

    /** Whether the engine has a console. */
    public boolean hasConsole()
    {
        return pages >= 0;
    }

    /** Whether there is a gateway between the players and the engine. */
    public boolean hasGateway()
    {
        return null != gateway;
    }

    /** Players, one per seat. */
    public int players()
    {
        return rooms * seats;
    }

    /** Moves per second of all players. */
    public long movesPerSecond()
    {
        return (long)players() * sends;
    }

    /** Least bytes of a state that holds the last move of every seat. */
    public int minState()
    {
        return CrowdMessages.minStateLength(seats);
    }

    /** The measured parts. */
    public List<List<LoadPhase>> parts()
    {
        final List<List<LoadPhase>> parsed = new ArrayList<>();
        for (final String part : parts.split(Pattern.quote(PART_SEPARATOR)))
        {
            parsed.add(Arrays.stream(part.split(Pattern.quote(PHASE_SEPARATOR))).map(LoadPhase::parse).toList());
        }
        return parsed;
    }

    /**
     * A part of the warm-up. The first part starts gently, because code that is not compiled yet would be swamped. The
     * code that starts and stops a part first executes in such a part, and the JIT recompiles, some of it the second
     * time. That must happen before measuring starts.
     *
     * @param number from 0.
     */
    List<LoadPhase> warmUpPart(final int number)
    {
        final int quarterMs = Math.max(1, warmUpMs / 4);
        final LoadPhase full = new LoadPhase(movesPerSecond(), quarterMs);
        return 0 == number ? List.of(new LoadPhase(Math.max(1, movesPerSecond() / 4), quarterMs), full) : List.of(full);
    }

    /** Duration of a measured part. All are of one length. */
    int partMs()
    {
        return parts().get(0).stream().mapToInt(LoadPhase::durationMs).sum();
    }

    boolean isOverload()
    {
        return parts().get(0).size() > 1;
    }

    /**
     * Whether the edge has its own thread. On two cores or fewer the whole engine is one thread, unless it is a node of
     * a cluster.
     */
    boolean isShared()
    {
        return cores > SOLO_CORES || isCluster();
    }

    /** Loops of the engine: on more than two cores, one per core that the edge and the bots leave. */
    int loops()
    {
        return Math.max(1, cores - SOLO_CORES);
    }

    /** Rooms that run their frames together. */
    int roomsPerFrame()
    {
        return Math.max(1, rooms / loops() / EngineContext.PHASE_GROUPS_DEFAULT);
    }

    /** Whether the bots spin. The processes together never spin more threads than there are cores. */
    boolean areBotsBusy()
    {
        final int spinning = "busy".equals(idle) ? (isShared() ? loops() + 1 : 1) : 0;
        return spinning < cores && cores > 1;
    }

    boolean hasConnectionPerPlayer()
    {
        return TCP_PLAYERS.equals(peer) || hasGateway();
    }

    /** The trunk of a seat. */
    int trunkOf(final int room, final int seat)
    {
        if (hasConnectionPerPlayer())
        {
            return room * seats + seat;
        }
        return ALIGNED.equals(placement) ? room % trunks : (room + seat) % trunks;
    }

    /** The id of a room by the order in which rooms are opened. They are assigned to the loops in turn. */
    long roomId(final int room)
    {
        return roomId(room, loops());
    }

    static long roomId(final int room, final int loops)
    {
        return (long)(room % loops) << LOOP_BITS | (room / loops + 1);
    }
}
