package io.escapement.engine;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.escapement.codecs.RoomCommandEncoder;
import io.escapement.codecs.TrunkMessages;
import io.escapement.engine.internal.edge.EdgeAgent;
import io.escapement.engine.internal.edge.EdgeContext;
import io.escapement.engine.internal.edge.EdgeCounters;
import io.escapement.engine.internal.edge.RoomPlacement;
import io.escapement.engine.internal.loop.CommandQueue;
import io.escapement.engine.internal.loop.ControlSignal;
import io.escapement.engine.internal.loop.DeadlineIdleStrategy;
import io.escapement.engine.internal.loop.EngineClock;
import io.escapement.engine.internal.loop.LoopAgent;
import io.escapement.engine.internal.loop.LoopContext;
import io.escapement.engine.internal.loop.LoopCounters;
import io.escapement.engine.internal.loop.LoopMeasurements;
import io.escapement.engine.internal.loop.Wakeup;
import io.escapement.engine.internal.monitor.EngineCounters;
import io.escapement.engine.internal.monitor.MetricsServer;
import io.escapement.engine.internal.monitor.MonitorAgent;
import io.escapement.engine.internal.monitor.MonitoredLoop;
import io.escapement.engine.internal.record.Recorder;
import io.escapement.engine.internal.service.ServiceDefinition;
import io.escapement.engine.internal.service.ServiceWorker;
import io.escapement.engine.monitor.LoopRecorder;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.host.HostContext;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.BusySpinIdleStrategy;
import org.agrona.concurrent.CompositeAgent;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.YieldingIdleStrategy;

/**
 * Runs rooms on threads and reaches them over Aeron. Launch it, open rooms, drain it.
 *
 * <pre>{@code
 *   try (Engine engine = Engine.launch(new EngineContext().roomType(chat).trunks(...)))
 *   {
 *       final RoomHandle lobby = engine.openRoom(chat.id());
 *       new ShutdownSignalBarrier().await();
 *       System.exit(engine.drain(TimeUnit.SECONDS.toNanos(10)).exitStatus());
 *   }
 * }</pre>
 */
