package io.escapement.perf.rooms;

import io.escapement.perf.JvmFlags;
import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * Timers with many outstanding, deadlines spread over a minute: a room's own, Agrona's wheel bare, and Agrona's wheel
 * with the maps that make its ids safe to keep. An invocation sets or cancels a tenth of them, or fires all: divide the
 * score by {@code outstanding / 10}, or by {@code outstanding}.
 */
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 6)
@Measurement(iterations = 10)
@Fork(value = 2, jvmArgsAppend = {JvmFlags.ADD_OPENS, "-Xms2g", "-Xmx2g"})
public class TimersBenchmark
{
    /** What the benchmarks share. */
    @State(Scope.Thread)
    public abstract static class Timers
    {
        /** Timers that are set. */
        @Param({"10000", "1000000"})
        int outstanding;

        /** Whose timers. */
        @Param({"escapement", "agrona", "agronaWithMap"})
        String timers;

        TimersUnderTest subject;

        final void make()
        {
            final long[] delays = TimersUnderTest.delays(outstanding);
            final int[] order = TimersUnderTest.cancelOrder(outstanding);
            subject = TimersUnderTest.of(timers, delays, order);
        }
    }

    /** Nine tenths are set. */
    public static class Filled extends Timers
    {
        /** Set them. */
        @Setup(Level.Invocation)
        public void fill()
        {
            make();
            subject.set(0, outstanding - outstanding / 10);
        }
    }

    /** All are set. */
    public static class Full extends Timers
    {
        /** Set them. */
        @Setup(Level.Invocation)
        public void fill()
        {
            make();
            subject.set(0, outstanding);
        }
    }

    /**
     * Set a tenth of the timers, the others being set.
     *
     * @param filled the others.
     */
    @Benchmark
    public void set(final Filled filled)
    {
        filled.subject.set(filled.outstanding - filled.outstanding / 10, filled.outstanding);
    }

    /**
     * Cancel a tenth of the timers at random.
     *
     * @param full the timers.
     */
    @Benchmark
    public void cancel(final Full full)
    {
        full.subject.cancel(0, full.outstanding / 10);
    }

    /**
     * Let a minute pass in steps of a millisecond, so that every timer fires.
     *
     * @param full the timers.
     * @return how many fired.
     */
    @Benchmark
    public int fire(final Full full)
    {
        int fired = 0;
        for (long nowNs = 0; nowNs <= TimersUnderTest.LAST_NS; nowNs += TimersUnderTest.STEP_NS)
        {
            fired += full.subject.advance(nowNs);
        }
        if (full.outstanding != fired)
        {
            throw new IllegalStateException(fired + " of " + full.outstanding + " timers fired");
        }
        return fired;
    }
}
