package io.escapement.perf.rig;

import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of a run whose engine may log turns before it runs them. */
public class DurablePlan extends ChannelPlan
{
    /** Nothing is logged. */
    public static final String MEMORY = "memory";
    /** A journal in shared memory first. */
    public static final String RECORDED = "recorded";
    /** A journal on the disk first. */
    public static final String SYNCED = "synced";
    /** Three nodes on this host, a majority first. */
    public static final String CLUSTER = "cluster";
    /** Values of {@code --durability}. */
    public static final List<String> DURABILITIES = List.of(MEMORY, RECORDED, SYNCED, CLUSTER);

    private static final int CLUSTER_HEAP_MB = 768;

    @Option(names = "--durability", defaultValue = MEMORY, description = {
        "memory, recorded or synced (a journal), or cluster: three nodes in one process, each with an edge, a loop and",
        "the threads of its log, parked (default: ${DEFAULT-VALUE})"})
    public String durability;

    @Option(names = "--journal", paramLabel = "DIR", defaultValue = "${sys:java.io.tmpdir}",
        description = "where journals and logs of nodes are during a run (default: ${DEFAULT-VALUE})")
    public Path journal;

    @Override
    public int heapMb()
    {
        return isCluster() ? CLUSTER_HEAP_MB : super.heapMb();
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
