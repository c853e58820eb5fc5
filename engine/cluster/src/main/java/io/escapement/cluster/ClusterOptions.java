package io.escapement.cluster;

import io.aeron.driver.MediaDriver;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.escapement.config.ConfigException;
import io.escapement.config.internal.PrivateFiles;
import io.escapement.driver.Endpoints;
import io.escapement.engine.Durability;
import io.escapement.engine.Secrets;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.agrona.BitUtil;

/**
 * Options of one node of a cluster. All except {@link #memberId(int)} and the directories must be the same on all
 * nodes. Joining freezes them: setters then throw {@link IllegalStateException}.
 */
public final class ClusterOptions
{
    /** Ports that a node uses, from its port on. */
    public static final int PORTS_PER_MEMBER = 5;
    /** Default of {@link #heartbeatTimeoutNs(long)}. */
    public static final long HEARTBEAT_TIMEOUT_NS_DEFAULT = TimeUnit.MILLISECONDS.toNanos(300);
    /** Default of {@link #heartbeatIntervalNs(long)}. */
    public static final long HEARTBEAT_INTERVAL_NS_DEFAULT = TimeUnit.MILLISECONDS.toNanos(50);
    /** Default of {@link #electionTimeoutNs(long)}. */
    public static final long ELECTION_TIMEOUT_NS_DEFAULT = TimeUnit.MILLISECONDS.toNanos(100);
    /** Default of {@link #statusIntervalNs(long)}. */
    public static final long STATUS_INTERVAL_NS_DEFAULT = TimeUnit.MILLISECONDS.toNanos(20);
    /** Default of {@link #startupTimeoutNs(long)}. */
    public static final long STARTUP_TIMEOUT_NS_DEFAULT = TimeUnit.SECONDS.toNanos(2);
    /** Default of {@link #sessionTimeoutNs(long)}. */
    public static final long SESSION_TIMEOUT_NS_DEFAULT = TimeUnit.SECONDS.toNanos(5);
    /** Default of {@link #termLength(int)}. */
    public static final int TERM_LENGTH_DEFAULT = 16 * 1_024 * 1_024;
    /** Default of {@link #mtu(int)}. */
    public static final int MTU_DEFAULT = 1_408;
    /** Default of {@link #segmentLength(int)}. */
    public static final int SEGMENT_LENGTH_DEFAULT = 64 * 1_024 * 1_024;

    /** An eighth of a term is the longest turn. */
    private static final int MIN_TERM_LENGTH = 256 * 1_024;
    private static final int MAX_TERM_LENGTH = 1_024 * 1_024 * 1_024;
    private static final int MIN_MTU = 1_024;
    private static final int MAX_MTU = 8 * 1_024;
    private static final int MTU_ALIGNMENT = 32;
    /** Of the log: written, received, replayed to the service, and for a member that catches up, each way. */
    private static final int LOG_STREAMS = 10;
    /** Counters, queues and logs of the driver, and the terms of messages between nodes outside the log. */
    private static final int DRIVER_LENGTH = 42 * 1_024 * 1_024;
    private static final int MAX_MEMBERS = 9;
    private static final int MAX_PORT = 65_535 - PORTS_PER_MEMBER;
    private static final int LOG_PORT = 2;
    private static final int ARCHIVE_PORT = 3;
    private static final int VERSIONS_PORT = 4;

    /** A member's host and first port. */
    private record Member(String host, int port)
    {
    }

    private String members;
    private Member[] parsed = {};
    private int memberId = -1;
    private byte[] key;
    private Path directory;
    private Path driverDirectory;
    private Durability.Level level = Durability.Level.RECORDED;
    private long heartbeatTimeoutNs = HEARTBEAT_TIMEOUT_NS_DEFAULT;
    private long heartbeatIntervalNs = HEARTBEAT_INTERVAL_NS_DEFAULT;
    private long electionTimeoutNs = ELECTION_TIMEOUT_NS_DEFAULT;
    private long statusIntervalNs = STATUS_INTERVAL_NS_DEFAULT;
    private long startupTimeoutNs = STARTUP_TIMEOUT_NS_DEFAULT;
    private long sessionTimeoutNs = SESSION_TIMEOUT_NS_DEFAULT;
    private int termLength = TERM_LENGTH_DEFAULT;
    private int mtu = MTU_DEFAULT;
    private int segmentLength = SEGMENT_LENGTH_DEFAULT;
    private UnaryOperator<MediaDriver.Context> driver = UnaryOperator.identity();
    private boolean isConcluded;

