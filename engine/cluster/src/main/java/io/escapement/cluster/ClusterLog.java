package io.escapement.cluster;

import io.escapement.engine.spi.ReplicatedLog;
import io.escapement.rooms.log.LogSource;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/**
 * The log of turns in an Aeron Cluster. Give it to an engine:
 *
 * <pre>{@code
 *   new EngineContext().durability(Durability.replicated(new ClusterLog(new ClusterOptions()
 *       .members("h0:9000,h1:9000,h2:9000").memberId(0).directory(Path.of("/data/rooms")))))
 * }</pre>
 *
 * <p>The JVM needs the flag {@code --add-opens java.base/java.util.zip=ALL-UNNAMED}, for the checksums of the archive.
 */
public final class ClusterLog implements ReplicatedLog
{
    private final ClusterOptions options;
    private volatile ClusterNode node;

    /**
     * Make a log that one engine joins.
     *
     * @param options of this node.
     */
    public ClusterLog(final ClusterOptions options)
    {
        this.options = options;
    }

    /**
     * Fill the empty directory of a node from the leader while this node does not run: with the leader's newest
     * snapshot and the log from there. Call this for a new node, or after the loss of its disk. If a node was down for
     * longer than the others keep their log, it fills itself. Waits for the network and the disk. Then join with a log
     * of the same options.
     *
     * @param options   of the node, which stay open to change.
     * @param timeoutNs to wait.
     * @return position of the log up to which the node has it.
     * @throws IllegalStateException if no node leads, or the time is over. The directory is as it was.
     */
    public static long fill(final ClusterOptions options, final long timeoutNs)
    {
        options.check();
        return NodeFiller.fill(options, timeoutNs);
    }

    @Override
    public Node join(final int loops, final Receiver receiver)
    {
        options.conclude();
        node = new ClusterNode(options, loops, receiver);
        return node;
    }

    @Override
    public void check()
    {
        options.check();
        options.checkHost();
    }

    @Override
    public boolean isSynced()
    {
        return options.isSynced();
    }

    @Override
    public long memoryLength(final Path directory)
    {
        return options.memoryLength(directory);
    }

    /**
     * Whether a directory has the log of a node, so that it can be read.
     *
     * @param directory of {@link ClusterOptions#directory(Path)}.
     */
    public static boolean isIn(final Path directory)
    {
        return NodeLog.isIn(directory);
    }

    /** Only the directory of the options counts. */
    @Override
    public void read(final IntFunction<List<byte[]>> failures, final Consumer<Map<Integer, LogSource>> reader)
    {
        NodeLog.read(options.directory(), failures, reader);
    }

    /**
     * Have all nodes take a snapshot, so that their next start runs only the turns after it. They also do so by
     * themselves, by {@code Durability.replayBudgetNs} and {@code snapshotIntervalNs}. Only the leader can call this.
     * All nodes pause while they take it.
     *
     * @return false if this node does not lead, or a snapshot is being taken.
     */
    public boolean snapshot()
    {
        final ClusterNode joined = node;
        return null != joined && joined.snapshot();
    }

    /**
     * Delete, on this node, the log before the older of its two newest snapshots, and all older snapshots. A node also
     * does this by itself after each snapshot. Waits for the disk: do not call it in a thread of the engine.
     *
     * @return number of files of the log that were deleted.
     */
    public long purge()
    {
        final ClusterNode joined = node;
        return null == joined ? 0 : joined.purge();
    }

    /**
     * Whether this node has stopped at the same turn of the log twice, once before it was started and once since, and
     * would again. End the application with {@link NodeStoppedException#EXIT_STATUS} then, so that no supervisor starts
     * it. The next start would be refused.
     *
     * <pre>{@code
     *   .faultHook(() -> Runtime.getRuntime().halt(log.staysDown() ? NodeStoppedException.EXIT_STATUS : 1))
     * }</pre>
     */
    public boolean staysDown()
    {
        final ClusterNode joined = node;
        return null != joined && joined.staysDown();
    }

    /** Number of snapshots that this node has taken since it was started. */
    public long snapshots()
    {
        final ClusterNode joined = node;
        return null == joined ? 0 : joined.snapshots();
    }

    /** The role and the state of elections, for people. */
    String status()
    {
        final ClusterNode joined = node;
        return null == joined ? "joining" : joined.status();
    }
}
