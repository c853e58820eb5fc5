package io.escapement.perf.tool;

import io.escapement.perf.process.Child;
import io.escapement.perf.process.Findings;
import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Ratios;
import io.escapement.perf.report.Table;
import io.escapement.perf.rooms.TimersOptions;
import io.escapement.perf.rooms.TimersRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Room timers beside those of others. */
@Command(
    name = "timers",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
        "Set, cancel and fire with many timers outstanding: room timers, Agrona's wheel bare and with a map of ids,",
        "Netty's wheel (its worker's processor time counted), the JDK's executor, and a locked priority queue.",
        "Each is measured on as many operations as its share of --seconds allows; the order turns each round."})
final class TimersCommand extends PairedCommand
{
    private static final int LEAST_OUTSTANDING = 1_000;
    private static final int MOST_OUTSTANDING = 4_000_000;
    private static final String OURS = TimersRun.NAMES.get(0);

    @Option(names = "--outstanding", defaultValue = "1000000",
        description = "timers that are set (default: ${DEFAULT-VALUE})")
    private int outstanding;

    private final BiFunction<TimersOptions, Consumer<String>, Findings> runner;
    private Findings findings = new Findings();
    private int rounds;

    TimersCommand()
    {
        this(TimersRun::run);
    }

    TimersCommand(final BiFunction<TimersOptions, Consumer<String>, Findings> runner)
    {
        this.runner = runner;
    }

    @Override
    String title()
    {
        return String.format(Locale.ROOT, "%,d outstanding; %d rounds, about %d ms an operation, after about %d ms of" +
            " warm-up for each kind", outstanding, pairs(),
            shareMs(pairs() * TimersRun.NAMES.size() * TimersRun.OPERATIONS.size()), warmUpMs());
    }

    @Override
    void checkOwnOptions()
    {
        check(outstanding >= LEAST_OUTSTANDING && outstanding <= MOST_OUTSTANDING, "--outstanding", outstanding);
    }

    @Override
    List<String> childFlags()
    {
        return Child.flags(TimersRun.HEAP_MB);
    }

    @Override
    void measure()
    {
        findings = runner.apply(
            new TimersOptions(outstanding, pairs(), warmUpMs(), shareMs(1)), this::progress);
        rounds = pairs();
        final Table table = table("timers       ", "set ns", "cancel ns", "fire ns", "bytes/op",
            "sets a round", "cancels", "fires");
        for (final String name : TimersRun.NAMES)
        {
            final int faultsBefore = faults();
            checkLost(name);
            table.row(faults() != faultsBefore, name, number(Ratios.median(costs(name, "set"))),
                number(Ratios.median(costs(name, "cancel"))), number(Ratios.median(costs(name, "fire"))),
                number(Ratios.median(bytes(name))), operations(name, "set"), operations(name, "cancel"),
                operations(name, "fire"));
        }
        for (final String operation : TimersRun.OPERATIONS)
        {
            final Chart chart = new Chart(
                operation + ", time for an operation", "ns", TimersRun.SERIES_SCALE);
            for (final String name : TimersRun.NAMES)
            {
                final String series = TimersRun.series(name, operation);
                series(chart, series, findings.intervals(series));
                if (!OURS.equals(name))
                {
                    note(operation + ": " + OURS + "/" + name + " " +
                        Ratios.of(costs(OURS, operation), costs(name, operation)));
                }
            }
        }
        note("bytes/op are those of the operation that allocates the most; medians of the rounds; where" +
            " fewer operations than a tenth of those outstanding are named, a sample was measured, as many as there" +
            " was time for");
    }

    @Override
    Json result()
    {
        final List<Json> rows = new ArrayList<>();
        for (final String name : TimersRun.NAMES)
        {
            rows.add(new Json()
                .put("name", name)
                .put("setNs", Ratios.median(costs(name, "set")))
                .put("cancelNs", Ratios.median(costs(name, "cancel")))
                .put("fireNs", Ratios.median(costs(name, "fire")))
                .put("bytesPerOp", Ratios.median(bytes(name))));
        }
        return new Json().put("bench", "timers").put("outstanding", outstanding).put("rows", rows);
    }

    private void checkLost(final String name)
    {
        for (int round = 0; round < rounds; round++)
        {
            final long lost = value(name, "fire", round, "lost");
            if (0 != lost)
            {
                fault(name + ": " + lost + " timers did not fire when they were due");
            }
            for (final String operation : TimersRun.OPERATIONS)
            {
                if (0 == value(name, operation, round, "operations"))
                {
                    fault(name + ": nothing to measure of " + operation);
                }
            }
        }
    }

    /** Nanoseconds an operation, round by round. */
    private List<Double> costs(final String name, final String operation)
    {
        final List<Double> costs = new ArrayList<>();
        for (int round = 0; round < rounds; round++)
        {
            costs.add((double)value(name, operation, round, "ns") / value(name, operation, round, "operations"));
        }
        return costs;
    }

    /** Bytes an operation, of that kind which allocates the most, round by round. */
    private List<Double> bytes(final String name)
    {
        final List<Double> all = new ArrayList<>();
        for (int round = 0; round < rounds; round++)
        {
            double most = 0;
            for (final String operation : TimersRun.OPERATIONS)
            {
                most = Math.max(most, (double)value(name, operation, round, "bytes") /
                    value(name, operation, round, "operations"));
            }
            all.add(most);
        }
        return all;
    }

    private String operations(final String name, final String operation)
    {
        final List<Double> all = new ArrayList<>();
        for (int round = 0; round < rounds; round++)
        {
            all.add((double)value(name, operation, round, "operations"));
        }
        return whole(Ratios.median(all));
    }

    private long value(final String name, final String operation, final int round, final String what)
    {
        return findings.value(TimersRun.key(name, operation, round, what));
    }
}