    /**
     * The nodes of the cluster, by member id from 0. Each uses {@link #PORTS_PER_MEMBER} UDP ports from its own on,
     * which belong on a private network. A node accepts packets only from the addresses of these names.
     *
     * @param value {@code host:port}, separated by commas. One node survives its kill. Three survive the loss of one.
     */
    public ClusterOptions members(final String value)
    {
        checkNotFrozen();
        parsed = parse(value);
        members = value;
        return this;
    }

    /**
     * Number of this node: its place in {@link #members(String)}.
     *
     * @param value from 0.
     */
    public ClusterOptions memberId(final int value)
    {
        checkNotFrozen();
        memberId = value;
        return this;
    }

    /**
     * A secret of the nodes, by which their archives and consensus modules recognise them. Needed unless all nodes are
     * on the loopback interface. It does not encrypt: on a network that others can read, also use a tunnel.
     *
     * @param secret the same on all nodes, of at least {@link Secrets#MIN_LENGTH} bytes that are random.
     */
    public ClusterOptions key(final byte[] secret)
    {
        checkNotFrozen();
        ConfigException.check(null != secret && secret.length >= Secrets.MIN_LENGTH, "cluster.key",
            null == secret ? null : secret.length + " bytes", "use at least " + Secrets.MIN_LENGTH + " random bytes");
        key = secret.clone();
        return this;
    }

    /**
     * Where the node keeps its log and snapshots, created if necessary. One node at a time may use it.
     *
     * @param value directory on a disk.
     */
    public ClusterOptions directory(final Path value)
    {
        checkNotFrozen();
        ConfigException.check(null != value, "cluster.directory", null, "name a directory");
        directory = value;
        return this;
    }

    /**
     * Where the cluster's media driver has its files, which is deleted at the start and at the end. It is not the
     * driver of the trunks: the limits of that one and the length of the log's terms do not go together. Default: a
     * directory in shared memory, named after {@link #directory(Path)}.
     *
     * @param value directory in shared memory.
     */
    public ClusterOptions driverDirectory(final Path value)
    {
        checkNotFrozen();
        driverDirectory = value;
        return this;
    }

    /**
     * An answer means that its turn is in the memory of a majority of nodes (RECORDED, the default), or on their disks
     * (SYNCED). SYNCED costs a sync on each node.
     *
     * @param value RECORDED or SYNCED.
     */
    public ClusterOptions acknowledge(final Durability.Level value)
    {
        checkNotFrozen();
        ConfigException.check(Durability.Level.RECORDED == value || Durability.Level.SYNCED == value,
            "cluster.acknowledge", value, "use RECORDED or SYNCED");
        level = value;
        return this;
    }

    /**
     * A leader that is silent for this long is replaced. Above the longest pause of the machines: a full collection of
     * the heap or a pause of a virtual machine that is longer costs an election.
     *
     * @param ns nanoseconds.
     */
    public ClusterOptions heartbeatTimeoutNs(final long ns)
    {
        checkNotFrozen();
        heartbeatTimeoutNs = positive("heartbeatTimeoutNs", ns);
        return this;
    }

    /**
     * Interval of the leader's heartbeats.
     *
     * @param ns nanoseconds, at most a third of the timeout.
     */
    public ClusterOptions heartbeatIntervalNs(final long ns)
    {
        checkNotFrozen();
        heartbeatIntervalNs = positive("heartbeatIntervalNs", ns);
        return this;
    }

