package io.escapement.perf.rooms;

import io.escapement.perf.JvmFlags;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;

/**
 * Timers with many outstanding, their deadlines spread over a minute. An iteration sets or cancels a tenth of them, or
 * fires all, but no longer than its time. Divide the counters by {@code operations}: the score is of no use, because
 * slow kinds are measured on a sample, and kinds with a thread in real time.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 6, time = 1)
@Measurement(iterations = 10, time = 10)
@Fork(value = 2, jvmArgsAppend = {JvmFlags.ADD_OPENS, "-Xms2g", "-Xmx2g"})
public class TimersBenchmark
{
    private static final int PART = 10;

    /** The costs of the operations of an iteration. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Cost
    {
        public long operations;
        /** Their time, with the processor time of the timers' thread. */
        public long ns;
        /** Allocated by both threads. */
        public long bytes;
    }

    /** Timers that are set. */
    @Param({"10000", "1000000"})
    private int outstanding;

    /** The kind of timers. */
    @Param({"escapement", "agrona", "agronaWithMap", "netty", "jdk", "jobTimer"})
    private String kind;

    private TimersUnderTest subject;
    private long limitNs;

    /** Set nine tenths before setting the last, otherwise all. Kinds with a thread set the timers that fire later. */
    @Setup(Level.Iteration)
    public void fill(final BenchmarkParams benchmark, final IterationParams iteration)
    {
        // Collect here, so that no iteration pays for the garbage of another.
        System.gc();
        limitNs = iteration.getTime().convertTo(TimeUnit.NANOSECONDS);
        subject = TimersUnderTest.of(kind, outstanding);
        final String method = benchmark.getBenchmark();
        if (method.endsWith(".set"))
        {
            subject.run(false, 0, outstanding - outstanding / PART);
        }
        else if (method.endsWith(".cancel") || !(subject instanceof WorkerTimers))
        {
            subject.run(false, 0, outstanding);
        }
        subject.settle();
    }

    /** End the timers' thread. */
    @TearDown(Level.Iteration)
    public void close()
    {
        subject.close();
        subject = null;
    }

    /** Set a tenth, the others being set. */
    @Benchmark
    public void set(final Cost cost)
    {
        run(cost, false, outstanding - outstanding / PART, outstanding);
    }

    /** Cancel a tenth at random. */
    @Benchmark
    public void cancel(final Cost cost)
    {
        run(cost, true, 0, outstanding / PART);
    }

    /** Fire the timers, those without a thread in steps of a simulated millisecond. */
    @Benchmark
    public void fire(final Cost cost)
    {
        subject.fire(cost, limitNs);
        if (0 == cost.operations)
        {
            throw new IllegalStateException("no timer was due");
        }
    }

    private void run(final Cost cost, final boolean isCancel, final int from, final int to)
    {
        final int chunk = isCancel ? subject.cancelChunk() : TimersUnderTest.CHUNK;
        final long bytes = subject.bytes();
        final long workerNs = subject.workerNs();
        final long startNs = System.nanoTime();
        int at = from;
        while (at < to && System.nanoTime() - startNs < limitNs)
        {
            final int end = Math.min(to, at + chunk);
            subject.run(isCancel, at, end);
            at = end;
        }
        final long tookNs = System.nanoTime() - startNs;
        subject.settle();
        cost.operations = at - from;
        cost.ns = tookNs + subject.workerNs() - workerNs;
        cost.bytes = subject.bytes() - bytes;
    }
}
