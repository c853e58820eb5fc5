package io.escapement.perf.rooms;

import com.sun.management.ThreadMXBean;
import io.escapement.perf.JvmFlags;
import io.escapement.perf.rig.Control;
import io.escapement.perf.rig.InProcessJmh;
import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.agrona.collections.IntIntConsumer;
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
import org.openjdk.jmh.runner.options.OptionsBuilder;

/**
 * Timers with many outstanding, their deadlines spread over a minute. An invocation sets or cancels a tenth of them, or
 * fires all: divide the score by {@code outstanding / 10}, or by {@code outstanding}. Slow kinds are measured on a
 * sample, and kinds with a thread in real time, so their scores need the counts that the {@code timers} command reads.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 6)
@Measurement(iterations = 10)
@Fork(value = 2, jvmArgsAppend = {JvmFlags.ADD_OPENS, "-Xms2g", "-Xmx2g"})
public class TimersBenchmark
{
    private static final int PART = 10;
    private static final int WARM_UP_ROUND = -1;
    private static final String LIMIT_PROPERTY = "escapement.perf.limitNs";
    private static final long DEFAULT_LIMIT_NS = TimeUnit.SECONDS.toNanos(10);

    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();

    /** Timers that are set. */
    @Param({"10000", "1000000"})
    private int outstanding;

    /** The kind of timers. */
    @Param({"escapement", "agrona", "agronaWithMap", "netty", "jdk", "jobTimer"})
    private String kind;

    /** The round of the {@code timers} command; a negative one is warm-up. */
    @Param("0")
    private int round;

    private String operation;
    private TimersUnderTest subject;
    private TimersSample sample;

    /** Set nine tenths before setting the last, otherwise all; kinds with a thread set those that they fire later. */
    @Setup(Level.Invocation)
    public void fill(final BenchmarkParams benchmark)
    {
        // Collect here, so that no kind pays for the garbage of another.
        System.gc();
        operation = benchmark.getBenchmark().substring(benchmark.getBenchmark().lastIndexOf('.') + 1);
        subject = TimersUnderTest.of(kind, outstanding);
        subject.set(0, switch (operation)
        {
            case "set" -> outstanding - outstanding / PART;
            case "fire" -> WorkerTimers.KINDS.contains(kind) ? 0 : outstanding;
            default -> outstanding;
        });
        subject.settle();
        sample = new TimersSample();
    }

    /** Release threads, and report the sample. */
    @TearDown(Level.Invocation)
    public void report()
    {
        subject.close();
        if (WARM_UP_ROUND != round)
        {
            InProcessJmh.report(sample.measurements(kind, operation, round));
        }
    }

    /** Set a tenth, the others being set. */
    @Benchmark
    public void set()
    {
        sample(outstanding - outstanding / PART, outstanding, TimersUnderTest.CHUNK, subject::set);
    }

    /** Cancel a tenth at random. */
    @Benchmark
    public void cancel()
    {
        sample(0, outstanding / PART, subject.cancelChunk(), subject::cancel);
    }

    /** Fire the timers, those without a thread in steps of a simulated millisecond. Returns how many fired. */
    @Benchmark
    public long fire()
    {
        final long bytes = bytes();
        subject.fire(sample, limitNs());
        if (0 == subject.workerBytes())
        {
            sample.bytes += bytes() - bytes;
        }
        if (0 != sample.lost && 0 == sample.operations)
        {
            throw new IllegalStateException("no timer fired");
        }
        return sample.operations;
    }

    /** Run all kinds in turn, round after round, in this JVM. */
    public static void measure(final TimersPlan plan, final Control control)
    {
        final int kinds = TimersPlan.KINDS.size();
        final int operations = TimersPlan.OPERATIONS.size();
        final long warmUpNs = TimeUnit.MILLISECONDS.toNanos(plan.warmUpMs) / operations;
        for (final String kind : TimersPlan.KINDS)
        {
            control.send(Control.PROGRESS + " warm-up: " + kind);
            run(plan, kind, WARM_UP_ROUND, warmUpNs);
        }
        final long limitNs =
            TimeUnit.MILLISECONDS.toNanos(plan.measureMs) / ((long)plan.pairs * kinds * operations);
        for (int round = 0; round < plan.pairs; round++)
        {
            for (int i = 0; i < kinds; i++)
            {
                final String kind = TimersPlan.KINDS.get(0 == round % 2 ? i : kinds - 1 - i);
                control.send(Control.PROGRESS + " round " + (round + 1) + " of " + plan.pairs + ": " + kind);
                run(plan, kind, round, limitNs);
            }
        }
        control.send(Control.RESULTS);
    }

    private static void run(final TimersPlan plan, final String kind, final int round, final long limitNs)
    {
        System.setProperty(LIMIT_PROPERTY, Long.toString(limitNs));
        InProcessJmh.run(plan.results, new OptionsBuilder()
            .include("^" + Pattern.quote(TimersBenchmark.class.getName()) + "\\.(set|cancel|fire)$")
            .param("outstanding", Integer.toString(plan.outstanding))
            .param("kind", kind)
            .param("round", Integer.toString(round))
            .warmupIterations(0)
            .measurementIterations(1));
    }

    private void sample(final int from, final int to, final int chunk, final IntIntConsumer operations)
    {
        final long limitNs = limitNs();
        final long workerNs = subject.workerNs();
        final long bytes = bytes();
        final long startNs = System.nanoTime();
        long beforeNs = startNs;
        for (int at = from; at < to && beforeNs - startNs < limitNs; at += chunk)
        {
            final int end = Math.min(to, at + chunk);
            operations.accept(at, end);
            final long nowNs = System.nanoTime();
            sample.add(end - at, nowNs - beforeNs);
            beforeNs = nowNs;
        }
        subject.settle();
        sample.ns += subject.workerNs() - workerNs;
        sample.bytes += bytes() - bytes;
    }

    private long bytes()
    {
        return threads.getThreadAllocatedBytes(Thread.currentThread().getId()) + subject.workerBytes();
    }

    private static long limitNs()
    {
        return Long.getLong(LIMIT_PROPERTY, DEFAULT_LIMIT_NS);
    }
}
