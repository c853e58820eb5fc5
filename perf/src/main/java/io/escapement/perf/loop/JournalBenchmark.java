package io.escapement.perf.loop;

import io.escapement.engine.internal.durable.Journal;
import io.escapement.engine.internal.durable.JournalLog;
import io.escapement.engine.internal.durable.JournalSettings;
import io.escapement.engine.internal.durable.ProposalHandler;
import io.escapement.engine.internal.durable.RecoveredLoop;
import io.escapement.perf.JvmFlags;
import io.escapement.rooms.log.HostConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.agrona.IoUtil;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The cost of a turn in a journal at RECORDED, for the loop: propose it and pass it on. Between the blocks the
 * journal's thread empties the tail. The figure thus assumes that the disk keeps up.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 3, jvmArgsAppend = JvmFlags.ADD_OPENS)
public class JournalBenchmark
{
    private static final int BLOCK = 1_000;
    private static final int TAIL_LENGTH = 8 * 1_024 * 1_024;
    private static final int SEGMENT_LENGTH = 64 * 1_024 * 1_024;
    private static final int UNDER_WAY_LENGTH = 1_024 * 1_024;
    private static final int UNDER_WAY = 64;
    private static final int IDLE_SPINS = 1;
    private static final int TEMPLATE_ID_OFFSET = 2;
    private static final short PROPOSAL = 68;
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private Path directory;
    private Journal journal;
    private JournalLog log;
    private AgentRunner runner;
    private UnsafeBuffer message;
    private long handled;
    private final ProposalHandler handler = (position, buffer, offset, length) -> handled++;

    /** Length of a turn in bytes. */
    @Param({"256", "1024", "4096"})
    private int length;

    /** Begin a journal in a temporary directory. */
    @Setup(Level.Trial)
    public void start() throws IOException
    {
        directory = Files.createTempDirectory("journal-benchmark");
        final JournalSettings options = new JournalSettings(directory, false, SEGMENT_LENGTH, TAIL_LENGTH,
            SHARED_MEMORY, TimeUnit.MILLISECONDS.toNanos(1), UNDER_WAY, UNDER_WAY_LENGTH, false, 0);
        journal = Journal.open(options, SystemNanoClock.INSTANCE, JournalBenchmark::fail);
        final HostConfig header = new HostConfig();
        try (RecoveredLoop recovered = journal.recover(0, header))
        {
            log = journal.start(0, recovered, header);
        }
        runner = new AgentRunner(
            new BackoffIdleStrategy(IDLE_SPINS, IDLE_SPINS, TimeUnit.MICROSECONDS.toNanos(20),
                TimeUnit.MICROSECONDS.toNanos(50)), JournalBenchmark::fail, null, journal.agent());
        AgentRunner.startOnThread(runner);
        message = new UnsafeBuffer(new byte[length]);
        message.putShort(TEMPLATE_ID_OFFSET, PROPOSAL);
    }

    /** Wait for an empty tail. */
    @Setup(Level.Invocation)
    public void awaitDisk()
    {
        while (log.syncedPosition() < log.proposedPosition() && null == log.failure())
        {
            Thread.onSpinWait();
        }
    }

    /** A block of turns. */
    @Benchmark
    @OperationsPerInvocation(BLOCK)
    public long turns()
    {
        for (int i = 0; i < BLOCK; i++)
        {
            if (log.propose(message, 0, length) < 0)
            {
                throw new IllegalStateException("not accepted: " + log.failure());
            }
            log.poll(handler, 1);
        }
        return handled;
    }

    /** Stop, and delete the directory. */
    @TearDown(Level.Trial)
    public void stop()
    {
        runner.close();
        journal.close();
        IoUtil.delete(directory.toFile(), false);
    }

    private static void fail(final Throwable ex)
    {
        throw new IllegalStateException(ex);
    }
}
