package io.escapement.engine;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import io.escapement.config.ConfigException;
import io.escapement.driver.internal.SteadyClocks;
import io.escapement.engine.internal.durable.EachLoop;
import io.escapement.engine.internal.durable.Journal;
import io.escapement.engine.internal.durable.JournalAgent;
import io.escapement.engine.internal.durable.JournalLog;
import io.escapement.engine.internal.durable.JournalSettings;
import io.escapement.engine.internal.durable.RecoveredLoop;
import io.escapement.engine.internal.durable.ReplicaLog;
import io.escapement.engine.internal.durable.ReplicaLogs;
import io.escapement.engine.internal.edge.EdgeAgent;
import io.escapement.engine.internal.edge.EdgeContext;
import io.escapement.engine.internal.edge.EdgeCounters;
import io.escapement.engine.internal.edge.Leadership;
import io.escapement.engine.internal.edge.RoomPlacement;
import io.escapement.engine.internal.edge.TokenKeys;
import io.escapement.engine.internal.loop.CommittedTurns;
import io.escapement.engine.internal.loop.LoopAgent;
import io.escapement.engine.internal.loop.LoopContext;
import io.escapement.engine.internal.loop.LoopCounters;
import io.escapement.engine.internal.loop.LoopGroup;
import io.escapement.engine.internal.loop.LoopMeasurements;
import io.escapement.engine.internal.loop.SnapshotRequests;
import io.escapement.engine.internal.monitor.EngineCounters;
import io.escapement.engine.internal.monitor.FaultReporter;
import io.escapement.engine.internal.monitor.JobAgent;
import io.escapement.engine.internal.monitor.MetricsServer;
import io.escapement.engine.internal.monitor.MonitorAgent;
import io.escapement.engine.internal.monitor.MonitoredLoop;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.internal.queue.DeadlineIdleStrategy;
import io.escapement.engine.internal.queue.EngineClock;
import io.escapement.engine.internal.queue.Wakeup;
import io.escapement.engine.internal.service.CallWorker;
import io.escapement.engine.internal.service.ServiceCounters;
import io.escapement.engine.internal.service.ServiceDefinition;
import io.escapement.engine.internal.service.ServiceWorker;
import io.escapement.engine.monitor.CounterTypes;
import io.escapement.engine.monitor.LoopRecorder;
import io.escapement.engine.monitor.MonitorContext;
import io.escapement.engine.spi.PlacementStrategy;
import io.escapement.engine.spi.ReplicatedLog;
import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.rooms.host.HostContext;
import io.escapement.rooms.host.RoomHost;
import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.loop.LoopLimits;
import java.io.File;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.IntConsumer;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.CompositeAgent;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingIdleStrategy;

/**
 * Builds an engine from its concluded context: opens the driver and the client, makes the queues and agents, and starts
 * the threads. Closes all of it in reverse order.
 */
