package io.escapement.perf.tool;

import io.escapement.perf.report.Environment;
import io.escapement.perf.rig.Measurements;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * The processes of this host that are not part of a run, and the time that they and the hypervisor took from it. Read
 * in the tool's process at the start and the end of a measured part.
 */
final class Bystanders
{
    /** Prefix of the processor time of such a process, whose number and name follow. */
    static final String PREFIX = "bystander.";
    /** Time between the two readings. */
    static final String NS = "bystandersNs";
    /** Time that the hypervisor took from runnable cores; absent if unknown. */
    static final String STOLEN_NS = "stolenNs";

    private static final String UNKNOWN = "unknown";
    /** Less is not worth a line. */
    private static final double LEAST_SHARE = 0.01;

    private final long startNs = System.nanoTime();
    private final OptionalLong stolenMs = Environment.stolenMs();
    private final Map<Long, Duration> timeByPidMap = new HashMap<>();

    /** Take the first reading. */
    Bystanders()
    {
        ProcessHandle.allProcesses().forEach((process) ->
            process.info().totalCpuDuration().ifPresent((time) -> timeByPidMap.put(process.pid(), time)));
    }

    /** Take the second reading. */
    Measurements stop()
    {
        final long tookNs = System.nanoTime() - startNs;
        final Measurements measurements = new Measurements().put(NS, tookNs);
        stolenMs.ifPresent((beforeMs) -> measurements.put(
            STOLEN_NS, TimeUnit.MILLISECONDS.toNanos(Environment.stolenMs().orElse(beforeMs) - beforeMs)));
        final Set<Long> own = own();
        ProcessHandle.allProcesses().filter((process) -> !own.contains(process.pid())).forEach((process) ->
        {
            final long ns = process.info().totalCpuDuration().orElse(Duration.ZERO)
                .minus(timeByPidMap.getOrDefault(process.pid(), Duration.ZERO)).toNanos();
            if (ns > LEAST_SHARE * tookNs)
            {
                measurements.put(PREFIX + process.pid() + "." + name(process), ns);
            }
        });
        return measurements;
    }

    /** The tool and the processes that it started. */
    private static Set<Long> own()
    {
        final Set<Long> own = new HashSet<>(ProcessHandle.current().descendants().map(ProcessHandle::pid)
            .collect(Collectors.toSet()));
        own.add(ProcessHandle.current().pid());
        return own;
    }

    private static String name(final ProcessHandle process)
    {
        return process.info().command().map((command) -> Path.of(command).getFileName().toString().replace(' ', '_'))
            .orElse(UNKNOWN);
    }
}
