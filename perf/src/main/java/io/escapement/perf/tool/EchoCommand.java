package io.escapement.perf.tool;

import io.escapement.driver.DriverDirectory;
import io.escapement.perf.echo.EchoOptions;
import io.escapement.perf.echo.EchoRun;
import io.escapement.perf.process.Findings;
import io.escapement.perf.process.Ports;
import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Ratios;
import io.escapement.perf.report.Table;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Round trips through the engine beside round trips through bare Aeron. */
@Command(
    name = "echo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
        "Round trips: client, trunk, ring, room and back, beside bare Aeron ping-pong.",
        "Every run has fresh processes; runs alternate, and bare Aeron runs twice a pair, so that the table",
        "shows how much two runs of the same thing differ. Times count from the planned send."})
final class EchoCommand extends PairedCommand
{
    /** Which of the three runs of a pair. */
    private enum Run
    {
        RAW, ENGINE, NULL;

        String lowerCase()
        {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private static final int LEAST_PERMILLE = 990;
    private static final int WARM_UP_MS = 8_000;

    @Option(names = "--rate", defaultValue = "10000", description = "messages a second (default: ${DEFAULT-VALUE})")
    private int rate;

    @Option(names = "--size", defaultValue = "64", description = "bytes a message (default: ${DEFAULT-VALUE})")
    private int size;

    @Option(names = "--mode", defaultValue = "solo", description = "solo, shared or dedicated (default: solo)")
    private String mode;

    @Option(names = "--idle", defaultValue = "busy", description = "busy, yield, backoff or park (default: busy)")
    private String idle;

    @Option(names = "--transport", defaultValue = "udp", description = "udp or ipc (default: udp)")
    private String transport;

    private final Function<EchoOptions, Findings> runner;
    private final Map<Run, List<Histogram>> totals = new EnumMap<>(Run.class);

    EchoCommand()
    {
        this(EchoRun::run);
    }

    EchoCommand(final Function<EchoOptions, Findings> runner)
    {
        this.runner = runner;
        for (final Run run : Run.values())
        {
            totals.put(run, new ArrayList<>());
        }
    }

    @Override
    String title()
    {
        return String.format(Locale.ROOT,
            "%d msg/s of %d B, %s, %s, %s; %d pairs, each run %d ms after %d ms of warm-up",
            rate, size, mode, idle, transport, pairs(), measureMs(), warmUpMs());
    }

    @Override
    void checkOwnOptions()
    {
        check(List.of("solo", "shared", "dedicated").contains(mode), "--mode", mode);
        check(List.of("busy", "yield", "backoff", "park").contains(idle), "--idle", idle);
        check(List.of("udp", "ipc").contains(transport), "--transport", transport);
        check(rate > 0, "--rate", rate);
        check(size >= EchoOptions.MIN_SIZE && size <= EchoOptions.MAX_SIZE, "--size", size);
    }

    @Override
    String refusal()
    {
        final int serverThreads = switch (mode)
        {
            case "solo" -> 1;
            // The edge with the driver, and the loop.
            case "shared" -> 2;
            // The edge, the loop, and the two threads of the driver that move data.
            default -> 4;
        };
        final int spinning = 1 + ("busy".equals(idle) ? serverThreads : 0);
        return spinning <= cores() ? null : String.format(Locale.ROOT,
            "--mode %s --idle %s would spin %d threads, the client's among them, on %d cores, and measure the" +
                " scheduler: take %s", mode, idle, spinning, cores(),
            spinning > 2 && cores() >= 2 ? "--mode solo, or --idle yield, backoff or park" : "a larger host");
    }

    @Override
    void measure()
    {
        final Table table = table("pair", "what", "p50 us", "p90 us", "p99 us", "p99.9 us", "max us", "compiled ms");
        for (int pair = 0; pair < pairs(); pair++)
        {
            // The order turns round each pair, so that what drifts falls on all alike.
            final Run[] order = 0 == pair % 2 ?
                new Run[]{Run.RAW, Run.ENGINE, Run.NULL} : new Run[]{Run.NULL, Run.ENGINE, Run.RAW};
            for (final Run run : order)
            {
                progress("pair " + (pair + 1) + " of " + pairs() + ": " + run.lowerCase());
                final int faultsBefore = faults();
                final Findings findings = run(run);
                final Histogram total = findings.total(EchoRun.LATENCY);
                totals.get(run).add(total);
                table.row(faults() != faultsBefore, Integer.toString(pair + 1), run.lowerCase(),
                    us(at(total, 50)), us(at(total, 90)), us(at(total, 99)), us(at(total, 99.9)),
                    us(total.getMaxValue()), Long.toString(findings.value(EchoRun.COMPILED_MS)));
            }
        }
        for (final double percentile : new double[]{50, 90})
        {
            note(String.format(Locale.ROOT, "p%.0f: engine/raw %s, raw/raw %s", percentile,
                ratios(Run.ENGINE, percentile), ratios(Run.NULL, percentile)));
        }
    }

    @Override
    Json result()
    {
        return new Json().put("bench", "echo").put("rate", rate).put("idle", idle).put("pairs", pairs())
            .put("raw", percentiles(Run.RAW)).put("engine", percentiles(Run.ENGINE))
            .put("ratio", ratioJson(Run.ENGINE)).put("null", ratioJson(Run.NULL));
    }

    private int measureMs()
    {
        return shareMs(Run.values().length * pairs());
    }

    private Findings run(final Run run)
    {
        final Findings findings = runner.apply(new EchoOptions(Run.ENGINE == run ? "engine" : "raw", mode, idle,
            transport, rate, size, warmUpMs(), measureMs(), Ports.free(), DriverDirectory.temporary()));
        final String name = run.lowerCase() + ": ";
        final long sent = findings.value(EchoRun.SENT);
        final long received = findings.value(EchoRun.RECEIVED);
        if (sent != received)
        {
            fault(name + (sent - received) + " of " + sent + " messages were lost");
        }
        if (0 != findings.value(EchoRun.ORDER_FAULTS))
        {
            fault(name + findings.value(EchoRun.ORDER_FAULTS) + " messages came back changed or out of order");
        }
        if (sent == received && 0 != findings.value(EchoRun.CHECKSUM_DIFFERENCE))
        {
            fault(name + "the checksum over what came back is not that over what was sent");
        }
        if (findings.value(EchoRun.RATE_PERMILLE) < LEAST_PERMILLE)
        {
            fault(name + "missed its rate, sent at " + findings.value(EchoRun.RATE_PERMILLE) + " permille of it");
        }
        series(Chart.LATENCY, run.lowerCase(), findings.intervals(EchoRun.LATENCY));
        return findings;
    }

    private Ratios ratios(final Run run, final double percentile)
    {
        return Ratios.of(values(run, (h) -> at(h, percentile)), values(Run.RAW, (h) -> at(h, percentile)));
    }

    private Json percentiles(final Run run)
    {
        return new Json()
            .put("p50Us", medianUs(run, (h) -> at(h, 50)))
            .put("p90Us", medianUs(run, (h) -> at(h, 90)))
            .put("p99Us", medianUs(run, (h) -> at(h, 99)))
            .put("p999Us", medianUs(run, (h) -> at(h, 99.9)))
            .put("maxUs", medianUs(run, Histogram::getMaxValue));
    }

    private Json ratioJson(final Run run)
    {
        return new Json().put("p50", ratios(run, 50).median()).put("p90", ratios(run, 90).median());
    }

    private double medianUs(final Run run, final ToDoubleFunction<Histogram> value)
    {
        return Ratios.median(values(run, value)) / 1e3;
    }

    private List<Double> values(final Run run, final ToDoubleFunction<Histogram> value)
    {
        return totals.get(run).stream().mapToDouble(value).boxed().toList();
    }

    private static double at(final Histogram histogram, final double percentile)
    {
        return histogram.getValueAtPercentile(percentile);
    }

    /** In two halves, one of them at the measured rate; what is compiled after it takes a core from who spins. */
    @Override
    int usualWarmUpMs()
    {
        return WARM_UP_MS;
    }
}
