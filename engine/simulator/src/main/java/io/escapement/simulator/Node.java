package io.escapement.simulator;

import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.escapement.driver.guard.GuardLimits;
import io.escapement.driver.guard.GuardedEndpoints;
import io.escapement.engine.DrainReport;
import io.escapement.engine.Durability;
import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.SteppedEngine;
import io.escapement.engine.internal.durable.JournalStorage;
import io.escapement.engine.internal.durable.MemoryDisk;
import io.escapement.engine.internal.durable.MemoryTails;
import io.escapement.engine.monitor.Stall;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A machine with an engine and its driver, a disk, and shared memory. */
final class Node implements AutoCloseable
{
    static final int LOOPS = 2;
    static final long KEEPALIVE_NS = TimeUnit.MILLISECONDS.toNanos(200);
    static final int TERM_LENGTH = 64 * 1_024;
    /** The shortest for which the driver cuts responses into datagrams. */
    private static final int RESPONSE_TERM_LENGTH = 256 * 1_024;
    static final int TRUNKS = 6;
    /** Connections of a trunk with sessions that the guard may still have. Fewer would delay the next connection. */
    private static final int GENERATIONS = 16;
    /** Frames of a trace. */
    private static final int TRACED = 16;
    private static final int SECTOR_LENGTH = 512;
    /** Of a loop: less than by default, because a test has many nodes. */
    private static final int QUEUE_MEMORY = 2 * 1_024 * 1_024;
    private static final long SNAPSHOT_NS = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long FAULT_NS = 100 * MS;

    private final int number;
    private final Simulation simulation;
    private final SplittableRandom random;
    private final SimulatedGame game;
    private final String host;
    private final Path directory;
    private MemoryDisk disk = new MemoryDisk(SECTOR_LENGTH);
    private MemoryTails tails = new MemoryTails();
    private long boot = 1;
    private SteppedEngine engine;
    private long startNs;
    private long pausedUntilNs;
    private long diskBusyUntilNs;
    /** The disk has a fault that may stop the engine. */
    private boolean isDiskFaulty;
    /** Until then an engine may fail with a fault of the disk that it met just before the disk was mended. */
    private long faultUntilNs;
    private boolean isEnding;

    Node(final int number, final Simulation simulation, final SplittableRandom random, final SimulatedGame game)
    {
        this.number = number;
        this.simulation = simulation;
        this.random = random;
        this.game = game;
        host = "127.1.0." + (2 + number);
        directory = simulation.directory().resolve("node-" + number);
    }

