package io.escapement.perf.tool;

import io.escapement.perf.report.Environment;
import io.escapement.perf.rig.Measurements;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The processes of this host outside of a run, and the time taken from the run by them and the hypervisor. Read in the
 * tool's process at the start and the end of a measured part.
 */
final class Bystanders
{
    /** Prefix of the processor time of such a process. Its number and name follow. */
    static final String PREFIX = "bystander.";
    /** Time between the two readings. */
    static final String NS = "bystandersNs";

    /** Time that the hypervisor took from runnable cores. Absent if unknown. */
    private static final String STOLEN_NS = "stolenNs";
    /** Less is not worth a line. */
    private static final double LEAST_SHARE = 0.01;

    private final long startNs = System.nanoTime();
    private final OptionalLong stolenMs = Environment.stolenMs();
    private final Map<ProcessHandle, Duration> startTimeByProcessMap = new HashMap<>();

    /** Take the first reading. */
    Bystanders()
    {
        ProcessHandle.allProcesses().forEach((process) -> startTimeByProcessMap.put(process, time(process)));
    }

    /** Take the second reading. */
    Measurements stop()
    {
        final long tookNs = System.nanoTime() - startNs;
        final Measurements measurements = new Measurements().put(NS, tookNs);
        stolenMs.ifPresent((beforeMs) -> measurements.put(
            STOLEN_NS, TimeUnit.MILLISECONDS.toNanos(Environment.stolenMs().orElse(beforeMs) - beforeMs)));
        final ProcessHandle tool = ProcessHandle.current();
        final Set<ProcessHandle> own = tool.descendants().collect(Collectors.toSet());
        ProcessHandle.allProcesses().filter((process) -> !own.contains(process) && !tool.equals(process))
            .forEach((process) ->
            {
                final long ns = time(process)
                    .minus(startTimeByProcessMap.getOrDefault(process, Duration.ZERO)).toNanos();
                if (ns > LEAST_SHARE * tookNs)
                {
                    measurements.put(PREFIX + process.pid() + "." + name(process), ns);
                }
            });
        return measurements;
    }

    /** As a number of cores, NaN for a run without readings. */
    static double cores(final Measurements run, final long ns)
    {
        return run.has(NS) ? (double)ns / run.value(NS) : Double.NaN;
    }

    /** NaN if unknown. */
    static double stolenCores(final Measurements run)
    {
        return run.has(STOLEN_NS) ? cores(run, run.value(STOLEN_NS)) : Double.NaN;
    }

    private static Duration time(final ProcessHandle process)
    {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    private static String name(final ProcessHandle process)
    {
        return process.info().command().map((command) -> Path.of(command).getFileName().toString().replace(' ', '_'))
            .orElse("unknown");
    }
}
