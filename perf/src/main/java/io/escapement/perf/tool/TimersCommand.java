package io.escapement.perf.tool;

import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Ratios;
import io.escapement.perf.rig.Measurements;
import io.escapement.perf.rooms.TimersBenchmark;
import io.escapement.perf.rooms.TimersPlan;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;

/** Room timers, and timers of other libraries. */
@Command(
    name = "timers",
    description =
        "Set, cancel and fire with many timers outstanding: room timers, Agrona's wheel bare and with a map of ids, " +
        "Netty's wheel (its worker's processor time counted), the JDK's executor, and a locked priority queue. Runs " +
        "TimersBenchmark by JMH, each kind on as many operations as its share of --seconds allows. Each run has " +
        "fresh processes, and the order of kinds alternates by pair.",
    footer = {"", "Examples:",
        "  perf timers",
        "  perf timers --outstanding 100000 --pairs 3"})
final class TimersCommand extends PairedCommand<TimersPlan>
{
    private static final List<String> OPERATIONS = List.of("set", "cancel", "fire");
    /** Each fills the timers first, which is not measured. */
    private static final int ITERATIONS = 3;
    /** One operation is too short for whole nanoseconds. */
    private static final long SCALE = 1_000;
    private static final List<Figure<Measurements>> FIGURES = List.of(
        new Figure<>("set ns", "setNs", 1, (run) -> costNs(run, "set")),
        new Figure<>("cancel ns", "cancelNs", 1, (run) -> costNs(run, "cancel")),
        new Figure<>("fire ns", "fireNs", 1, (run) -> costNs(run, "fire")),
        new Figure<>("bytes/op", "bytesPerOp", 1, (run) -> OPERATIONS.stream()
            .mapToDouble((operation) -> bytes(run, operation)).max().orElse(Double.NaN)),
        new Figure<>("sets", null, 0, (run) -> run.value("set.operations")),
        new Figure<>("cancels", null, 0, (run) -> run.value("cancel.operations")),
        new Figure<>("fires", null, 0, (run) -> run.value("fire.operations")));

    TimersCommand()
    {
        super(TimersPlan::new, Map.of(), (plan, progress) -> List.of(JmhRun.of(TimersBenchmark.class,
            OPERATIONS.size(), plan, ITERATIONS,
            Map.of("kind", plan.subject, "outstanding", Integer.toString(plan.outstanding)), (iteration) ->
                SCALE * JmhRun.counter(iteration, "ns") / JmhRun.counter(iteration, "operations"))),
            Map.of(), List.of("escapement", "agrona", "agronaWithMap", "netty", "jdk", "jobTimer"), FIGURES);
    }

    @Override
    String load()
    {
        return String.format(Locale.ROOT, "%,d outstanding", plan.outstanding);
    }

    @Override
    void checkOptions()
    {
        checkRange("--outstanding", plan.outstanding, 1_000, 4_000_000);
    }

    @Override
    void onRun(final String kind, final Measurements run)
    {
        OPERATIONS.forEach((operation) -> series(new Chart(operation + ", time per operation", "ns", SCALE),
            kind + "-" + operation, run.intervals(operation)));
    }

    @Override
    void summarize()
    {
        final String ours = subjects().get(0);
        for (final String operation : OPERATIONS)
        {
            for (final String kind : subjects().subList(1, subjects().size()))
            {
                note(operation + ": " + ours + "/" + kind + " " + ratio(kind, operation));
            }
        }
        note("bytes/op is the figure of the operation that allocates most; fewer operations than a tenth of " +
            ITERATIONS + " times the outstanding timers, or of fires than there are timers, mean that a sample was " +
            "measured, as large as time allowed");
    }

    @Override
    void putResult(final Json json)
    {
        json.put("outstanding", plan.outstanding).put("rows", subjects().stream().map((kind) ->
        {
            final Json row = putMedians(new Json().put("name", kind), kind);
            OPERATIONS.forEach((operation) -> ratio(kind, operation).putTo(row, operation + "Ratio"));
            return row;
        }).toList());
    }

    /** The cost of room timers, divided by the cost of a kind. */
    private Ratios ratio(final String kind, final String operation)
    {
        return ratios(subjects().get(0), kind, (run) -> costNs(run, operation));
    }

    /** The median, because an iteration that was preempted is no measure. */
    private static double costNs(final Measurements run, final String operation)
    {
        return (double)run.total(operation).getValueAtPercentile(50) / SCALE;
    }

    private static double bytes(final Measurements run, final String operation)
    {
        return (double)run.value(operation + ".bytes") / run.value(operation + ".operations");
    }
}
