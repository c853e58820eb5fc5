package io.escapement.perf.rig;

import io.escapement.driver.DriverDirectory;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/**
 * The options of one run. Picocli reads them twice: in the tool from the command line, and in a measured process from
 * an options file, where the hidden ones say which part of the run the process plays.
 */
public class RunPlan
{
    /** Role of the process that is measured. */
    public static final String SERVER = "server";
    /** Role of the process between the players and the server. */
    public static final String GATEWAY = "gateway";

    private static final int HEAP_MB = 256;
    /** Of a server, of a bare client, of two more nodes, and of the logs of three nodes. */
    private static final int PORTS = 22;
    private static final int CLIENT_PORT = 2;
    private static final int PORTS_PER_NODE = 2;
    private static final int FIRST_LOG_PORT = 7;
    private static final int PORTS_PER_LOG = 5;
    /** Offset of an archive's port in a node's ports. */
    static final int ARCHIVE_PORT = 3;
    /** Below the ephemeral ports of common systems. */
    private static final int FIRST_PORT = 20_000;
    private static final int PORT_GROUPS = 400;
    private static final int PORT_TRIES = 100;

    @Option(names = {"--warm-up", "--warm-up-ms"}, paramLabel = "MS", defaultValue = "3000",
        description = "minimum warm-up before each run, which is not measured (default: ${DEFAULT-VALUE})")
    public int warmUpMs;

    @Option(names = "--warm-up-limit-ms", paramLabel = "MS", defaultValue = "60000", description =
        "maximum warm-up: it continues until the JIT compilers work for less than a hundredth of one of its parts " +
        "(default: ${DEFAULT-VALUE})")
    public int warmUpLimitMs;

    @Option(names = "--pairs", defaultValue = "5", description =
        "how often each kind of run is repeated, in alternating order. All runs share the measured time " +
        "(default: ${DEFAULT-VALUE})")
    public int pairs;

    @Option(names = "--server-cpu", paramLabel = "CORES",
        description = "pin the server's process to these cores by taskset, for example 0 or 2-3")
    public String serverCpu;

    @Option(names = "--bots-cpu", paramLabel = "CORES",
        description = "pin the load's process to these cores")
    public String botsCpu;

    @Option(names = "--role", hidden = true)
    public String role;

    @Option(names = "--subject", hidden = true)
    public String subject;

    @Option(names = "--measure-ms", hidden = true)
    public int measureMs;

    @Option(names = "--port", hidden = true)
    private int port;

    /** The node that a client connects to, if the server has several nodes. */
    @Option(names = "--leader", hidden = true)
    public int leader;

    @Option(names = "--driver-directory", hidden = true)
    public String directory;

    @Option(names = "--results", hidden = true)
    public Path results;

    /**
     * How the program of {@code escapement-server} plays a role of this run.
     *
     * @param processRole of the process.
     */
    public Program program(final String processRole)
    {
        return Program.NONE;
    }

    /** Heap of measured processes, in megabytes. */
    public int heapMb()
    {
        return HEAP_MB;
    }

    /** Heap of the load's process. */
    public int clientHeapMb()
    {
        return heapMb();
    }

    /** Address that the server receives at. */
    public final String serverEndpoint()
    {
        return serverEndpoint(leader);
    }

    /** Address that a trunk receives responses at. */
    public final String responseEndpoint()
    {
        return responseEndpoint(leader);
    }

    /** Address that a node of the server receives at. */
    public final String serverEndpoint(final int node)
    {
        return endpoint(0 == node ? 0 : CLIENT_PORT + PORTS_PER_NODE * node - 1);
    }

    /** Address that a trunk to a node receives responses at. */
    public final String responseEndpoint(final int node)
    {
        return endpoint(0 == node ? 1 : CLIENT_PORT + PORTS_PER_NODE * node);
    }

    /** Directory of the media driver of a node. */
    public final String nodeDirectory(final int node)
    {
        return 0 == node ? directory : directory + "-" + node;
    }

    /** Addresses that the logs of several nodes use. */
    public final String members(final int nodes)
    {
        return IntStream.range(0, nodes).mapToObj((node) -> endpoint(FIRST_LOG_PORT + PORTS_PER_LOG * node))
            .collect(Collectors.joining(","));
    }

    /** An address of a node of a bare cluster. */
    final String memberEndpoint(final int node, final int offset)
    {
        return endpoint(FIRST_LOG_PORT + PORTS_PER_LOG * node + offset);
    }

    /** Address of the archive of bare Aeron. */
    final String archiveEndpoint()
    {
        return memberEndpoint(0, ARCHIVE_PORT);
    }

    /** The members of a bare cluster: ingress, consensus, log, catch-up, archive. */
    final String clusterMembers(final int nodes)
    {
        return IntStream.range(0, nodes).mapToObj((node) -> node + "," + memberEndpoint(node, 0) + "," +
            memberEndpoint(node, 1) + "," + memberEndpoint(node, 2) + ",127.0.0.1:0," +
            memberEndpoint(node, ARCHIVE_PORT)).collect(Collectors.joining("|"));
    }

    /** Where a bare cluster receives the messages of its clients. */
    final String ingressEndpoints(final int nodes)
    {
        return IntStream.range(0, nodes).mapToObj((node) -> node + "=" + memberEndpoint(node, 0))
            .collect(Collectors.joining(","));
    }

    /** Address that a bare Aeron client receives at. */
    public final String clientEndpoint()
    {
        return endpoint(CLIENT_PORT);
    }

    /**
     * Copy this plan for one run, with free ports and a driver directory.
     *
     * @param blank a new plan of the same class, which becomes the copy.
     */
    public final <P extends RunPlan> P forRun(
        final P blank, final String runSubject, final int runWarmUpMs, final int runMeasureMs)
    {
        CommandLine.populateCommand(blank, arguments().toArray(new String[0]));
        final RunPlan copy = blank;
        copy.subject = runSubject;
        copy.warmUpMs = runWarmUpMs;
        copy.measureMs = runMeasureMs;
        copy.port = freePorts();
        copy.directory = DriverDirectory.temporary();
        return blank;
    }

    /** All options that have a value, as picocli parses them back. */
    public final List<String> arguments()
    {
        final List<String> arguments = new ArrayList<>();
        for (final OptionSpec option : CommandSpec.forAnnotatedObject(this).options())
        {
            if (null != option.getValue())
            {
                arguments.add(option.longestName() + "=" + option.getValue());
            }
        }
        return arguments;
    }

    private String endpoint(final int offset)
    {
        return "127.0.0.1:" + (port + offset);
    }

    /** The first of consecutive free ports, at random, so that two tools at a time do not race for them. */
    private static int freePorts()
    {
        return ThreadLocalRandom.current().ints(PORT_TRIES, 0, PORT_GROUPS)
            .map((group) -> FIRST_PORT + group * PORTS)
            .filter((first) -> IntStream.range(first, first + PORTS).allMatch(RunPlan::isFree)).findFirst()
            .orElseThrow(() -> new IllegalStateException("no free ports on the loopback interface"));
    }

    private static boolean isFree(final int port)
    {
        final InetAddress host = InetAddress.getLoopbackAddress();
        try (DatagramSocket socket = new DatagramSocket(port, host); ServerSocket tcp = new ServerSocket(port, 1, host))
        {
            return port == socket.getLocalPort() && port == tcp.getLocalPort();
        }
        catch (final IOException ex)
        {
            return false;
        }
    }
}
