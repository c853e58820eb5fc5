package io.escapement.perf;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

/**
 * Runs every benchmark of the module for a moment, so that none rots. In this process, without warm-up and with the
 * first value of each parameter: what it measures means nothing. By our custom the first value is the smallest.
 */
class SmokeTest
{
    private static final int ITERATION_MS = 200;

    @TestFactory
    List<DynamicTest> shouldRunEveryBenchmark()
    {
        final Set<BenchmarkListEntry> entries = BenchmarkList.defaultList().getAll(
            OutputFormatFactory.createFormatInstance(System.err, VerboseMode.SILENT), List.of());
        assertFalse(entries.isEmpty(), "no benchmark in " + BenchmarkList.BENCHMARK_LIST);

        final List<DynamicTest> tests = new ArrayList<>();
        for (final BenchmarkListEntry entry : entries)
        {
            tests.add(DynamicTest.dynamicTest(entry.getUsername() + " " + entry.getMode(), () -> run(entry)));
        }
        return tests;
    }

    private static void run(final BenchmarkListEntry entry) throws RunnerException
    {
        final ChainedOptionsBuilder options = new OptionsBuilder()
            .include("^" + Pattern.quote(entry.getUsername()) + "$")
            .mode(entry.getMode())
            .forks(0)
            .warmupIterations(0)
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(ITERATION_MS))
            .shouldDoGC(false)
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT);
        if (entry.getParams().hasValue())
        {
            for (final Map.Entry<String, String[]> param : entry.getParams().get().entrySet())
            {
                options.param(param.getKey(), param.getValue()[0]);
            }
        }
        final List<RunResult> results = new ArrayList<>(new Runner(options.build()).run());
        assertEquals(1, results.size(), "results of " + entry.getUsername());
    }
}
