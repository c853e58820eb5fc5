package io.escapement.perf.tool;

import io.escapement.perf.rig.Measurements;
import io.escapement.perf.rig.RunPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.regex.Pattern;
import org.HdrHistogram.Histogram;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs the methods of a JMH benchmark, each in a fork, and names their results by method. */
final class JmhRun
{
    /** Suffix of the score. Those of counters are a point and their name. */
    static final String SCORE = ".score";

    private static final int WARM_UPS = 4;
    private static final long HIGHEST = TimeUnit.MINUTES.toNanos(1);

    private JmhRun()
    {
    }

    /**
     * Run a class. Its methods share the times of the plan.
     *
     * @param methods    number of its methods.
     * @param iterations of the measured part.
     * @param value      of an iteration, for the series of a method.
     */
    static Measurements of(
        final Class<?> benchmark,
        final int methods,
        final RunPlan plan,
        final int iterations,
        final Map<String, String> params,
        final ToDoubleFunction<IterationResult> value)
    {
        // Another JMH is listed with the other processes of the host.
        System.setProperty("jmh.ignoreLock", "true");
        final ChainedOptionsBuilder options = new OptionsBuilder()
            .include("^" + Pattern.quote(benchmark.getName()) + "\\.")
            .forks(1)
            .jvmArgs(MeasuredProcess.flags(plan.heapMb()).toArray(new String[0]))
            .warmupIterations(0 == plan.warmUpMs ? 0 : WARM_UPS)
            .warmupTime(TimeValue.milliseconds(Math.max(1, plan.warmUpMs / (methods * WARM_UPS))))
            .measurementIterations(iterations)
            .measurementTime(TimeValue.milliseconds(Math.max(1, plan.measureMs / (methods * iterations))))
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT);
        params.forEach((name, param) -> options.param(name, param));
        final Bystanders bystanders = new Bystanders();
        final Measurements run = new Measurements();
        try
        {
            new Runner(options.build()).run().forEach((result) -> add(run, result, value));
        }
        catch (final RunnerException ex)
        {
            throw new IllegalStateException("the benchmark failed: " + reason(ex), ex);
        }
        return run.addAll(bystanders.stop());
    }

    /** The value of a counter in an iteration. */
    static double counter(final IterationResult iteration, final String name)
    {
        return iteration.getSecondaryResults().get(name).getScore();
    }

    private static void add(
        final Measurements run, final RunResult result, final ToDoubleFunction<IterationResult> value)
    {
        final String method = result.getPrimaryResult().getLabel();
        run.put(method + SCORE, Math.round(result.getPrimaryResult().getScore()));
        result.getSecondaryResults().forEach(
            (name, counter) -> run.put(method + "." + name, Math.round(counter.getScore())));
        for (final BenchmarkResult fork : result.getBenchmarkResults())
        {
            final List<IterationResult> iterations = new ArrayList<>(fork.getIterationResults());
            final long startMs = fork.getMetadata().getMeasurementTime();
            final double ms = (double)(fork.getMetadata().getStopTime() - startMs) / iterations.size();
            for (int i = 0; i < iterations.size(); i++)
            {
                final Histogram interval = new Histogram(1, HIGHEST, 3);
                interval.recordValue(
                    Math.max(1, Math.min(HIGHEST, Math.round(value.applyAsDouble(iterations.get(i))))));
                interval.setStartTimeStamp(startMs + Math.round(i * ms));
                interval.setEndTimeStamp(startMs + Math.round((i + 1) * ms));
                run.add(method, interval);
            }
        }
    }

    /** JMH suppresses the exception of a fork in its own. */
    private static String reason(final Throwable thrown)
    {
        final Throwable[] suppressed = thrown.getSuppressed();
        final Throwable inner = 0 == suppressed.length ? thrown.getCause() : suppressed[0];
        return null == inner ? thrown.getMessage() : reason(inner);
    }
}
