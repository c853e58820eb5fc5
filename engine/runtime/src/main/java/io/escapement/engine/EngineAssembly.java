package io.escapement.engine;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.aeron.exceptions.AeronException;
import io.escapement.config.ConfigException;
import io.escapement.driver.guard.GuardCounter;
import io.escapement.engine.internal.edge.EdgeAgent;
import io.escapement.engine.internal.edge.EdgeContext;
import io.escapement.engine.internal.edge.EdgeCounters;
import io.escapement.engine.internal.edge.RoomPlacement;
import io.escapement.engine.internal.loop.CommandQueue;
import io.escapement.engine.internal.loop.DeadlineIdleStrategy;
import io.escapement.engine.internal.loop.EngineClock;
import io.escapement.engine.internal.loop.LoopAgent;
import io.escapement.engine.internal.loop.LoopContext;
import io.escapement.engine.internal.loop.LoopCounters;
import io.escapement.engine.internal.loop.LoopMeasurements;
import io.escapement.engine.internal.loop.Wakeup;
import io.escapement.engine.internal.monitor.EngineCounters;
import io.escapement.engine.internal.monitor.JobAgent;
import io.escapement.engine.internal.monitor.MetricsServer;
import io.escapement.engine.internal.monitor.MonitorAgent;
import io.escapement.engine.internal.monitor.MonitoredLoop;
import io.escapement.engine.internal.record.Recorder;
import io.escapement.engine.internal.service.ServiceDefinition;
import io.escapement.engine.internal.service.ServiceWorker;
import io.escapement.engine.monitor.LoopRecorder;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.rooms.host.HostContext;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BooleanSupplier;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.CompositeAgent;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.agrona.concurrent.YieldingIdleStrategy;
import org.agrona.concurrent.status.CountersReader;

/**
 * Builds an engine from its concluded context: opens the driver and the client, makes the queues and agents, and starts
 * the threads. Closes all of it in reverse order.
 */