    /**
     * How long a candidate waits for votes. When a node is gone the others wait this long for its vote.
     *
     * @param ns nanoseconds.
     */
    public ClusterOptions electionTimeoutNs(final long ns)
    {
        checkNotFrozen();
        electionTimeoutNs = positive("electionTimeoutNs", ns);
        return this;
    }

    /**
     * Interval at which nodes publish their state during an election.
     *
     * @param ns nanoseconds.
     */
    public ClusterOptions statusIntervalNs(final long ns)
    {
        checkNotFrozen();
        statusIntervalNs = positive("statusIntervalNs", ns);
        return this;
    }

    /**
     * How long a node that starts waits for all others before a majority is enough.
     *
     * @param ns nanoseconds, at least twice {@link #heartbeatTimeoutNs(long)}.
     */
    public ClusterOptions startupTimeoutNs(final long ns)
    {
        checkNotFrozen();
        startupTimeoutNs = positive("startupTimeoutNs", ns);
        return this;
    }

    /**
     * A loop of the leader that is silent for this long cannot propose any more, and its node leaves the cluster.
     *
     * @param ns nanoseconds.
     */
    public ClusterOptions sessionTimeoutNs(final long ns)
    {
        checkNotFrozen();
        sessionTimeoutNs = positive("sessionTimeoutNs", ns);
        return this;
    }

    /**
     * Length of the terms of the log, of which three are in shared memory. An eighth of it is the longest turn.
     *
     * @param bytes a power of two from 256 KiB to 1 GiB.
     */
    public ClusterOptions termLength(final int bytes)
    {
        checkNotFrozen();
        ConfigException.check(bytes >= MIN_TERM_LENGTH && bytes <= MAX_TERM_LENGTH && BitUtil.isPowerOfTwo(bytes),
            "cluster.termLength", bytes, "use a power of two from " + MIN_TERM_LENGTH + " to " + MAX_TERM_LENGTH);
        termLength = bytes;
        return this;
    }

    /**
     * The longest packet between nodes, without the headers of UDP and IP. Turns are longer than packets. Longer
     * packets cost less on a network that takes them: 8,192 with jumbo frames of 9,000 bytes. Other networks fragment
     * them, and a lost fragment costs the packet.
     *
     * @param bytes a multiple of 32 from 1,024 to 8,192.
     */
    public ClusterOptions mtu(final int bytes)
    {
        checkNotFrozen();
        ConfigException.check(bytes >= MIN_MTU && bytes <= MAX_MTU && 0 == bytes % MTU_ALIGNMENT, "cluster.mtu", bytes,
            "use a multiple of " + MTU_ALIGNMENT + " from " + MIN_MTU + " to " + MAX_MTU);
        mtu = bytes;
        return this;
    }

    /**
     * Length of the files of the log.
     *
     * @param bytes a power of two, at least {@link #termLength(int)}.
     */
    public ClusterOptions segmentLength(final int bytes)
    {
        checkNotFrozen();
        ConfigException.check(bytes >= MIN_TERM_LENGTH && bytes <= MAX_TERM_LENGTH && BitUtil.isPowerOfTwo(bytes),
            "cluster.segmentLength", bytes, "use a power of two from " + MIN_TERM_LENGTH + " to " + MAX_TERM_LENGTH);
        segmentLength = bytes;
        return this;
    }

    /** Change the options of the cluster's media driver, for tests that plant faults. */
    ClusterOptions driver(final UnaryOperator<MediaDriver.Context> value)
    {
        checkNotFrozen();
        driver = value;
        return this;
    }

    /** Check the options, and freeze them. */
    void conclude()
    {
        checkNotFrozen();
        check();
        isConcluded = true;
    }

