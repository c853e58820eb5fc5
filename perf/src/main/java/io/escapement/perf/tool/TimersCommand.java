package io.escapement.perf.tool;

import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Ratios;
import io.escapement.perf.report.Table;
import io.escapement.perf.rig.Measurements;
import io.escapement.perf.rooms.TimersBenchmark;
import io.escapement.perf.rooms.TimersPlan;
import io.escapement.perf.rooms.TimersSample;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;

/** Room timers, and those of other libraries. */
@Command(
    name = "timers",
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

    private final List<Figure<String>> figures = List.of(
        new Figure<>("set ns", "setNs", 1, (kind) -> costNs(kind, "set")),
        new Figure<>("cancel ns", "cancelNs", 1, (kind) -> costNs(kind, "cancel")),
        new Figure<>("fire ns", "fireNs", 1, (kind) -> costNs(kind, "fire")),
        new Figure<>("bytes/op", "bytesPerOp", 1, this::bytes),
        new Figure<>("sets a round", null, 0, (kind) -> operations(kind, "set")),
        new Figure<>("cancels", null, 0, (kind) -> operations(kind, "cancel")),
        new Figure<>("fires", null, 0, (kind) -> operations(kind, "fire")));
    private Measurements run;

    TimersCommand()
    {
        super(new TimersPlan(), Map.of(MeasuredProcess.WORKER, TimersBenchmark::measure), (plan, progress) ->
            MeasuredProcess.runWorker("timers", plan, SECONDS_PER_ROUND * (plan.pairs + 1), progress), Map.of());
    }

    @Override
    String title()
    {
        return String.format(Locale.ROOT, "%,d outstanding; %d rounds, about %d ms per operation after about %d ms of" +
            " warm-up of each kind", plan.outstanding, plan.pairs,
            shareMs(plan.pairs * TimersPlan.KINDS.size() * TimersPlan.OPERATIONS.size()), plan.warmUpMs);
    }

    @Override
    void checkOptions()
    {
        checkRange("--outstanding", plan.outstanding, 1_000, 4_000_000);
    }

    @Override
    String reservation()
    {
        return plan.pairs >= ENOUGH_ROUNDS ? null :
            "only " + plan.pairs + " of the " + ENOUGH_ROUNDS + " rounds that a comparison needs";
    }

    @Override
    void measure()
    {
        run = runner.apply(plan.forRun(new TimersPlan(), "all", plan.warmUpMs, shareMs(1)), this::progress).get(0);
        final Table table = table(Figure.heads(figures, "timers       "));
        for (final String kind : TimersPlan.KINDS)
        {
            check(kind);
            row(table, Figure.cells(figures, kind, kind));
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
    void putResult(final Json json)
    {
        json.put("outstanding", plan.outstanding).put("rows", TimersPlan.KINDS.stream()
            .map((kind) -> Figure.put(new Json().put("name", kind), figures, kind)).toList());
    }

    private void check(final String kind)
    {
        for (int round = 0; round < plan.pairs; round++)
        {
            final long lost = value(kind, "fire", round, "lost");
            faultIf(0 != lost, kind + ": " + lost + " timers did not fire when they were due");
            for (final String operation : TimersPlan.OPERATIONS)
            {
                faultIf(0 == value(kind, operation, round, "operations"), kind + ": no " + operation + " was measured");
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

    /** Bytes per operation, of the operation that allocates most. */
    private double bytes(final String kind)
    {
        return Ratios.median(byRound((round) -> TimersPlan.OPERATIONS.stream()
            .mapToDouble((operation) -> perOperation(kind, operation, round, "bytes")).max().orElse(Double.NaN)));
    }

    private double operations(final String kind, final String operation)
    {
        return Ratios.median(byRound((round) -> value(kind, operation, round, "operations")));
    }

    private List<Double> byRound(final IntToDoubleFunction figure)
    {
        return IntStream.range(0, null == run ? 0 : plan.pairs).mapToDouble(figure).boxed().toList();
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
