package io.escapement.perf.rig;

import com.sun.management.ThreadMXBean;
import io.aeron.driver.MediaDriver;
import io.escapement.cluster.ClusterLog;
import io.escapement.cluster.ClusterOptions;
import io.escapement.engine.Durability;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.spi.Authenticator;
import io.escapement.engine.spi.LogInService;
import io.escapement.server.Game;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * The game of a measured server: options missing in the program's command line, and the thread that follows the control
 * lines. In a cluster each node has such a game, and the leader is measured.
 */
public abstract class EngineGame<P extends DurablePlan> implements Game
{
    /** Higher than any load can reach. */
    protected static final int NO_LIMIT = 100_000_000;

    static final int TERM_LENGTH = 4 * 1024 * 1024;
    /** Pauses are long and no node fails, because all nodes share the cores of one host. */
    static final long HEARTBEAT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(2);
    static final long SESSION_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(20);
    static final long STARTUP_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);

    private static final List<String> CARRIERS = List.of("escapement-solo", "escapement-edge", "escapement-loop-");
    private static final ThreadMXBean THREADS = (ThreadMXBean)ManagementFactory.getThreadMXBean();

    /** The options of the run. */
    public final P plan;
    /** The threads of this node, without the threads of a cluster's log. */
    private final List<Thread> threads = new CopyOnWriteArrayList<>();
    private final AtomicInteger errors = new AtomicInteger();
    private volatile Control control;
    private int node;

    /** @param plan of the run. */
    protected EngineGame(final P plan)
    {
        this.plan = plan;
    }

    /** The secret of all trunks of a run. */
    public static byte[] secret()
    {
        return "the trunks of one run on one host".getBytes(StandardCharsets.US_ASCII);
    }

    /** Make the driver of a node, in a directory. */
    protected abstract MediaDriver.Context driver();

    /** Open the rooms. */
    protected abstract void open(Engine engine);

    /** Follow the control lines until the end of input. */
    protected abstract void follow(Engine engine);

    /** Whether trunks receive the feed. */
    protected boolean isFed()
    {
        return false;
    }

    /** Programs of players give their number as credentials. */
    @Override
    public final LogInService logIn()
    {
        return (trunkId, credentials, reply) ->
            reply.onReply(0, Long.parseLong(new String(credentials, StandardCharsets.US_ASCII)));
    }

    @Override
    public void configure(final EngineContext context)
    {
        final String endpoint = plan.isCluster() ? context.trunks().ports().get(0).ingress() : plan.serverEndpoint(0);
        while (!endpoint.equals(plan.serverEndpoint(node)))
        {
            node++;
        }
        if (plan.isCluster())
        {
            context.durability(Durability.replicated(new ClusterLog(new ClusterOptions()
                .members(plan.members(DurablePlan.NODES))
                .memberId(node)
                .directory(plan.nodeJournal(node))
                .termLength(TERM_LENGTH)
                .heartbeatTimeoutNs(HEARTBEAT_TIMEOUT_NS)
                .startupTimeoutNs(STARTUP_TIMEOUT_NS)
                .sessionTimeoutNs(SESSION_TIMEOUT_NS))));
        }
        else
        {
            context.warmUp(control().warmUp());
        }
        context.driverContext(driver())
            .threadFactory(this::newThread)
            .errorHandler(this::onError);
        context.trunks()
            .rates(NO_LIMIT, NO_LIMIT)
            .secret(secret(), Authenticator.Verdict.TRUSTED.feed(isFed()));
    }

    @Override
    public final void openRooms(final Engine engine)
    {
        open(engine);
        control().send(Control.READY + " " + node);
        start(() -> follow(engine));
    }

    /** The control channel. In a cluster the leader opens it. */
    protected final synchronized Control control()
    {
        if (null == control)
        {
            control = new Control(plan.role);
        }
        return control;
    }

    /** Start a thread that follows the control lines. After these the process stops as by a signal. */
    protected final void start(final Runnable task)
    {
        final Thread thread = new Thread(() ->
        {
            try
            {
                task.run();
            }
            catch (final RuntimeException ex)
            {
                control().send(Control.FAULT + " " + ex.getMessage());
            }
            System.exit(0);
        }, "measure");
        thread.setDaemon(true);
        thread.start();
    }

    /** Faults so far. */
    public final int errors()
    {
        return errors.get();
    }

    /** The threads of the engine. */
    protected final List<Thread> threads()
    {
        return threads;
    }

    /** Whether a thread has rooms or trunks, and maybe the media driver that it invokes. */
    public static boolean isCarrier(final Thread thread)
    {
        return CARRIERS.stream().anyMatch(thread.getName()::startsWith);
    }

    /** Bytes that some of the engine's threads have allocated. */
    public final long allocated(final Predicate<Thread> which)
    {
        return threads.stream().filter(which)
            .mapToLong((thread) -> Math.max(0, THREADS.getThreadAllocatedBytes(thread.getId()))).sum();
    }

    private Thread newThread(final Runnable task)
    {
        final Thread thread = new Thread(task);
        threads.add(thread);
        return thread;
    }

    /** All are counted, and the first is logged. A node that does not lead has no results. */
    private void onError(final Throwable ex)
    {
        if (1 == errors.incrementAndGet())
        {
            System.getLogger("io.escapement.perf").log(System.Logger.Level.ERROR, "fault", ex);
        }
        if (null == control)
        {
            Control.line(Control.FAULT + " node " + node + ": " + ex);
        }
    }
}