    /** Check the options that depend on one another. */
    void check()
    {
        ConfigException.check(null != members, "cluster.members", null, "name the nodes, such as h0:9000,h1:9000");
        ConfigException.check(memberId >= 0 && memberId < parsed.length, "cluster.memberId", memberId,
            "use 0 to " + (parsed.length - 1) + ", the place of this node in members");
        ConfigException.check(null != directory, "cluster.directory", null, "name a directory");
        ConfigException.check(heartbeatIntervalNs <= heartbeatTimeoutNs / 3, "cluster.heartbeatIntervalNs",
            heartbeatIntervalNs, "use at most a third of heartbeatTimeoutNs, " + heartbeatTimeoutNs / 3);
        ConfigException.check(startupTimeoutNs >= 2 * heartbeatTimeoutNs, "cluster.startupTimeoutNs",
            startupTimeoutNs, "use at least twice heartbeatTimeoutNs, " + 2 * heartbeatTimeoutNs);
        ConfigException.check(sessionTimeoutNs >= 2 * heartbeatTimeoutNs, "cluster.sessionTimeoutNs",
            sessionTimeoutNs, "use at least twice heartbeatTimeoutNs, " + 2 * heartbeatTimeoutNs);
        ConfigException.check(segmentLength >= termLength, "cluster.segmentLength", segmentLength,
            "use at least termLength, " + termLength);
        ConfigException.check(null != key || new MemberAddresses(hosts()).areLoopback(), "cluster.key", null,
            "give all nodes the same secret: without one they have to be on the loopback interface");
    }

    /** Refuse a directory and ports that this host does not have. */
    void checkHost()
    {
        PrivateFiles.checkDirectory("cluster.directory", directory);
        for (int i = 0; i < PORTS_PER_MEMBER; i++)
        {
            Endpoints.checkUdp("cluster.members", parsed[memberId].host + ":" + (parsed[memberId].port + i));
        }
    }

    UnaryOperator<MediaDriver.Context> driver()
    {
        return driver;
    }

    /** A number that clusters of other members do not have: no two clusters use the same ports of a host. */
    long realm()
    {
        return UUID.nameUUIDFromBytes(members.getBytes(StandardCharsets.UTF_8)).getLeastSignificantBits();
    }

    int memberId()
    {
        return memberId;
    }

    int memberCount()
    {
        return parsed.length;
    }

    Path directory()
    {
        return directory;
    }

    /** The directory of the media driver of a node that has a directory. */
    String driverDirectory(final NodeDirectory node)
    {
        return (null == driverDirectory ? node.driver() : driverDirectory).toString();
    }

    boolean isSynced()
    {
        return Durability.Level.SYNCED == level;
    }

    long heartbeatTimeoutNs()
    {
        return heartbeatTimeoutNs;
    }

    long heartbeatIntervalNs()
    {
        return heartbeatIntervalNs;
    }

    long electionTimeoutNs()
    {
        return electionTimeoutNs;
    }

    long statusIntervalNs()
    {
        return statusIntervalNs;
    }

    long startupTimeoutNs()
    {
        return startupTimeoutNs;
    }

    long sessionTimeoutNs()
    {
        return sessionTimeoutNs;
    }

    int termLength()
    {
        return termLength;
    }

    int mtu()
    {
        return mtu;
    }

    /** Bytes that the driver's files and the terms of the log take at most of the file system with this directory. */
    long memoryLength(final Path memory)
    {
        try
        {
            return null == directory || !Files.getFileStore(driverParent()).equals(Files.getFileStore(memory)) ? 0 :
                DRIVER_LENGTH + LOG_STREAMS * (3L * termLength + LogBufferDescriptor.LOG_META_DATA_LENGTH);
        }
        catch (final IOException ex)
        {
            // The free space of such a file system is also unknown, and is not checked.
            return 0;
        }
    }

    /** An existing directory that the driver's is in. */
    private Path driverParent()
    {
        Path parent = null == driverDirectory ? PrivateFiles.memory() : driverDirectory.toAbsolutePath();
        while (!Files.exists(parent))
        {
            parent = parent.getParent();
        }
        return parent;
    }

    int segmentLength()
    {
        return segmentLength;
    }

    /** Null without a secret. */
    byte[] key()
    {
        return key;
    }

    List<String> hosts()
    {
        return Arrays.stream(parsed).map(Member::host).toList();
    }

