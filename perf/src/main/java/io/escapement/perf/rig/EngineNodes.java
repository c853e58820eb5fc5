package io.escapement.perf.rig;

import io.escapement.cluster.ClusterLog;
import io.escapement.cluster.ClusterOptions;
import io.escapement.engine.Durability;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntFunction;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;

/**
 * The engine of a server process with its journal, or the engines of three nodes of a cluster. Journals and logs are
 * deleted at the end.
 */
public final class EngineNodes implements AutoCloseable
{
    /** Nodes of a cluster. */
    public static final int NODES = 3;

    static final int TERM_LENGTH = 4 * 1024 * 1024;
    /** Everything here shares the cores of one host, so pauses are long, and no node fails. */
    static final long HEARTBEAT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(2);
    static final long SESSION_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);
    static final long STARTUP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long LEAD_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final List<Engine> engines = new ArrayList<>();
    private final List<List<Thread>> threads = new ArrayList<>();
    private Path directory;
    private int leader;

    private EngineNodes()
    {
    }

    /**
     * Launch, and wait until a node leads.
     *
     * @param plan     with the durability.
     * @param contexts makes the options of a node by its number, without durability and threads.
     */
    public static EngineNodes launch(final DurablePlan plan, final IntFunction<EngineContext> contexts)
    {
        final EngineNodes nodes = new EngineNodes();
        try
        {
            if (plan.isDurable())
            {
                nodes.directory = Files.createTempDirectory(plan.journal, "escapement-perf-");
            }
            for (int node = 0; node < (plan.isCluster() ? NODES : 1); node++)
            {
                final List<Thread> ofNode = new CopyOnWriteArrayList<>();
                nodes.threads.add(ofNode);
                nodes.engines.add(Engine.launch(contexts.apply(node).durability(nodes.durability(plan, node))
                    .threadFactory((task) -> newThread(task, ofNode))));
            }
            nodes.awaitLeader();
            return nodes;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        catch (final RuntimeException ex)
        {
            nodes.close();
            throw ex;
        }
    }

    /** The engine, or that of the node that leads. */
    public Engine engine()
    {
        return engines.get(leader);
    }

    /** Number of the node that leads. */
    public int leader()
    {
        return leader;
    }

    /** The threads of {@link #engine()}, without those of a cluster's log. */
    public List<Thread> threads()
    {
        return threads.get(leader);
    }

    @Override
    public void close()
    {
        try
        {
            for (int i = engines.size() - 1; i >= 0; i--)
            {
                CloseHelper.close(engines.get(i));
            }
        }
        finally
        {
            if (null != directory)
            {
                IoUtil.delete(directory.toFile(), true);
            }
        }
    }

    private Durability durability(final DurablePlan plan, final int node)
    {
        return switch (plan.durability)
        {
            case DurablePlan.RECORDED -> Durability.journal(directory);
            case DurablePlan.SYNCED -> Durability.journal(directory).acknowledge(Durability.Level.SYNCED);
            case DurablePlan.CLUSTER -> Durability.replicated(new ClusterLog(new ClusterOptions()
                .members(plan.members(NODES))
                .memberId(node)
                .directory(directory.resolve("node-" + node))
                .termLength(TERM_LENGTH)
                .heartbeatTimeoutNs(HEARTBEAT_TIMEOUT_NS)
                .startupTimeoutNs(STARTUP_TIMEOUT_NS)
                .sessionTimeoutNs(SESSION_TIMEOUT_NS)));
            default -> Durability.memory();
        };
    }

    private void awaitLeader()
    {
        final long startNs = System.nanoTime();
        while (!engines.get(leader).isLeader())
        {
            if (System.nanoTime() - startNs > LEAD_NS)
            {
                throw new IllegalStateException("no node leads after " + LEAD_NS + " ns");
            }
            LockSupport.parkNanos(POLL_NS);
            leader = (leader + 1) % engines.size();
        }
    }

    private static Thread newThread(final Runnable task, final List<Thread> threads)
    {
        final Thread thread = new Thread(task);
        threads.add(thread);
        return thread;
    }
}
