package io.escapement.perf.rooms;

import com.sun.management.ThreadMXBean;
import io.escapement.perf.process.Child;
import io.escapement.perf.process.Findings;
import io.escapement.perf.process.Parent;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * All kinds of timers in turn, round after round, in a process of its own. Each is filled, then a tenth is set on top,
 * a tenth is cancelled, and some fire, as many as its share of the measured time allows.
 */
public final class TimersRun
{
    /** The kinds of timers. */
    public static final List<String> NAMES =
        List.of("escapement", "agrona", "agronaWithMap", "netty", "jdk", "jobTimer");
    /** The operations. */
    public static final List<String> OPERATIONS = List.of("set", "cancel", "fire");
    /** The values of series are costs of so many operations, in nanoseconds. */
    public static final long SERIES_SCALE = TimersSample.SCALE;

    /** Heap of the process, in megabytes. */
    public static final int HEAP_MB = 2_048;

    private static final String PROGRESS = "PROGRESS ";
    private static final long SPARE_SECONDS = 60;
    private static final long SECONDS_PER_ROUND = 30;
    private static final int PART = 10;

    private final TimersOptions options;
    private final Findings findings = new Findings();
    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final long[] delays;
    private final int[] cancelOrder;

    private TimersRun(final TimersOptions options)
    {
        this.options = options;
        delays = TimersUnderTest.delays(options.outstanding());
        cancelOrder = TimersUnderTest.cancelOrder(options.outstanding());
    }

    /**
     * Name of a finding.
     *
     * @param name      of the timers.
     * @param operation that was measured.
     * @param round     from 0.
     * @param what      {@code operations}, {@code ns}, {@code bytes} or {@code lost}.
     * @return the name.
     */
    public static String key(final String name, final String operation, final int round, final String what)
    {
        return name + "." + operation + "." + round + "." + what;
    }

    /**
     * Name of a series.
     *
     * @param name      of the timers.
     * @param operation that was measured.
     * @return the name.
     */
    public static String series(final String name, final String operation)
    {
        return name + "-" + operation;
    }

    /**
     * Run it in a process of its own.
     *
     * @param options  of the run.
     * @param progress hears how far it has come.
     * @return what was found.
     */
    public static Findings run(final TimersOptions options, final Consumer<String> progress)
    {
        final long limitSeconds = TimeUnit.MILLISECONDS.toSeconds(options.measureMs()) +
            SECONDS_PER_ROUND * (options.rounds() + 1) + SPARE_SECONDS;
        try (Child child =
            new Child("timers", TimersRun.class, options.toArguments(), limitSeconds, HEAP_MB))
        {
            return Findings.await(child, (line) ->
            {
                if (line.startsWith(PROGRESS))
                {
                    progress.accept(line.substring(PROGRESS.length()));
                }
            });
        }
    }

    /**
     * The process.
     *
     * @param arguments of {@link TimersOptions}.
     */
    public static void main(final String[] arguments)
    {
        new TimersRun(TimersOptions.of(arguments)).run();
    }

    private void run()
    {
        final int kinds = NAMES.size();
        final int parts = OPERATIONS.size();
        for (final String name : NAMES)
        {
            Parent.tell(PROGRESS + "warm-up: " + name);
            measure(name, TimeUnit.MILLISECONDS.toNanos(options.warmUpMs()) / parts, new TimersSample[parts]);
        }
        final long slotNs =
            TimeUnit.MILLISECONDS.toNanos(options.measureMs()) / ((long)options.rounds() * kinds * parts);
        for (int round = 0; round < options.rounds(); round++)
        {
            for (int i = 0; i < kinds; i++)
            {
                final String name = NAMES.get(0 == round % 2 ? i : kinds - 1 - i);
                Parent.tell(PROGRESS + "round " + (round + 1) + " of " + options.rounds() + ": " + name);
                final TimersSample[] samples = new TimersSample[parts];
                measure(name, slotNs, samples);
                for (int operation = 0; operation < parts; operation++)
                {
                    put(name, OPERATIONS.get(operation), round, samples[operation]);
                }
            }
        }
        findings.tell(Parent::tell);
    }

    private void put(final String name, final String operation, final int round, final TimersSample sample)
    {
        findings
            .put(key(name, operation, round, "operations"), sample.operations())
            .put(key(name, operation, round, "ns"), sample.ns())
            .put(key(name, operation, round, "bytes"), sample.bytes())
            .put(key(name, operation, round, "lost"), sample.lost())
            .add(series(name, operation), sample.histogram());
    }

    private void measure(final String name, final long slotNs, final TimersSample[] samples)
    {
        // What the others left is not for this one to clean up.
        System.gc();
        final int outstanding = options.outstanding();
        final int part = outstanding / PART;
        final TimersUnderTest timers = TimersUnderTest.of(name, delays, cancelOrder);
        try
        {
            timers.set(0, outstanding - part);
            timers.settle();
            samples[0] = sample(timers, slotNs, outstanding - part, outstanding, TimersUnderTest.CHUNK, timers::set);
            timers.set((int)(outstanding - part + samples[0].operations()), outstanding);
            timers.settle();
            samples[1] = sample(timers, slotNs, 0, part, timers.cancelChunk(), timers::cancel);
            if (!timers.hasWorker())
            {
                samples[2] = new TimersSample();
                final long bytesBefore = bytes(timers);
                timers.fire(samples[2], (int)samples[1].operations(), slotNs);
                samples[2].bytes(bytes(timers) - bytesBefore);
            }
        }
        finally
        {
            timers.close();
        }
        if (null == samples[2])
        {
            // In real time those that were set are not due for an hour: others are.
            final TimersUnderTest due = TimersUnderTest.of(name, delays, cancelOrder);
            try
            {
                samples[2] = new TimersSample();
                due.fire(samples[2], 0, slotNs);
            }
            finally
            {
                due.close();
            }
        }
    }

    /** An operation on some timers. */
    private interface Operation
    {
        void run(int from, int to);
    }

    private TimersSample sample(
        final TimersUnderTest timers,
        final long slotNs,
        final int from,
        final int to,
        final int chunk,
        final Operation operation)
    {
        final TimersSample sample = new TimersSample();
        final long workerNsBefore = timers.workerNs();
        final long bytesBefore = bytes(timers);
        final long startNs = System.nanoTime();
        long beforeNs = startNs;
        for (int at = from; at < to && beforeNs - startNs < slotNs; at += chunk)
        {
            final int end = Math.min(to, at + chunk);
            operation.run(at, end);
            final long nowNs = System.nanoTime();
            sample.add(end - at, nowNs - beforeNs);
            beforeNs = nowNs;
        }
        timers.settle();
        sample.addNs(timers.workerNs() - workerNsBefore);
        sample.bytes(bytes(timers) - bytesBefore);
        return sample;
    }

    private long bytes(final TimersUnderTest timers)
    {
        return threads.getThreadAllocatedBytes(Thread.currentThread().getId()) + timers.workerBytes();
    }
}