final class EngineAssembly implements AutoCloseable
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.engine");
    /** Rooms log to this logger, see {@code Room.logger()}. */
    private static final String ROOM_LOGGER = "io.escapement.rooms";
    /** Longest park of a thread that polls sockets or shared memory, which cannot unpark it. */
    private static final long POLLING_PARK_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long PARK_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long WORKER_PARK_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** When the driver dies, loops must see that publications are closed before their memory is unmapped. */
    private static final long CLOSE_LINGER_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final EngineContext context;
    private final ArrayList<AutoCloseable> opened = new ArrayList<>();
    private final EngineClock clock;
    private final EngineQueues queues;
    private final LoopAgent[] loops;
    private final LoopCounters[] loopCounters;
    private final LoopMeasurements[] measurements;
    private final RoomPlacement placement;
    private final SecureRandom random = new SecureRandom();
    private final EngineCounters counters = new EngineCounters();
    private final EngineThreads threads;
    private final JobAgent jobs;
    private EdgeAgent edge;
    private MetricsServer metrics;
    private AgentInvoker invoker;
    private boolean isJobThreadStarted;

    /**
     * Build and start.
     *
     * @param context  concluded.
     * @param isReady  whether the engine accepts trunks and rooms.
     * @param isClosed whether the engine was closed on purpose.
     */
    EngineAssembly(final EngineContext context, final BooleanSupplier isReady, final BooleanSupplier isClosed)
    {
        this.context = context;
        clock = new EngineClock(context.clock());
        queues = new EngineQueues(context);
        loops = new LoopAgent[context.loops()];
        loopCounters = new LoopCounters[loops.length];
        measurements = new LoopMeasurements[loops.length];
        placement = new RoomPlacement(queues.inboxes, context.placement(), random);
        threads = new EngineThreads(context.threadFactory(), context.cores(), context.errorHandler());
        jobs = new JobAgent(clock, context.errorHandler());
        try
        {
            start(isReady, isClosed);
        }
        catch (final Throwable ex)
        {
            close();
            throw ex;
        }
    }

    EngineQueues queues()
    {
        return queues;
    }

    RoomPlacement placement()
    {
        return placement;
    }

    EngineCounters counters()
    {
        return counters;
    }

    LoopRecorder recorder(final int loop)
    {
        return measurements[loop];
    }

    int metricsPort()
    {
        return null == metrics ? MonitorContext.NO_PORT : metrics.port();
    }

    /** The invoker of all agents in {@link ThreadingMode#INVOKER}, otherwise null. */
    AgentInvoker invoker()
    {
        return invoker;
    }

    Drain newDrain()
    {
        return new Drain(context, queues, loops, loopCounters, edge, clock, null == invoker ? null : invoker::invoke);
    }

    boolean isAlive()
    {
        return threads.areAlive() && (null == invoker || !invoker.isClosed());
    }

    /** Add a periodic job. The first one starts the thread of jobs. */
    synchronized AutoCloseable every(final long periodNs, final Runnable task)
    {
        final AutoCloseable job = jobs.add(periodNs, task);
        if (!isJobThreadStarted)
        {
            isJobThreadStarted = true;
            threads.start(jobs, new SleepingIdleStrategy(PARK_NS));
        }
        return job;
    }

    @Override
    public void close()
    {
        for (int i = opened.size() - 1; i >= 0; i--)
        {
            CloseHelper.close(context.errorHandler(), opened.get(i));
        }
        opened.clear();
    }

    private void start(final BooleanSupplier isReady, final BooleanSupplier isClosed)
    {
        final MediaDriver driver = context.hasEmbeddedDriver() ? open(context.driver().launch()) : null;
        final AgentInvoker driverInvoker = null == driver ? null : driver.sharedAgentInvoker();
        final Aeron aeron = open(connect(driver));
        final Recorder recorder =
            null == context.recordTo() ? null : new Recorder(context.recordTo(), context.errorHandler());
        for (int i = 0; i < loops.length; i++)
        {
            loops[i] = newLoop(i, recorder);
        }
        edge = newEdge(aeron);
        warnUnlessGuarded(aeron.countersReader());
        open(threads);
        // Threads end in reverse order: a thread starts before those that depend on it.
        if (null != recorder)
        {
            threads.start(recorder, new SleepingIdleStrategy(PARK_NS));
        }
        startServices();
        final AtomicReferenceArray<Thread> threadByLoop = new AtomicReferenceArray<>(loops.length);
        final MonitorAgent monitor = newMonitor(threadByLoop, isClosed);
        // All counters exist now.
        counters.show(aeron);
        threads.start(monitor, new SleepingIdleStrategy(monitor.periodNs()));
        if (MonitorContext.NO_PORT != context.monitor().metricsPort())
        {
            metrics = open(newMetricsServer(monitor, isReady, isClosed));
        }
        if (context.hasThreadPerLoop())
        {
            startPerLoop(driverInvoker, threadByLoop);
        }
        else
        {
            startSolo(driverInvoker, threadByLoop);
        }
    }

    private Aeron connect(final MediaDriver driver)
    {
        final Aeron.Context aeron = new Aeron.Context()
            .aeronDirectoryName(null == driver ? context.aeronDirectory() : driver.aeronDirectoryName())
            .driverTimeoutMs(context.driverTimeoutMs())
            .closeLingerDurationNs(CLOSE_LINGER_NS)
            .useConductorAgentInvoker(true)
            .errorHandler(context.errorHandler());
        if (null != driver && null != driver.sharedAgentInvoker())
        {
            aeron.driverAgentInvoker(driver.sharedAgentInvoker());
        }
        try
        {
            return Aeron.connect(aeron);
        }
        catch (final AeronException ex)
        {
            throw new EngineException(
                "aeronDirectory: " + context.aeronDirectory() + ": no media driver is active there", ex);
        }
    }

    /** A driver with guards shows their counters, once it has an endpoint. */
    private void warnUnlessGuarded(final CountersReader driverCounters)
    {
        final boolean[] isGuarded = new boolean[1];
        driverCounters.forEach((counterId, typeId, key, label) ->
            isGuarded[0] |= GuardCounter.DATA_MALFORMED.typeId() == typeId);
        if (!isGuarded[0] && context.trunks().isOverUdp() && !context.hasEmbeddedDriver())
        {
            LOGGER.log(System.Logger.Level.WARNING, "aeronDirectory: " + context.aeronDirectory() +
                ": this media driver has no guards against hostile packets; start it with escapement-driver");
        }
    }

    private LoopAgent newLoop(final int loop, final Recorder recorder)
    {
        measurements[loop] = new LoopMeasurements();
        loopCounters[loop] = new LoopCounters(loop, counters, context.monitor().counters());
        final HostContext host = context.newHostContext().logger(System.getLogger(ROOM_LOGGER));
        if (null != recorder)
        {
            host.turnLog(recorder.begin(loop, host.header()));
        }
        return new LoopAgent(new LoopContext()
            .loop(loop)
            .ring(queues.rings[loop])
            .inboxes(queues.inboxes)
            .edgeInbox(queues.edgeInbox)
            .workersByServiceIdMap(queues.workersByServiceIdMap)
            .linkLimit(context.trunks().limit())
            .linkQueueLength(context.trunks().queueLength())
            .statePatienceNs(context.trunks().statePatienceNs())
            .counters(loopCounters[loop])
            .measurements(measurements[loop])
            .host(host)
            .clock(clock)
            .errorHandler(context.errorHandler()));
    }

    private EdgeAgent newEdge(final Aeron aeron)
    {
        final TrunkServerContext trunks = context.trunks();
        trunks.requireFreePorts();
        return new EdgeAgent(
            new EdgeContext(trunks.edgePolicy(context.ringSlots()), trunks.channels(),
                new EdgeContext.Queues(queues.rings, queues.inboxes, queues.edgeInbox), placement,
                new EdgeCounters(counters), counters::copy, clock, random),
            aeron);
    }

    private MonitorAgent newMonitor(final AtomicReferenceArray<Thread> threadByLoop, final BooleanSupplier isClosed)
    {
        final List<MonitoredLoop> monitored = new ArrayList<>();
        for (int i = 0; i < loops.length; i++)
        {
            final int loop = i;
            monitored.add(new MonitoredLoop(i, loops[i], loopCounters[i], measurements[i], queues.inboxes[i],
                () -> threadByLoop.get(loop)));
        }
        final MonitorAgent monitor = new MonitorAgent(
            context.monitor(), monitored, context.roomTypeIds(), counters, clock, context.errorHandler());
        if (null != context.faultHook())
        {
            monitor.onFault(() -> !isAlive() && !isClosed.getAsBoolean(), context.faultHook());
        }
        return monitor;
    }

    /** The exporter's library is optional: its classes are loaded here and nowhere else. */
    private MetricsServer newMetricsServer(
        final MonitorAgent monitor, final BooleanSupplier isReady, final BooleanSupplier isClosed)
    {
        final int port = context.monitor().metricsPort();
        try
        {
            return new MetricsServer(port, monitor, counters, () -> isAlive() && !isClosed.getAsBoolean(), isReady);
        }
        catch (final NoClassDefFoundError ex)
        {
            throw new ConfigException("metricsPort", port, "the exporter is not on the class path: add " +
                "io.prometheus:prometheus-metrics-exporter-httpserver and io.prometheus:prometheus-metrics-model");
        }
        catch (final IOException ex)
        {
            throw new EngineException("metricsPort: " + port + ": " + ex.getMessage());
        }
    }

    private void startServices()
    {
        for (final ServiceDefinition service : context.services())
        {
            final CommandQueue[] workers = queues.workersByServiceIdMap.get(service.id());
            final Wakeup[] wakeups = queues.wakeupsByServiceIdMap.get(service.id());
            for (int i = 0; i < workers.length; i++)
            {
                threads.start(
                    new ServiceWorker("escapement-" + service.name() + "-" + i, service.supplier(), workers[i],
                        queues.inboxes, context.errorHandler()),
                    new DeadlineIdleStrategy(
                        clock, () -> Long.MAX_VALUE, wakeups[i], workers[i]::isEmpty, WORKER_PARK_NS));
            }
        }
    }

    private void startPerLoop(final AgentInvoker driverInvoker, final AtomicReferenceArray<Thread> threadByLoop)
    {
        for (int i = 0; i < loops.length; i++)
        {
            final LoopAgent loop = loops[i];
            final CommandQueue ring = queues.rings[i];
            final CommandQueue inbox = queues.inboxes[i];
            threadByLoop.set(i, threads.startPinned(loop, idle(new DeadlineIdleStrategy(
                clock, loop::deadlineNs, queues.loopWakeups[i], () -> ring.isEmpty() && inbox.isEmpty(), PARK_NS))));
        }
        threads.startPinned(
            composite("escapement-edge", driverInvoker, new LoopAgent[0]),
            idle(new DeadlineIdleStrategy(
                clock, () -> Long.MAX_VALUE, queues.edgeWakeup, queues.edgeInbox::isEmpty, POLLING_PARK_NS)));
    }

    private void startSolo(final AgentInvoker driverInvoker, final AtomicReferenceArray<Thread> threadByLoop)
    {
        final Agent solo = composite("escapement-solo", driverInvoker, loops);
        if (ThreadingMode.INVOKER == context.threadingMode())
        {
            invoker = open(new AgentInvoker(context.errorHandler(), null, solo));
            invoker.start();
        }
        else
        {
            final Thread thread = threads.startPinned(solo, idle(new DeadlineIdleStrategy(
                clock, this::nextDeadlineNs, queues.edgeWakeup, queues.edgeInbox::isEmpty, POLLING_PARK_NS)));
            for (int i = 0; i < loops.length; i++)
            {
                threadByLoop.set(i, thread);
            }
        }
    }

    /** The embedded driver if any, the edge and the given loops in one thread, under a short name. */
    private Agent composite(final String roleName, final AgentInvoker driverInvoker, final LoopAgent[] withLoops)
    {
        final List<Agent> agents = new ArrayList<>();
        if (null != driverInvoker)
        {
            agents.add(new DriverAgent(driverInvoker, context.driver().clock(), withLoops));
        }
        agents.add(edge);
        agents.addAll(List.of(withLoops));
        return new CompositeAgent(agents)
        {
            @Override
            public String roleName()
            {
                return roleName;
            }
        };
    }

    private long nextDeadlineNs()
    {
        long next = Long.MAX_VALUE;
        for (final LoopAgent loop : loops)
        {
            next = Math.min(next, loop.deadlineNs());
        }
        return next;
    }

    private IdleStrategy idle(final DeadlineIdleStrategy park)
    {
        return switch (context.idle())
        {
            case BUSY -> BusySpinIdleStrategy.INSTANCE;
            case YIELD -> YieldingIdleStrategy.INSTANCE;
            case BACKOFF -> new BackoffIdleStrategy();
            case PARK -> park;
        };
    }

    private <T extends AutoCloseable> T open(final T resource)
    {
        opened.add(resource);
        return resource;
    }
}
