package io.escapement.perf.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of a run over Aeron. Its engine may log turns before it runs them. */
public class DurablePlan extends RunPlan
{
    /** Values of {@code --channel}. */
    public static final List<String> CHANNELS = List.of("udp", "ipc");
    /** Turns are not logged. */
    public static final String MEMORY = "memory";
    /** A journal in shared memory first. */
    public static final String RECORDED = "recorded";
    /** A journal on the disk first. */
    public static final String SYNCED = "synced";
    /** Three nodes on this host, a majority first. */
    public static final String CLUSTER = "cluster";
    /** Values of {@code --durability}. */
    public static final List<String> DURABILITIES = List.of(MEMORY, RECORDED, SYNCED, CLUSTER);

    /** Nodes of a cluster. */
    public static final int NODES = 3;

    private static final int CLUSTER_HEAP_MB = 768;

    @Option(names = "--channel", defaultValue = "udp", description =
        "udp, or ipc for shared memory, where the client has no media driver and joins the server's driver " +
        "(default: ${DEFAULT-VALUE})")
    public String channel;

    @Option(names = "--durability", defaultValue = MEMORY, description =
        "memory, recorded or synced (a journal), or cluster: three nodes in one process, each with an edge, a loop " +
        "and its log's threads, parked (default: ${DEFAULT-VALUE})")
    public String durability;

    @Option(names = "--journal", paramLabel = "DIR", defaultValue = "${sys:java.io.tmpdir}",
        description = "directory of the journals and the nodes' logs during a run (default: ${DEFAULT-VALUE})")
    public Path journal;

    @Override
    public int heapMb()
    {
        return isCluster() ? CLUSTER_HEAP_MB : super.heapMb();
    }

    /**
     * The program that serves the engine of this run. Makes the directory of its journal, and sets {@link #journal} to
     * it.
     *
     * @param isListening whether trunks connect over UDP.
     * @param options     of the program, in addition to the options of channel and durability.
     */
    protected final Program serve(final boolean isListening, final List<String> options)
    {
        if (isDurable())
        {
            journal = newDirectory(journal);
        }
        final List<List<String>> commands = new ArrayList<>();
        final List<Path> directories = new ArrayList<>(isDurable() ? List.of(journal) : List.of());
        for (int node = 0; node < (isCluster() ? NODES : 1); node++)
        {
            final List<String> command = new ArrayList<>(List.of("serve", "--demo-accounts", "--log-in=game",
                "--driver-dir=" + nodeDirectory(node), "--respond=" + responseEndpoint(node),
                "--listen=" + (isListening ? serverEndpoint(node) : "none")));
            if (isIpc())
            {
                command.add("--ipc");
            }
            command.addAll(switch (durability)
            {
                case RECORDED, SYNCED -> List.of("--journal=" + journal, "--acknowledge=" + durability);
                case CLUSTER -> List.of("--cluster=" + members(NODES), "--member=" + node,
                    "--data=" + nodeJournal(node));
                default -> List.of("--journal=none");
            });
            command.addAll(options);
            commands.add(command);
            directories.add(Path.of(nodeDirectory(node)));
        }
        return new Program(commands, directories);
    }

    /** Whether the client uses the server's media driver. */
    public final boolean isIpc()
    {
        return "ipc".equals(channel);
    }

    private static Path newDirectory(final Path parent)
    {
        try
        {
            return Files.createTempDirectory(parent, "escapement-perf-");
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Where a node of a cluster has its log. */
    final Path nodeJournal(final int node)
    {
        return journal.resolve("node-" + node);
    }

    /** Whether the engine logs turns. */
    public final boolean isDurable()
    {
        return !MEMORY.equals(durability);
    }

    /** Whether the engine is three nodes. */
    public final boolean isCluster()
    {
        return CLUSTER.equals(durability);
    }
}