public final class Engine implements AutoCloseable
{
    /** Rooms log to this logger, see {@code Room.logger()}. */
    private static final String ROOM_LOGGER = "io.escapement.rooms";
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);
    private static final long PARK_WITHOUT_WAKEUP_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long PARK_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long FAULT_CHECK_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long WORKER_PARK_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final EngineContext context;
    private final ArrayList<AutoCloseable> opened = new ArrayList<>();
    private final RoomPlacement placement;
    private final EngineQueues queues;
    private final LoopAgent[] loops;
    private final LoopCounters[] loopCounters;
    private final LoopMeasurements[] recorders;
    private final EngineClock time;
    private final SecureRandom random = new SecureRandom();
    private final EngineThreads threads;
    private final EngineCounters counters = new EngineCounters();
    private EdgeAgent edge;
    private MonitorAgent monitor;
    private MetricsServer metrics;
    private AgentInvoker invoker;
    private volatile boolean isDraining;
    private volatile boolean isClosed;
    private boolean isFaultReported;

    private Engine(final EngineContext context)
    {
        this.context = context.conclude();
        time = new EngineClock(context.clock());
        queues = new EngineQueues(context);
        loops = new LoopAgent[context.loops()];
        loopCounters = new LoopCounters[context.loops()];
        recorders = new LoopMeasurements[context.loops()];
        placement = new RoomPlacement(queues.inboxes, context.placement(), random);
        threads = new EngineThreads(context.threadFactory(), context.cores(), context.errorHandler());
        try
        {
            start();
        }
        catch (final Throwable ex)
        {
            closeOpened();
            throw ex;
        }
    }

    /**
     * Start an engine.
     *
     * @param context what it is made of; concluded here.
     * @return the engine, running, unless its threading mode is {@link ThreadingMode#INVOKER}.
     */
    public static Engine launch(final EngineContext context)
    {
        return new Engine(context);
    }

    /**
     * Open a room on a loop that the placement strategy chooses.
     *
     * @param typeId of the room.
     * @return the room. It opens when its loop comes to it.
     */
    public RoomHandle openRoom(final int typeId)
    {
        return openRoom(typeId, NOTHING, 0, 0);
    }

    /**
     * Open a room on a loop that the placement strategy chooses.
     *
     * @param typeId of the room.
     * @param args   buffer with the arguments for the room's logic.
     * @param offset where they begin.
     * @param length of the arguments.
     * @return the room. It opens when its loop comes to it.
     */
    public RoomHandle openRoom(final int typeId, final DirectBuffer args, final int offset, final int length)
    {
        if (isDraining)
        {
            throw new IllegalStateException("the engine is draining: it opens no rooms");
        }
        final RoomType type = context.roomType(typeId);
        final long roomId = placement.place(typeId);
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[LoopContext.INBOX_SLOT_LENGTH]);
        final int encoded = new RoomCommandEncoder()
            .openRoom(buffer, 0, roomId, typeId, placement.seed(), 0, 0, args, offset, length);
        final int loop = TrunkMessages.loopOf(roomId);
        if (!queues.inboxes[loop].offer(ControlSignal.COMMAND, null, buffer, 0, encoded))
        {
            placement.release(roomId);
            throw new IllegalStateException("the inbox of loop " + loop + " is full");
        }
        return new RoomHandle(roomId, type, queues.inboxes);
    }

    /**
     * Turn the crank once, in {@link ThreadingMode#INVOKER}.
     *
     * @return how much was done.
     */
    public int invoke()
    {
        if (null == invoker)
        {
            throw new IllegalStateException("threadingMode is " + context.threadingMode() + ": its threads run it");
        }
        return invoker.invoke();
    }

    /**
     * Run a task again and again, in a thread of the engine that is no loop's.
     *
     * @param periodNs from one deadline to the next; a run may be late by 20 ms.
     * @param task     that must not take long.
     * @return closes the job.
     */
    public AutoCloseable every(final long periodNs, final Runnable task)
    {
        return monitor.every(periodNs, task);
    }

    /**
     * What a counter of the engine says, also when it is closed. The media driver's own tools show them all.
     *
     * @param label of the counter, such as {@code escapement loop 0: commands}.
     * @return its value.
     */
    public long counter(final String label)
    {
        return counters.value(label);
    }

    /**
     * Where metrics are served.
     *
     * @return the port, or {@link MonitorContext#NO_PORT}.
     */
    public int metricsPort()
    {
        return null == metrics ? MonitorContext.NO_PORT : metrics.port();
    }

    /**
     * How many loops there are.
     *
     * @return the number.
     */
    public int loops()
    {
        return loops.length;
    }

    /**
     * How late a loop was. A recorder has one reader: when histograms are written or metrics are served it is taken.
     *
     * @param loop from 0.
     * @return its recorder.
     */
    public LoopRecorder recorder(final int loop)
    {
        return recorders[loop];
    }

    /**
     * Whether every thread still runs. One that does not has told the error handler why.
     *
     * @return whether the engine is whole.
     */
    public boolean isAlive()
    {
        return !isClosed && threads.areAlive() && (null == invoker || !invoker.isClosed());
    }

    /**
     * Stop in good order: take no new trunks and rooms, tell every room, wait until rooms have closed and services have
     * answered or the time is over, say goodbye to the trunks, close, and look whether everything is back.
     *
     * @param timeoutNs how long rooms and services may take.
     * @return what was still held.
     */
    public DrainReport drain(final long timeoutNs)
    {
        if (isClosed)
        {
            throw new IllegalStateException("the engine is closed");
        }
        isDraining = true;
        final Drain drain = new Drain(context, queues, loops, loopCounters, edge, time,
            null == invoker ? null : invoker::invoke);
        drain.run(timeoutNs);
        close();
        return drain.report();
    }

    @Override
    public synchronized void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            closeOpened();
        }
    }

    private void start()
    {
        final MediaDriver driver = context.hasEmbeddedDriver() ? open(context.driver().launch()) : null;
        final AgentInvoker driverInvoker = null == driver ? null : driver.sharedAgentInvoker();
        final Aeron aeron = open(context.connect(driver));
        final Recorder recorder =
            null == context.recordTo() ? null : new Recorder(context.recordTo(), context.errorHandler());
        for (int i = 0; i < loops.length; i++)
        {
            recorders[i] = new LoopMeasurements();
            loopCounters[i] = new LoopCounters(i, counters, context.monitor().counters());
            final HostContext host = context.hostContext().logger(System.getLogger(ROOM_LOGGER));
            if (null != recorder)
            {
                host.turnLog(recorder.begin(i, host.header()));
            }
            loops[i] = new LoopAgent(new LoopContext()
                .loop(i)
                .ring(queues.rings[i])
                .inboxes(queues.inboxes)
                .edgeInbox(queues.edgeInbox)
                .workersByServiceIdMap(queues.workersByServiceIdMap)
                .linkLimit(context.trunks().limit())
                .linkQueueLength(context.trunks().queueLength())
                .statePatienceNs(context.trunks().statePatienceNs())
                .counters(loopCounters[i])
                .measurements(recorders[i])
                .host(host)
                .clock(time)
                .errorHandler(context.errorHandler()));
        }
        final TrunkServerContext trunks = context.trunks();
        trunks.requireFreePorts();
        edge = new EdgeAgent(
            new EdgeContext(trunks.edgePolicy(context.ringSlots()), trunks.channels(),
                new EdgeContext.Queues(queues.rings, queues.inboxes, queues.edgeInbox), placement,
                new EdgeCounters(counters), counters::copy, time, random),
            aeron);
        context.warnUnlessGuarded(aeron.countersReader());
        open(threads);
        // What is started first ends last: nothing that others need is gone while they run.
        if (null != recorder)
        {
            threads.start(recorder, new SleepingIdleStrategy(PARK_NS));
        }
        startServices();
        final AtomicReferenceArray<Thread> threadByLoop = new AtomicReferenceArray<>(loops.length);
        startMonitor(aeron, threadByLoop);
        if (context.hasThreadPerLoop())
        {
            startPerLoop(driverInvoker, threadByLoop);
        }
        else
        {
            startSolo(driverInvoker, threadByLoop);
        }
    }

    private void startMonitor(final Aeron aeron, final AtomicReferenceArray<Thread> threadByLoop)
    {
        final List<MonitoredLoop> watched = new ArrayList<>();
        for (int i = 0; i < loops.length; i++)
        {
            final int loop = i;
            watched.add(new MonitoredLoop(i, loops[i], loopCounters[i], recorders[i], queues.inboxes[i],
                () -> threadByLoop.get(loop)));
        }
        monitor = new MonitorAgent(
            context.monitor(), watched, context.roomTypeIds(), counters, time, context.errorHandler());
        // They are all there now.
        counters.show(aeron);
        if (null != context.faultHook())
        {
            monitor.every(FAULT_CHECK_NS, this::checkForFault);
        }
        threads.start(monitor, new SleepingIdleStrategy(monitor.periodNs()));
        final int port = context.monitor().metricsPort();
        if (MonitorContext.NO_PORT != port)
        {
            try
            {
                metrics = open(new MetricsServer(port, monitor, counters, this::isAlive, () -> !isDraining));
            }
            catch (final IOException ex)
            {
                throw new EngineException("metricsPort: " + port + ": " + ex.getMessage());
            }
        }
    }

    private void checkForFault()
    {
        if (!isFaultReported && !isAlive() && !isClosed)
        {
            isFaultReported = true;
            context.faultHook().run();
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
                        time, () -> Long.MAX_VALUE, wakeups[i], workers[i]::isEmpty, WORKER_PARK_NS));
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
            threadByLoop.set(i, threads.startTied(loop, idle(new DeadlineIdleStrategy(
                time, loop::deadlineNs, queues.loopWakeups[i], () -> ring.isEmpty() && inbox.isEmpty(), PARK_NS))));
        }
        threads.startTied(composite("escapement-edge", driverInvoker, new LoopAgent[0]), idle(new DeadlineIdleStrategy(
            time, () -> Long.MAX_VALUE, queues.edgeWakeup, queues.edgeInbox::isEmpty, PARK_WITHOUT_WAKEUP_NS)));
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
            final Thread thread = threads.startTied(solo, idle(new DeadlineIdleStrategy(time, this::soonestDeadlineNs,
                queues.edgeWakeup, queues.edgeInbox::isEmpty, PARK_WITHOUT_WAKEUP_NS)));
            for (int i = 0; i < loops.length; i++)
            {
                threadByLoop.set(i, thread);
            }
        }
    }

    private long soonestDeadlineNs()
    {
        long soonest = Long.MAX_VALUE;
        for (final LoopAgent loop : loops)
        {
            soonest = Math.min(soonest, loop.deadlineNs());
        }
        return soonest;
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

    private void closeOpened()
    {
        for (int i = opened.size() - 1; i >= 0; i--)
        {
            CloseHelper.close(context.errorHandler(), opened.get(i));
        }
        opened.clear();
    }
}
