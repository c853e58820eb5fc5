package io.escapement.perf.loop;

import io.escapement.perf.JvmFlags;
import io.escapement.perf.rig.MessageCounter;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.AuxCounters;
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
 * Messages of 64 B into a ring, as fast as the consumer takes them, in blocks of {@value MessageCounter#BLOCK}. The
 * consumer counts and checks every message.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 3, jvmArgsAppend = JvmFlags.ADD_OPENS)
public class RingBenchmark
{
    /** Subject: a bare Disruptor ring. */
    public static final String DISRUPTOR = "raw";
    /** Subject: the ring of a loop, with a room as its consumer. */
    public static final String ENGINE = "engine";

    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);

    /** Messages of an iteration, and how often the consumer found some. */
    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.EVENTS)
    public static class Received
    {
        public long messages;
        public long batches;
    }

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MessageCounter.MESSAGE_LENGTH]);
    private final MessageCounter counter = new MessageCounter();
    private Ring ring;
    private long sent;
    private long sentSum;
    private long sentBefore;
    private long batchesBefore;

    /** The kind of ring. */
    @Param({DISRUPTOR, ENGINE})
    private String subject;

    /** Start the consumer. */
    @Setup(Level.Trial)
    public void start()
    {
        ring = DISRUPTOR.equals(subject) ? new DisruptorRing(counter) : new EngineRing(counter);
    }

    /** Send a block. */
    @Benchmark
    @OperationsPerInvocation(MessageCounter.BLOCK)
    public void block()
    {
        for (int i = 0; i < MessageCounter.BLOCK; i++)
        {
            sentSum += MessageCounter.write(message, sent);
            ring.send(message, ++sent);
        }
    }

    /** Wait for the consumer, and check its received messages. */
    @TearDown(Level.Iteration)
    public void check(final Received received)
    {
        final long startNs = System.nanoTime();
        while (!(ring.isEmpty() && counter.count() == sent) && System.nanoTime() - startNs < TIMEOUT_NS)
        {
            ring.check();
            Thread.onSpinWait();
        }
        ring.check();
        check(sent, sentSum, counter);
        received.messages = sent - sentBefore;
        received.batches = ring.batches() - batchesBefore;
        sentBefore = sent;
        batchesBefore = ring.batches();
    }

    /** End the consumer. */
    @TearDown(Level.Trial)
    public void stop()
    {
        ring.close();
    }

    static void check(final long sent, final long sentSum, final MessageCounter counter)
    {
        if (sent != counter.count())
        {
            throw new IllegalStateException((sent - counter.count()) + " of " + sent + " messages were lost");
        }
        if (sentSum != counter.sum())
        {
            throw new IllegalStateException("messages sent and received have other checksums");
        }
    }
}
