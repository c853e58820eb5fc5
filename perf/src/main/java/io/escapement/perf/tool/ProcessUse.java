package io.escapement.perf.tool;

import io.escapement.engine.WarmUp;
import io.escapement.perf.report.Json;
import io.escapement.perf.rig.Measurements;
import io.escapement.perf.rig.Percentiles;
import io.escapement.perf.rig.ProcessMeter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** The users of a run's time: the processes of the run, other processes of the host, and the hypervisor. */
record ProcessUse(String role, Measurements run)
{
    static final List<Figure<ProcessUse>> FIGURES = List.of(
        new Figure<>("cores", "cores", 2, (of) -> of.share(ProcessMeter.CPU_NS)),
        new Figure<>("waited", "waitedCores", 2, (of) -> of.share(ProcessMeter.WAITED_NS)),
        new Figure<>("compiled ms", "compiledMs", 0, (of) -> of.value(ProcessMeter.COMPILED_MS)),
        new Figure<>("hiccup p99 ms", "hiccupP99Ms", 2, (of) -> of.hiccupMs(99)),
        new Figure<>("max ms", "hiccupMaxMs", 2, (of) -> of.hiccupMs(100)),
        new Figure<>(null, "coresOverTime", 0, (of) -> of.intervals(ProcessMeter.CPU).stream()
            .map((interval) -> interval.getMaxValue() / ProcessMeter.CORE).toList()));

    private static final double MS_NS = 1e6;
    private static final double BUSY = 0.85;
    /** Less of a core cannot be the reason for a figure. */
    private static final double LEAST_CORES = 0.05;

    /** The measured processes of a run. */
    static List<ProcessUse> of(final Measurements run)
    {
        return run.values(ProcessMeter.PREFIX).keySet().stream().filter((name) -> name.endsWith(ProcessMeter.NS))
            .map((name) -> new ProcessUse(name.substring(0, name.length() - ProcessMeter.NS.length()), run)).toList();
    }

    /** Time that the compilers of all its processes worked in a run. */
    static long compiledMs(final Measurements run)
    {
        return of(run).stream().mapToLong((process) -> process.value(ProcessMeter.COMPILED_MS)).sum();
    }

    /** Time that the compilers of a process worked in a run. */
    static long compiledMs(final Measurements run, final String role)
    {
        return new ProcessUse(role, run).value(ProcessMeter.COMPILED_MS);
    }

    /** Length of the measured part of a process. */
    static long ns(final Measurements run, final String role)
    {
        return new ProcessUse(role, run).value(ProcessMeter.NS);
    }

    /** Whether the compilers rested in a run, so that compiled code was measured. */
    static boolean isWarm(final Measurements run)
    {
        return WarmUp.haveRested(compiledMs(run),
            of(run).stream().mapToLong((process) -> process.value(ProcessMeter.NS)).max().orElse(0));
    }

    /** Whether a process with a load was at work for so much of its time that it measures itself. */
    static boolean isLoadBound(final Measurements run)
    {
        return of(run).stream().anyMatch((process) ->
            run.has(process.name(ProcessMeter.BUSY_NS)) && process.share(ProcessMeter.BUSY_NS) > BUSY);
    }

    /** Why the figures of a run are less reliable, or worthless. */
    static List<String> remarks(final Measurements run)
    {
        final List<String> remarks = new ArrayList<>();
        if (!isWarm(run))
        {
            remarks.add(String.format(Locale.ROOT, "no ratio: the compilers worked for %,d ms of the measured part," +
                " more than %.0f %% of it", compiledMs(run), 100 * WarmUp.REST));
        }
        if (isLoadBound(run))
        {
            remarks.add(String.format(Locale.ROOT, "no result: load-bound, the process of the load was at work for" +
                " more than %.2f of its time", BUSY));
        }
        run.values(Bystanders.PREFIX).entrySet().stream()
            .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
            .forEach((other) -> remark(remarks, "process " + other.getKey().replaceFirst("\\.", " "),
                Bystanders.cores(run, other.getValue())));
        remark(remarks, "the hypervisor", Bystanders.stolenCores(run));
        return remarks;
    }

    private static void remark(final List<String> remarks, final String other, final double cores)
    {
        if (cores >= LEAST_CORES)
        {
            remarks.add(String.format(Locale.ROOT, "%s took %.2f cores", other, cores));
        }
    }

    /** The processes of a run and what else took its time. */
    static Json json(final Measurements run)
    {
        final Json json = new Json().put("processes", of(run).stream()
            .map((process) -> Figure.put(new Json().put("name", process.role), FIGURES, process)).toList());
        if (run.has(Bystanders.NS))
        {
            final long othersNs = run.values(Bystanders.PREFIX).values().stream().mapToLong(Long::longValue).sum();
            json.put("othersCores", Bystanders.cores(run, othersNs)).put("stolenCores", Bystanders.stolenCores(run));
        }
        return json.put("remarks", remarks(run));
    }

    /** The series of a process, by the name of its chart. */
    List<Histogram> intervals(final String prefix)
    {
        return run.intervals(prefix + role);
    }

    private String name(final String figure)
    {
        return ProcessMeter.PREFIX + role + figure;
    }

    private long value(final String figure)
    {
        return run.value(name(figure));
    }

    private double share(final String figure)
    {
        return (double)value(figure) / value(ProcessMeter.NS);
    }

    private double hiccupMs(final double percentile)
    {
        return Percentiles.at(run.total(ProcessMeter.HICCUPS + role), percentile) / MS_NS;
    }
}
