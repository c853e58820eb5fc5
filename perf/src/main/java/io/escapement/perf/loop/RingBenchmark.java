package io.escapement.perf.loop;

import io.escapement.perf.JvmFlags;
import io.escapement.perf.rig.Control;
import io.escapement.perf.rig.InProcessJmh;
import io.escapement.perf.rig.MessageCounter;
import io.escapement.perf.rig.RunPlan;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.agrona.concurrent.UnsafeBuffer;
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
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/**
 * A block of {@value MessageCounter#BLOCK} messages of 64 B into a ring, as fast as the consumer takes them: divide the
 * score by the block for the cost of a message. The consumer counts and checks every message.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 3, jvmArgsAppend = JvmFlags.ADD_OPENS)
public class RingBenchmark
{
    /** Subject: a bare Disruptor ring. */
    public static final String DISRUPTOR = "raw";
    /** Subject: the ring of a loop, and a room behind it. */
    public static final String ENGINE = "engine";
    /** How often the consumer found messages. */
    public static final String BATCHES = "batches";

    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final int WARM_UP_ITERATIONS = 4;
    private static final String MEASURE_MS_PROPERTY = "escapement.perf.measureMs";
    private static final int DEFAULT_MEASURE_MS = 5_000;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MessageCounter.MESSAGE_LENGTH]);
    private MessageCounter counter;
    private Ring ring;
    private long sent;
    private long sentSum;

    /** The kind of ring. */
    @Param({DISRUPTOR, ENGINE})
    private String subject;

    /** Run the benchmark in this JVM, as the {@code ring} command does in a fresh one. */
    public static void measure(final RunPlan plan, final Control control)
    {
        System.setProperty(MEASURE_MS_PROPERTY, Integer.toString(plan.measureMs));
        final int warmUpMs = plan.warmUpMs / WARM_UP_ITERATIONS;
        InProcessJmh.run(plan.results, new OptionsBuilder()
            .include("^" + Pattern.quote(RingBenchmark.class.getName()) + "\\.block$")
            .param("subject", plan.subject)
            .warmupIterations(0 == warmUpMs ? 0 : WARM_UP_ITERATIONS)
            .warmupTime(TimeValue.milliseconds(Math.max(1, warmUpMs)))
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(plan.measureMs)));
        control.send(Control.RESULTS);
    }

    /** Start the consumer. */
    @Setup(Level.Trial)
    public void start()
    {
        counter = new MessageCounter(
            TimeUnit.MILLISECONDS.toNanos(Integer.getInteger(MEASURE_MS_PROPERTY, DEFAULT_MEASURE_MS)));
        ring = DISRUPTOR.equals(subject) ? new DisruptorRing(counter) : new EngineRing(counter);
    }

    /** Restart the recording for each iteration, so that the last one is measured. */
    @Setup(Level.Iteration)
    public void restart()
    {
        counter.restart();
    }

    /** Send a block. */
    @Benchmark
    public void block()
    {
        for (int i = 0; i < MessageCounter.BLOCK; i++)
        {
            sentSum += MessageCounter.write(message, sent);
            ring.send(message, ++sent);
        }
    }

    /** Wait for the consumer and report its counts. */
    @TearDown(Level.Trial)
    public void stop()
    {
        final long startNs = System.nanoTime();
        while (!ring.isEmpty() && System.nanoTime() - startNs < TIMEOUT_NS)
        {
            ring.check();
            Thread.onSpinWait();
        }
        ring.check();
        final long batches = ring.batches();
        ring.close();
        InProcessJmh.report(counter.measurements().put(BATCHES, batches)
            .put(MessageCounter.SENT, sent).put(MessageCounter.SENT_SUM, sentSum));
    }
}