final class EngineAssembly implements AutoCloseable
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.engine");
    /** Rooms log to this logger, see {@code Room.logger()}. */
    private static final String ROOM_LOGGER = "io.escapement.rooms";
    /** Longest park of a thread that polls sockets or shared memory, because they cannot unpark it. */
    private static final long POLLING_PARK_NS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final long PARK_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** A disk that does not sync the first turn in this time does not sync any. */
    private static final long LEAD_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long LEAD_PARK_NS = TimeUnit.MICROSECONDS.toNanos(100);
    /** Of host time 0 in a group, before the first HostResumed: the same on all nodes. */
    private static final long NO_EPOCH_MS = 0;
    /** An engine does not wait for an unfinished bundle. The journal keeps all data that the bundle needs. */
    private static final long BUNDLE_CLOSE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long BUNDLE_PARK_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long WORKER_PARK_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /**
     * When the driver dies, loops must see that publications are closed before their memory is unmapped. In INVOKER
     * they run in the thread that unmaps it, and see it.
     */
    private static final long CLOSE_LINGER_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final EngineContext context;
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
    private final FaultReporter faults;
    private final DriverHealth driverHealth;
    private final GuardWarnings guards = new GuardWarnings(this::warn);
    private final Thread[] threadByLoop;
    /** By loop: the state of the last incarnation in the journal, and the settings of the host. */
    private final RecoveredLoop[] recovered;
    private final HostConfig[] settings;
    private MediaDriver driver;
    private Aeron aeron;
    /** Null without a journal. */
    private Journal journal;
    /** Null without a directory for them. */
    private RoomPasts pasts;
    private AgentThread bundleThread;
    /** Null without a group. */
    private ReplicaLogs replicas;
    private Amendments amendments;
    /** Null without a log. */
    private Leadership leadership;
    private EdgeAgent edge;
    private MetricsServer metrics;
    private AgentInvoker invoker;
    private int logCounters;
    private boolean isJobThreadStarted;
    private Thread edgeThread;
    private Thread held;

    EngineAssembly(final EngineContext context, final BooleanSupplier isReady, final BooleanSupplier isClosed)
    {
        this.context = context;
        clock = new EngineClock(context.clock());
        queues = new EngineQueues(context);
        loops = new LoopAgent[context.loops()];
        loopCounters = new LoopCounters[loops.length];
        measurements = new LoopMeasurements[loops.length];
        threadByLoop = new Thread[loops.length];
        recovered = new RecoveredLoop[loops.length];
        settings = new HostConfig[loops.length];
        // In INVOKER a hook can hold only the caller's thread.
        faults = new FaultReporter(context.errorHandler(),
            ThreadingMode.INVOKER == context.threadingMode() ? null : context.threadFactory());
        driverHealth = new DriverHealth(faults);
        placement = new RoomPlacement(queues.inboxes, UserCode.placement(context.placement(), faults), random);
        threads = new EngineThreads(context.threadFactory(), context.cores(), faults);
        jobs = new JobAgent(clock, faults);
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

    EngineOperator operator(final BooleanSupplier isDraining)
    {
        return new EngineOperator(context, queues, loops, node(), counters, faults, pasts, isDraining);
    }

    LoopRecorder recorder(final int loop)
    {
        return measurements[loop];
    }

    int metricsPort()
    {
        return null == metrics ? MonitorContext.NO_PORT : metrics.port();
    }

    /** Rooms of a type that were open in the journal, or when this node became the leader. */
    long[] recoveredRooms(final int typeId)
    {
        return null == leadership ? new long[0] : leadership.rooms(typeId);
    }

    /** Whether the engine leads its group, or null if it has no group. */
    Leadership leadership()
    {
        return null == replicas ? null : leadership;
    }

    /** Whether the engine has no group, or is up to date with its group's commits. */
    boolean isCurrent()
    {
        return null == replicas || replicas.node().isCurrent();
    }

    /** The invoker of all agents in {@link ThreadingMode#INVOKER}, otherwise null. */
    AgentInvoker invoker()
    {
        return invoker;
    }

    Drain newDrain(final long timeoutNs)
    {
        return new Drain(queues, loops, loopCounters, edge, clock, timeoutNs);
    }

    boolean isAlive()
    {
        return threads.areAlive() && (null == invoker || !invoker.isClosed()) && !hasEndedLoop();
    }

    RoomHost host(final int loop)
    {
        return loops[loop].host();
    }

    /** Whether a loop has failed. */
    boolean hasEnded(final int loop)
    {
        return null != loops[loop].fault();
    }

    /** Whether a thread belongs to the engine. */
    boolean isEngineThread(final Thread thread)
    {
        return threads.contains(thread) || faults.isThread(thread) ||
            null != bundleThread && thread == bundleThread.thread();
    }

    private boolean hasEndedLoop()
    {
        for (final LoopAgent loop : loops)
        {
            if (null != loop.fault())
            {
                return true;
            }
        }
        return false;
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
        close(null);
    }

    /** Close everything that the given thread is not held in. It is null, or does not return from a duty cycle. */
    void close(final Thread heldThread)
    {
        held = heldThread;
        if (null == held)
        {
            CloseHelper.close(faults, invoker);
        }
        CloseHelper.close(faults, metrics);
        closePasts();
        threads.close();
        // A thread that did not end may still write: then the journal is left as a kill leaves it.
        if (null == held && threads.stuck().isEmpty())
        {
            closeJournal();
        }
        // If a node does not leave, the group considers it alive.
        CloseHelper.close(faults, replicas);
        // The client unmaps the memory of publications: a write to it would then crash the JVM.
        if (!isClientInUse())
        {
            CloseHelper.close(faults, aeron);
        }
        if (!isDriverInUse())
        {
            CloseHelper.close(faults, driver);
        }
        faults.close();
    }

    /** Check for leaks, once the engine is closed. */
    DrainReport leakCheck()
    {
        final LeakCheck check = new LeakCheck();
        final List<Thread> stuck = new ArrayList<>(threads.stuck());
        if (null != held)
        {
            stuck.add(held);
            Arrays.fill(threadByLoop, held);
        }
        for (int i = 0; i < loops.length; i++)
        {
            final Thread thread = threadByLoop[i];
            check.loop(i, loops[i], loopCounters[i], stuck.contains(thread) ? thread : null);
        }
        for (final Thread thread : stuck)
        {
            if (!Arrays.asList(threadByLoop).contains(thread))
            {
                check.stuck(thread);
            }
        }
        check.queues(queues);
        if (!stuck.contains(edgeThread) && null == held)
        {
            check.edge(edge);
        }
        if (isClientInUse())
        {
            check.leaked("aeron: memory of the client");
        }
        if (isDriverInUse())
        {
            check.leaked("aeron: memory of the driver");
        }
        if (context.hasEmbeddedDriver() && context.driver().isDirectoryDeleted())
        {
            check.directory(new File(context.driver().directory()));
        }
        return check.report();
    }

    /** Whether a thread that did not end may use the publications of the client. */
    private boolean isClientInUse()
    {
        return null != held || threads.isClientInUse();
    }

    /** Whether a thread that did not end invokes the embedded driver. */
    private boolean isDriverInUse()
    {
        return null != driver && null != driver.sharedAgentInvoker() &&
            (null != held || threads.stuck().contains(edgeThread));
    }

    private void start(final BooleanSupplier isReady, final BooleanSupplier isClosed)
    {
        if (context.hasEmbeddedDriver())
        {
            driver = context.driver().launch(driverHealth);
        }
        final AgentInvoker driverInvoker = null == driver ? null : driver.sharedAgentInvoker();
        aeron = connect();
        if (context.durability().isJournal())
        {
            openJournal();
            pasts = context.durability().isRecording() ? null : new RoomPasts(context, journal, faults);
        }
        if (null != context.durability().replicatedLog())
        {
            replicas = joinReplicas();
        }
        for (int i = 0; i < loops.length; i++)
        {
            loops[i] = newLoop(i);
        }
        if (null != journal)
        {
            leadOnJournal();
        }
        if (null != pasts && null != pasts.bundles())
        {
            startBundles(pasts.bundles());
        }
        edge = newEdge();
        if (context.durability().isDurable())
        {
            leadership = new Leadership(null == replicas ? 0 : replicas.node().memberId());
            edge.follow(leadership);
        }
        guards.find(aeron.countersReader(), counters);
        if (!guards.isGuarded() && !context.trunks().ports().isEmpty() && !context.hasEmbeddedDriver())
        {
            LOGGER.log(System.Logger.Level.WARNING, "aeronDirectory: " + context.aeronDirectory() +
                ": this media driver has no guards against hostile packets; start it with escapement-driver");
        }
        // Threads stop in reverse order: a thread starts before its dependents.
        startServices();
        final AtomicReferenceArray<Thread> watched = new AtomicReferenceArray<>(loops.length);
        final MonitorAgent monitor = newMonitor(watched, isClosed);
        // All counters exist now.
        counters.show(aeron);
        threads.start(monitor, new SleepingIdleStrategy(monitor.periodNs()));
        if (MonitorContext.NO_PORT != context.monitor().metricsPort() || null != context.monitor().otlpUrl())
        {
            metrics = newMetricsServer(monitor, isReady, isClosed);
        }
        if (context.hasThreadPerLoop())
        {
            startPerLoop(driverInvoker);
        }
        else
        {
            startSolo(driverInvoker);
        }
        for (int i = 0; i < loops.length; i++)
        {
            watched.set(i, threadByLoop[i]);
        }
    }

    private Aeron connect()
    {
        final Aeron.Context client = new SteadyClocks().applyTo(new Aeron.Context())
            .aeronDirectoryName(directory())
            .driverTimeoutMs(context.driverTimeoutMs())
            .closeLingerDurationNs(ThreadingMode.INVOKER == context.threadingMode() ? 0 : CLOSE_LINGER_NS)
            .useConductorAgentInvoker(true)
            .errorHandler(faults);
        if (null != driver)
        {
            context.driver().configure(client);
            if (null != driver.sharedAgentInvoker())
            {
                client.driverAgentInvoker(driver.sharedAgentInvoker());
            }
        }
        return Aeron.connect(client);
    }

    private String directory()
    {
        return null == driver ? context.aeronDirectory() : driver.aeronDirectoryName();
    }

    private LoopAgent newLoop(final int loop)
    {
        measurements[loop] = new LoopMeasurements();
        loopCounters[loop] = new LoopCounters(loop, counters, context.monitor().counters());
        final HostContext host = context.newHostContext().logger(System.getLogger(ROOM_LOGGER))
            .loopState(LoopLimits.of(loop, loops.length));
        final LoopContext options = new LoopContext()
            .loop(loop)
            .ring(queues.rings[loop])
            .inboxes(queues.inboxes)
            .edgeInbox(queues.edgeInbox)
            .workersByServiceIdMap(queues.workersByServiceIdMap)
            .trunks(context.trunks())
            .counters(loopCounters[loop])
            .measurements(measurements[loop])
            .questions(queues.questions[loop])
            .host(host)
            .clock(clock)
            .errorHandler(null == pasts || null == pasts.bundles() ? faults : (ex) ->
            {
                faults.onError(ex);
                pasts.bundles().onError(ex);
            });
        if (!context.durability().isDurable())
        {
            return new LoopAgent(options);
        }
        return null == journal ? newReplica(loop, options, host) : newOnJournal(loop, options, host);
    }

    /** Make a loop that follows. */
    private LoopAgent newReplica(final int loop, final LoopContext options, final HostContext host)
    {
        final Durability durability = context.durability();
        final ReplicatedLog.Node node = replicas.node();
        final ReplicaLog log = replicas.begin(loop, host.epochMs(NO_EPOCH_MS).header());
        final LoopAgent agent = LoopAgent.logged(options, node.snapshot(loop), new LoopGroup(log, node.memberId(),
            new SnapshotRequests(node::requestSnapshot, durability.replayBudgetNs(), durability.snapshotIntervalNs(),
            loopCounters[loop]), context::wallMs));
        amendments.apply(loop, agent.committed()::failAt);
        host.registered().forEach((type) -> node.announce(type.typeId(), type.version()));
        return agent;
    }

    /** Make a loop from its journal's snapshot. The turns of its journal have yet to run. */
    private LoopAgent newOnJournal(final int loop, final LoopContext options, final HostContext host)
    {
        if (null != recovered[loop].config())
        {
            // Host time continues from the origin of the first incarnation. HostResumed moves the wall clock.
            host.epochMs(recovered[loop].config().epochMs());
        }
        settings[loop] = host.header();
        host.acceptOtherSettings(context.durability().isOtherAccepted());
        return LoopAgent.logged(options, recovered[loop].snapshot(), null);
    }

    private ReplicaLogs joinReplicas()
    {
        // Before the node joins: a wrong file must not affect the group.
        amendments = context.durability().readAmendments(loops.length);
        final List<Runnable> wakeups = new ArrayList<>();
        for (final Wakeup wakeup : queues.loopWakeups)
        {
            wakeups.add(wakeup::signalAllWhenBlocking);
        }
        return new ReplicaLogs(context.durability().replicatedLog(), wakeups, (label, isGauge) ->
        {
            final String name = "escapement log: " + label;
            final int typeId = CounterTypes.LOG + logCounters++;
            return isGauge ? counters.gauge(typeId, name) : counters.counter(typeId, name);
        });
    }

    private ReplicatedLog.Node node()
    {
        return null == replicas ? null : replicas.node();
    }

    /** Take the directory of the journal, and read and verify the journals of all loops. */
    private void openJournal()
    {
        final JournalSettings journalSettings = context.durability().journalSettings();
        journal = null == context.machine() ? Journal.open(journalSettings, context.clock(), faults) :
            Journal.open(journalSettings, context.machine().storage(), context.clock(), faults);
        final String warning = journal.warning();
        if (null != warning && !context.durability().isRecording() && null == context.machine())
        {
            LOGGER.log(System.Logger.Level.WARNING, warning);
        }
        eachLoop((loop) -> recovered[loop] = journal.recover(
            loop, context.newHostContext().loopState(LoopLimits.of(loop, loops.length)).header()));
    }

    /** Run all turns of the journals, then start the next incarnation of each. */
    private void leadOnJournal()
    {
        final Durability durability = context.durability();
        eachLoop((loop) -> loops[loop].committed().recover(recovered[loop]));
        for (int i = 0; i < loops.length; i++)
        {
            final CommittedTurns turns = loops[i].committed();
            if (0 != recovered[i].incarnation())
            {
                LOGGER.log(System.Logger.Level.INFO,
                    recovered[i].report() + "; " + loops[i].host().openRooms() + " rooms");
            }
            final JournalLog log = journal.start(i, recovered[i], settings[i]);
            if (!durability.isRecording())
            {
                turns.snapshots(log, durability.replayBudgetNs(), durability.snapshotIntervalNs());
            }
            final int last = Math.max(loops[i].host().incarnation(), recovered[i].incarnation());
            turns.lead(log, last + 1, context.wallMs());
            CloseHelper.close(recovered[i]);
            recovered[i] = null;
        }
        final JournalAgent writer = journal.agent();
        threads.start(writer, writer.idleStrategy());
        final long startNs = System.nanoTime();
        for (int i = 0; i < loops.length; i++)
        {
            while (!loops[i].committed().pollLead())
            {
                if (!threads.areAlive() || System.nanoTime() - startNs > LEAD_NS)
                {
                    throw new EngineException("durability: the first turn of loop " + i + " is not on the disk after " +
                        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - startNs) + " s");
                }
                if (null == context.machine())
                {
                    LockSupport.parkNanos(LEAD_PARK_NS);
                }
                else
                {
                    writer.doWork();
                }
            }
        }
    }

    /** In a thread with the stack of a recovery, because rooms run there. An engine is alive without it. */
    private void startBundles(final Bundles bundles)
    {
        bundleThread = new AgentThread(bundles, new SleepingIdleStrategy(BUNDLE_PARK_NS), faults,
            null != context.machine() ? context.threadFactory() :
            (runnable) -> new Thread(null, runnable, bundles.roleName(), EachLoop.STACK_LENGTH));
        bundleThread.thread().setPriority(Thread.MIN_PRIORITY);
        bundleThread.start();
    }

    /** The thread of bundles then no longer uses memory of the journal. It may stop later. */
    private void closePasts()
    {
        if (null != pasts)
        {
            pasts.close();
        }
        if (null != bundleThread)
        {
            bundleThread.stop();
            if (!bundleThread.hasEnded(BUNDLE_CLOSE_NS))
            {
                bundleThread.interrupt();
            }
        }
    }

    /** Run a task for each loop at a time, in a simulation one after another. */
    private void eachLoop(final IntConsumer task)
    {
        if (null == context.machine())
        {
            EachLoop.run(loops.length, task);
            return;
        }
        for (int i = 0; i < loops.length; i++)
        {
            task.accept(i);
        }
    }

    /** Close the journal in order, once no thread uses it. */
    private void closeJournal()
    {
        CloseHelper.closeAll(faults, recovered);
        for (final LoopAgent loop : loops)
        {
            if (null != journal && null != loop && null == loop.fault())
            {
                loop.committed().appendHashes();
            }
        }
        CloseHelper.close(faults, journal);
    }

    private EdgeAgent newEdge()
    {
        final TrunkServerContext trunks = context.trunks();
        final EdgeContext.Executors executors = new EdgeContext.Executors(
            executor("escapement-authenticator", !trunks.hasSecret()),
            executor("escapement-placement", PlacementStrategy.LEAST_LOADED != context.placement()),
            executor("escapement-log-in", null != trunks.logInService()));
        return new EdgeAgent(
            new EdgeContext(trunks, new EdgeContext.Queues(queues.rings, queues.inboxes, queues.edgeInbox), placement,
                new EdgeCounters(counters), counterCopier(), clock, random, tokenKeys(), executors, faults, this::warn,
                TimeUnit.MILLISECONDS.toNanos(context.wallMs()) - clock.nowNs()),
            aeron);
    }

    /** Trunks of an engine in memory close with it, and their ids repeat: only a new key makes their tokens void. */
    private TokenKeys tokenKeys()
    {
        final List<byte[]> keys = context.tokenKeys();
        if (keys.isEmpty() || !context.durability().isDurable())
        {
            return TokenKeys.random(random);
        }
        // No other journal of these rooms started at the same time.
        return TokenKeys.of(keys, null == journal ? replicas.node().realm() : settings[0].epochMs());
    }

    /** Runs calls of the application's code in a thread, and calls of the engine's own code at once. */
    private Executor executor(final String roleName, final boolean isApplicationCode)
    {
        if (!isApplicationCode)
        {
            return Runnable::run;
        }
        final Wakeup wakeup = new Wakeup();
        final CallWorker worker = new CallWorker(roleName, wakeup);
        threads.start(worker, new DeadlineIdleStrategy(
            clock, () -> Long.MAX_VALUE, wakeup, worker::isEmpty, WORKER_PARK_NS));
        return worker;
    }

    private Runnable counterCopier()
    {
        final Runnable heartbeat = null == driver ? () -> { } : context.driver().heartbeat(aeron);
        return () ->
        {
            counters.copy();
            guards.check(clock.nowNs());
            heartbeat.run();
        };
    }

    /** In the thread of hooks, because a log may block. */
    private void warn(final String text)
    {
        faults.call("warning", () -> LOGGER.log(System.Logger.Level.WARNING, text));
    }

    private MonitorAgent newMonitor(final AtomicReferenceArray<Thread> threadByLoop, final BooleanSupplier isClosed)
    {
        final List<MonitoredLoop> monitored = new ArrayList<>();
        for (int i = 0; i < loops.length; i++)
        {
            final int loop = i;
            monitored.add(new MonitoredLoop(i, loops[i], loopCounters[i], measurements[i], queues.inboxes[i],
                () -> threadByLoop.get(loop), queues.rateLimits));
        }
        final MonitorAgent monitor = new MonitorAgent(
            context.monitor(), monitored, context.roomTypeIds(), counters, clock, faults);
        monitor.watch(edge.userCalls());
        if (null != replicas)
        {
            monitor.governWhile(leadership::isLeading);
        }
        monitor.driverCheck(() -> driverHealth.check(directory()));
        if (null != context.faultHook())
        {
            monitor.onFault(() -> !isAlive() && !isClosed.getAsBoolean(), this::startFaultHook);
        }
        return monitor;
    }

    /** The hook has its own thread, because it may close the engine. */
    private void startFaultHook()
    {
        final Thread thread =
            context.threadFactory().newThread(() -> faults.guard("faultHook", context.faultHook()));
        thread.setName("escapement-fault-hook");
        thread.setDaemon(true);
        thread.start();
    }

    private MetricsServer newMetricsServer(
        final MonitorAgent monitor, final BooleanSupplier isReady, final BooleanSupplier isClosed)
    {
        try
        {
            return new MetricsServer(context.monitor(), monitor, counters,
                () -> isAlive() && !isClosed.getAsBoolean(),
                () -> isReady.getAsBoolean() && driverHealth.isHealthy() && isCurrent());
        }
        catch (final IOException ex)
        {
            throw new ConfigException("metricsPort", context.monitor().metricsPort(),
                "name a free port (" + ex.getMessage() + ")", ex);
        }
    }

    private void startServices()
    {
        for (final ServiceDefinition service : context.services())
        {
            final CommandQueue[] workers = queues.workersByServiceIdMap.get(service.id());
            final Wakeup[] wakeups = queues.wakeupsByServiceIdMap.get(service.id());
            final ServiceCounters handled = new ServiceCounters(service, counters);
            for (int i = 0; i < workers.length; i++)
            {
                threads.start(new ServiceWorker(service, i, workers[i], queues.inboxes, handled, faults),
                    new DeadlineIdleStrategy(
                        clock, () -> Long.MAX_VALUE, wakeups[i], workers[i]::isEmpty, WORKER_PARK_NS));
            }
        }
    }

    private void startPerLoop(final AgentInvoker driverInvoker)
    {
        for (int i = 0; i < loops.length; i++)
        {
            final LoopAgent loop = loops[i];
            final CommandQueue ring = queues.rings[i];
            final CommandQueue inbox = queues.inboxes[i];
            threadByLoop[i] = threads.startPinned(loop, idle(new DeadlineIdleStrategy(
                clock, loop::deadlineNs, queues.loopWakeups[i],
                () -> ring.isEmpty() && inbox.isEmpty() && loop.isLogEmpty(), PARK_NS)));
        }
        edgeThread = threads.startPinned(
            composite("escapement-edge", driverInvoker, new LoopAgent[0]),
            idle(new DeadlineIdleStrategy(
                clock, () -> Long.MAX_VALUE, queues.edgeWakeup, queues.edgeInbox::isEmpty, POLLING_PARK_NS)));
    }

    private void startSolo(final AgentInvoker driverInvoker)
    {
        final Agent solo = composite("escapement-solo", driverInvoker, loops);
        if (ThreadingMode.INVOKER == context.threadingMode())
        {
            invoker = new AgentInvoker(faults, null, solo);
            invoker.start();
        }
        else
        {
            edgeThread = threads.startPinned(solo, idle(new DeadlineIdleStrategy(
                clock, this::nextDeadlineNs, queues.edgeWakeup, queues.edgeInbox::isEmpty, POLLING_PARK_NS)));
            for (int i = 0; i < loops.length; i++)
            {
                threadByLoop[i] = edgeThread;
            }
        }
    }

    /** The embedded driver if any, the edge and the given loops in one thread, under a short name. */
    private Agent composite(final String roleName, final AgentInvoker driverInvoker, final LoopAgent[] withLoops)
    {
        final List<Agent> agents = new ArrayList<>();
        if (null != driverInvoker)
        {
            agents.add(new DriverAgent(
                driverInvoker, context.driver().clock(), withLoops, context.driver().heartbeat(aeron)));
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
        return context.idle().strategy(context.warmUp(), park);
    }
}