    /** This node's host. */
    String host()
    {
        return parsed[memberId].host;
    }

    /** Endpoint of this node's archive for the archives of the others. */
    String archiveEndpoint()
    {
        return archiveEndpoint(memberId);
    }

    /** Endpoints of the archives of the others. */
    List<String> otherArchiveEndpoints()
    {
        return IntStream.range(0, parsed.length).filter((i) -> i != memberId).mapToObj(this::archiveEndpoint).toList();
    }

    /** Endpoint of this node for the consensus modules of the others. */
    String consensusEndpoint()
    {
        return consensusEndpoint(memberId);
    }

    /** Endpoints of the consensus modules of the others, separated by commas. */
    String otherConsensusEndpoints()
    {
        return IntStream.range(0, parsed.length).filter((i) -> i != memberId).mapToObj(this::consensusEndpoint)
            .collect(Collectors.joining(","));
    }

    /** Endpoint of this node for the versions of room types that the others announce. */
    String versionEndpoint()
    {
        return versionEndpoint(memberId);
    }

    /** Endpoints of the others for the versions that this node announces. */
    List<String> otherVersionEndpoints()
    {
        return IntStream.range(0, parsed.length).filter((i) -> i != memberId).mapToObj(this::versionEndpoint).toList();
    }

    private String versionEndpoint(final int member)
    {
        return parsed[member].host + ":" + (parsed[member].port + VERSIONS_PORT);
    }

    private String archiveEndpoint(final int member)
    {
        return parsed[member].host + ":" + (parsed[member].port + ARCHIVE_PORT);
    }

    private String consensusEndpoint(final int member)
    {
        return parsed[member].host + ":" + (parsed[member].port + 1);
    }

    /**
     * The members as the consensus module wants them: id, ingress, consensus, log, catch-up, archive. Ingress is on the
     * loopback interface, because only the node itself proposes.
     */
    String clusterMembers()
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < parsed.length; i++)
        {
            final String host = parsed[i].host;
            final int port = parsed[i].port;
            text.append(i).append(",127.0.0.1:").append(port)
                .append(',').append(consensusEndpoint(i))
                .append(',').append(host).append(':').append(port + LOG_PORT)
                .append(',').append(host).append(":0")
                .append(',').append(host).append(':').append(port + ARCHIVE_PORT).append('|');
        }
        return text.toString();
    }

    private static Member[] parse(final String value)
    {
        ConfigException.check(null != value && !value.isBlank(), "cluster.members", value,
            "name the nodes, such as h0:9000,h1:9000,h2:9000");
        final String[] texts = value.split(",");
        ConfigException.check(texts.length <= MAX_MEMBERS, "cluster.members", value,
            "use at most " + MAX_MEMBERS + " nodes");
        final Member[] found = new Member[texts.length];
        for (int i = 0; i < texts.length; i++)
        {
            final String text = texts[i].trim();
            final int colon = text.lastIndexOf(':');
            final String port = text.substring(colon + 1);
            ConfigException.check(colon > 0 && port.matches("[0-9]{1,5}") && Integer.parseInt(port) > 0 &&
                Integer.parseInt(port) <= MAX_PORT, "cluster.members", value, "\"" + text +
                "\" is not host:port with a port from 1 to " + MAX_PORT);
            found[i] = new Member(text.substring(0, colon), Integer.parseInt(port));
            for (int j = 0; j < i; j++)
            {
                ConfigException.check(!found[j].host.equals(found[i].host) ||
                    Math.abs(found[j].port - found[i].port) >= PORTS_PER_MEMBER, "cluster.members", value,
                    "the nodes of a host need ports " + PORTS_PER_MEMBER + " apart");
            }
        }
        return found;
    }

    private static long positive(final String option, final long ns)
    {
        ConfigException.check(ns > 0, "cluster." + option, ns, "use a positive time");
        return ns;
    }

    private void checkNotFrozen()
    {
        if (isConcluded)
        {
            throw new IllegalStateException("the options are frozen: a node has joined with them");
        }
    }
}
