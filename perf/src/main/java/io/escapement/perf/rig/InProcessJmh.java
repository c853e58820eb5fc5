package io.escapement.perf.rig;

import java.nio.file.Path;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs JMH benchmarks in a measured process, which the tool starts afresh where JMH would fork. A benchmark adds its
 * own measurements to the results file of the process.
 */
public final class InProcessJmh
{
    private static final String RESULTS_PROPERTY = "escapement.perf.results";

    private InProcessJmh()
    {
    }

    /** Run benchmarks without forks, and fail if one of them fails. */
    public static void run(final Path results, final ChainedOptionsBuilder options)
    {
        System.setProperty("jmh.ignoreLock", "true");
        System.setProperty(RESULTS_PROPERTY, results.toString());
        try
        {
            new Runner(options.forks(0).shouldFailOnError(true).verbosity(VerboseMode.SILENT).build()).run();
        }
        catch (final RunnerException ex)
        {
            throw new IllegalStateException("the benchmark failed: " + cause(ex).getMessage(), ex);
        }
    }

    /** Add measurements to the results file, if {@link #run} runs the benchmark. */
    public static void report(final Measurements measurements)
    {
        final String results = System.getProperty(RESULTS_PROPERTY);
        if (null != results)
        {
            measurements.append(Path.of(results));
        }
    }

    private static Throwable cause(final Throwable thrown)
    {
        return null == thrown.getCause() ? thrown : cause(thrown.getCause());
    }
}