    /** Small files and short timeouts. */
    static MediaDriver.Context driverContext(final Path directory)
    {
        return new MediaDriver.Context()
            .aeronDirectoryName(directory.toString())
            .threadingMode(ThreadingMode.INVOKER)
            .asyncExecutorEnabled(false)
            .termBufferSparseFile(true)
            .publicationTermBufferLength(TERM_LENGTH)
            .ipcTermBufferLength(TERM_LENGTH)
            .counterValuesBufferLength(1_024 * 1_024)
            .imageLivenessTimeoutNs(1_000 * MS)
            .publicationConnectionTimeoutNs(1_000 * MS)
            .publicationLingerTimeoutNs(300 * MS)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true);
    }

    /** The endpoint that clients connect to. */
    String ingress()
    {
        return host + ":20001";
    }

    /** The endpoint of responses. */
    String response()
    {
        return host + ":20002";
    }

    String host()
    {
        return host;
    }

    /** Null while it is down. */
    Engine engine()
    {
        return null == engine ? null : engine.engine();
    }

    SteppedEngine stepped()
    {
        return engine;
    }

    boolean isRunning()
    {
        return null != engine;
    }

    boolean isLeader()
    {
        return isRunning() && engine.engine().isLeader();
    }

    void pause(final long untilNs)
    {
        pausedUntilNs = untilNs;
    }

    long pausedUntilNs()
    {
        return pausedUntilNs;
    }

    /** Start the engine. If the disk does not read, the start fails, and the next attempt follows later. */
    void start()
    {
        final EngineContext context = newContext(number);
        context.errorHandler(this::onError);
        context.trunks().limit(TRUNKS).termLength(RESPONSE_TERM_LENGTH).queueLength(TERM_LENGTH)
            .queueMemory(QUEUE_MEMORY).keepaliveNs(KEEPALIVE_NS).tokenKeyFile(simulation.keys())
            .udp(ingress(), response());
        final Path journal = simulation.directory().resolve("journal-" + number);
        switch (simulation.shape().mode())
        {
            case MEMORY -> context.durability(SteppedEngine.recording(journal));
            case RECORDED -> context.durability(journal(journal));
            case SYNCED -> context.durability(journal(journal).acknowledge(Durability.Level.SYNCED));
            default -> context.durability(Durability.replicated(simulation.group().member(number))
                .snapshotIntervalNs(SNAPSHOT_NS));
        }
        final MediaDriver.Context driver = driverContext(directory);
        GuardedEndpoints.install(driver, GuardLimits.DEFAULTS.forSessions(GENERATIONS * TRUNKS * (LOOPS + 1)),
            () -> simulation.network().open(host));
        try
        {
            engine = SteppedEngine.launch(context.driverContext(driver), machine(), this::onAgentError);
        }
        catch (final RuntimeException ex)
        {
            if (!mayEnd())
            {
                throw ex;
            }
            mend();
            startNs = simulation.clock().nanoTime() + 50 * MS;
        }
    }

    private static Durability journal(final Path directory)
    {
        return SteppedEngine.journal(directory).snapshotIntervalNs(SNAPSHOT_NS);
    }

    private EngineContext newContext(final int node)
    {
        final EngineContext context = new EngineContext().loops(LOOPS);
        game.configure(context, node);
        return context;
    }

    private SteppedEngine.Machine machine()
    {
        return new SteppedEngine.Machine(
            simulation.clock(), simulation.clock()::wallMs, JournalStorage.inMemory(disk, tails, boot));
    }

    /** The process exits: messages that it sends as it closes do not arrive, and data that it writes is not kept. */
    void kill(final long downNs)
    {
        startNs = simulation.clock().nanoTime() + downNs;
        simulation.network().cut(host, startNs);
        final MemoryDisk left = disk.afterKill();
        final MemoryTails leftTails = tails.copy();
        end();
        disk = left;
        tails = leftTails;
    }

    /** The machine loses power, now or in the next sync. */
    void losePower(final long downNs)
    {
        startNs = simulation.clock().nanoTime() + downNs;
        simulation.network().cut(host, startNs);
        isDiskFaulty = true;
        if (random.nextBoolean())
        {
            disk.failAfter(MemoryDisk.Operation.FORCE, 0, new IOException("the power is gone"));
            engine.step(false);
        }
        final MemoryDisk left = disk.afterPowerLoss(new Random(random.nextLong()));
        end();
        disk = left;
        tails = new MemoryTails();
        boot++;
    }

    void fillDisk()
    {
        isDiskFaulty = true;
        disk.space(0);
        disk.failAfter(MemoryDisk.Operation.WRITE, random.nextInt(20), new IOException("No space left on device"));
    }

    /** The next start finds a disk that fails at a read. */
    void failReads()
    {
        isDiskFaulty = true;
        disk.failAfter(MemoryDisk.Operation.READ, random.nextInt(20), new IOException("the disk does not read"));
    }

    /** The disk takes its time. */
    void slowDisk(final long untilNs)
    {
        diskBusyUntilNs = untilNs;
    }

    void mend()
    {
        disk.mend();
        diskBusyUntilNs = 0;
        if (isDiskFaulty)
        {
            faultUntilNs = simulation.clock().nanoTime() + FAULT_NS;
        }
        isDiskFaulty = false;
    }

    private boolean mayEnd()
    {
        return isDiskFaulty || simulation.clock().nanoTime() < faultUntilNs;
    }

    boolean mayStart()
    {
        return !isRunning() && simulation.clock().nanoTime() >= startNs;
    }

    /** Run a duty cycle of each agent, unless the process is paused. */
    void step()
    {
        if (simulation.clock().nanoTime() < pausedUntilNs)
        {
            return;
        }
        if (Mode.GROUP == simulation.shape().mode())
        {
            simulation.group().member(number).step(this::cycle, engine.engine()::isAlive);
        }
        cycle();
        game.afterStep(engine);
        if (!engine.engine().isAlive())
        {
            if (!mayEnd())
            {
                simulation.violated("node " + number + " is not alive");
            }
            mend();
            kill(0);
        }
    }

    private void cycle()
    {
        engine.step(simulation.clock().nanoTime() < diskBusyUntilNs);
    }

    /** Close in order, look for leaks, and rerun the log. */
    void check()
    {
        isEnding = true;
        engine.close();
        final DrainReport report = engine.leakCheck();
        if (!report.isClean())
        {
            simulation.violated("node " + number + ": " + report);
        }
        engine = null;
        if (Mode.GROUP != simulation.shape().mode())
        {
            SteppedEngine.replay(newContext(SimulatedGame.REPLAY), machine());
        }
    }

    private void end()
    {
        isEnding = true;
        engine.close();
        engine = null;
        isEnding = false;
    }

    @Override
    public void close()
    {
        if (isRunning())
        {
            end();
        }
    }

    private void onError(final Throwable ex)
    {
        if (!(ex instanceof Stall) && !mayEnd() && !isEnding && !game.isWanted(ex))
        {
            simulation.violated("node " + number + " reported " + trace(ex));
        }
    }

    private void onAgentError(final Throwable ex)
    {
        if (!mayEnd())
        {
            simulation.violated("an agent of node " + number + " threw " + trace(ex));
        }
    }

    static String trace(final Throwable ex)
    {
        final StringBuilder out = new StringBuilder();
        for (Throwable cause = ex; null != cause; cause = cause.getCause())
        {
            out.append(cause).append('\n');
            Stream.of(cause.getStackTrace()).limit(TRACED).forEach((frame) ->
                out.append("    at ").append(frame).append('\n'));
        }
        return out.toString();
    }
}
