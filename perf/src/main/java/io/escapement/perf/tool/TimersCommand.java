package io.escapement.perf.tool;

import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Ratios;
import io.escapement.perf.report.Table;
import io.escapement.perf.rig.Control;
import io.escapement.perf.rig.Measurements;
import io.escapement.perf.rooms.TimersBenchmark;
import io.escapement.perf.rooms.TimersPlan;
import io.escapement.perf.rooms.TimersSample;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;

/** Room timers, and those of other libraries. */
@Command(
    name = "timers",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
        "Set, cancel and fire with many timers outstanding: room timers, Agrona's wheel bare and with a map of ids,",
        "Netty's wheel (its worker's processor time counted), the JDK's executor, and a locked priority queue. Runs",
        "TimersBenchmark by JMH, each on as many operations as its share of --seconds allows; the order of kinds",
        "alternates by round."})
final class TimersCommand extends MeasureCommand<TimersPlan>
{
    private static final int ENOUGH_ROUNDS = 5;
    /** A round fills the timers of each kind three times, which is not measured. */
    private static final long SECONDS_PER_ROUND = 60;
    private static final String OURS = TimersPlan.KINDS.get(0);

    private final BiFunction<TimersPlan, Consumer<String>, Measurements> runner;
    private Measurements run;

    TimersCommand()
    {
        this((plan, progress) -> MeasuredProcess.runWorker(
            "timers", plan, SECONDS_PER_ROUND * (plan.rounds + 1), TimersPlan.HEAP_MB, progress));
    }

    TimersCommand(final BiFunction<TimersPlan, Consumer<String>, Measurements> runner)
    {
        super(new TimersPlan());
        this.runner = runner;
    }

    @Override
    String title()
    {
        return String.format(Locale.ROOT, "%,d outstanding; %d rounds, about %d ms per operation after about %d ms of" +
            " warm-up of each kind", plan.outstanding, plan.rounds,
            shareMs(plan.rounds * TimersPlan.KINDS.size() * TimersPlan.OPERATIONS.size()), warmUpMs());
    }

    @Override
    void checkOptions()
    {
        check(plan.rounds > 0, "--pairs", plan.rounds);
        checkRange("--outstanding", plan.outstanding, 1_000, 4_000_000);
    }

    @Override
    String reservation()
    {
        return plan.rounds >= ENOUGH_ROUNDS ? null :
            "only " + plan.rounds + " of the " + ENOUGH_ROUNDS + " rounds that a comparison needs";
    }

    @Override
    int heapMb()
    {
        return TimersPlan.HEAP_MB;
    }

    @Override
    void runRole(final Control control)
    {
        TimersBenchmark.measure(plan, control);
    }

    @Override
    void measure()
    {
        run = runner.apply(plan.forRun(new TimersPlan(), "all", warmUpMs(), shareMs(1)), this::progress);
        final Table table = table("timers       ", "set ns", "cancel ns", "fire ns", "bytes/op",
            "sets a round", "cancels", "fires");
        for (final String kind : TimersPlan.KINDS)
        {
            final int faultsBefore = faults();
            check(kind);
            table.row(faults() != faultsBefore, kind, number(costNs(kind, "set")), number(costNs(kind, "cancel")),
                number(costNs(kind, "fire")), number(Ratios.median(bytes(kind))), operations(kind, "set"),
                operations(kind, "cancel"), operations(kind, "fire"));
        }
        for (final String operation : TimersPlan.OPERATIONS)
        {
            final Chart chart = new Chart(operation + ", time per operation", "ns", TimersSample.SCALE);
            for (final String kind : TimersPlan.KINDS)
            {
                final String series = TimersPlan.series(kind, operation);
                series(chart, series, run.intervals(series));
                if (!OURS.equals(kind))
                {
                    note(operation + ": " + OURS + "/" + kind + " " +
                        Ratios.of(costs(OURS, operation), costs(kind, operation)));
                }
            }
        }
        note("bytes/op are those of the operation that allocates most; figures are medians of the rounds; fewer" +
            " operations than a tenth of those outstanding mean that a sample was measured, as large as time allowed");
    }

    @Override
    Json result()
    {
        final List<Json> rows = new ArrayList<>();
        for (final String kind : TimersPlan.KINDS)
        {
            rows.add(new Json()
                .put("name", kind)
                .put("setNs", costNs(kind, "set"))
                .put("cancelNs", costNs(kind, "cancel"))
                .put("fireNs", costNs(kind, "fire"))
                .put("bytesPerOp", Ratios.median(bytes(kind))));
        }
        return new Json().put("bench", "timers").put("outstanding", plan.outstanding).put("rows", rows);
    }

    private void check(final String kind)
    {
        for (int round = 0; round < plan.rounds; round++)
        {
            final long lost = value(kind, "fire", round, "lost");
            if (0 != lost)
            {
                fault(kind + ": " + lost + " timers did not fire when they were due");
            }
            for (final String operation : TimersPlan.OPERATIONS)
            {
                if (0 == value(kind, operation, round, "operations"))
                {
                    fault(kind + ": no " + operation + " was measured");
                }
            }
        }
    }

    private double costNs(final String kind, final String operation)
    {
        return Ratios.median(costs(kind, operation));
    }

    /** Nanoseconds per operation, by round. */
    private List<Double> costs(final String kind, final String operation)
    {
        return byRound((round) -> perOperation(kind, operation, round, "ns"));
    }

    /** Bytes per operation, of the operation that allocates most, by round. */
    private List<Double> bytes(final String kind)
    {
        return byRound((round) -> TimersPlan.OPERATIONS.stream()
            .mapToDouble((operation) -> perOperation(kind, operation, round, "bytes")).max().orElse(Double.NaN));
    }

    private String operations(final String kind, final String operation)
    {
        return whole(Ratios.median(byRound((round) -> value(kind, operation, round, "operations"))));
    }

    private List<Double> byRound(final IntToDoubleFunction figure)
    {
        return IntStream.range(0, null == run ? 0 : plan.rounds).mapToDouble(figure).boxed().toList();
    }

    private double perOperation(final String kind, final String operation, final int round, final String figure)
    {
        return (double)value(kind, operation, round, figure) / value(kind, operation, round, "operations");
    }

    private long value(final String kind, final String operation, final int round, final String figure)
    {
        return run.value(TimersPlan.key(kind, operation, round, figure));
    }
}
