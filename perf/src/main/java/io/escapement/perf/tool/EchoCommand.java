package io.escapement.perf.tool;

import io.escapement.perf.loopback.Echo;
import io.escapement.perf.loopback.EchoPlan;
import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Ratios;
import io.escapement.perf.rig.Control;
import io.escapement.perf.rig.Measurements;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import picocli.CommandLine.Command;

/** Round trips through the engine and through bare Aeron. */
@Command(
    name = "echo",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
        "Round trips: client, trunk, ring, room and back, against bare Aeron ping-pong.",
        "Every run has fresh processes; runs alternate, and bare Aeron runs twice per pair, so that the table",
        "shows by how much two runs of the same thing differ. Latency counts from the planned send."})
final class EchoCommand extends PairedCommand<EchoPlan>
{
    private static final int MIN_RATE_PERMILLE = 990;
    /** Half of it at the measured rate: code compiled later takes a core from a spinning thread. */
    private static final int WARM_UP_MS = 8_000;
    private static final double[] PERCENTILES = {50, 90, 99, 99.9, 100};
    private static final List<String> PERCENTILE_NAMES = List.of("p50Us", "p90Us", "p99Us", "p999Us", "maxUs");

    EchoCommand()
    {
        this((plan) -> MeasuredProcess.runPair("echo", plan, (serverPid) -> { }));
    }

    EchoCommand(final Function<EchoPlan, Measurements> runner)
    {
        super(EchoPlan::new, runner, List.of(Echo.RAW, Echo.ENGINE, Echo.NULL));
    }

    @Override
    String title()
    {
        return String.format(Locale.ROOT,
            "%d msg/s of %d B, %s, %s, %s; %d pairs, each run %d ms after %d ms of warm-up", plan.rate,
            plan.size, plan.mode, plan.idle, plan.transport, pairs(), measureMs(), warmUpMs());
    }

    @Override
    void checkOwnOptions()
    {
        check(List.of("solo", "shared", "dedicated").contains(plan.mode), "--mode", plan.mode);
        check(IDLE_STRATEGIES.contains(plan.idle), "--idle", plan.idle);
        check(List.of("udp", "ipc").contains(plan.transport), "--transport", plan.transport);
        check(plan.rate > 0, "--rate", plan.rate);
        checkRange("--size", plan.size, EchoPlan.MIN_SIZE, EchoPlan.MAX_SIZE);
    }

    @Override
    String refusal()
    {
        final int serverThreads = switch (plan.mode)
        {
            case "solo" -> 1;
            // The edge with the driver, and the loop.
            case "shared" -> 2;
            // The edge, the loop, and the driver's sender and receiver.
            default -> 4;
        };
        final int spinning = 1 + ("busy".equals(plan.idle) ? serverThreads : 0);
        return spinning <= cores() ? null : String.format(Locale.ROOT,
            "--mode %s --idle %s spins %d threads, including the client's, on %d cores, and would measure the" +
                " scheduler: use %s", plan.mode, plan.idle, spinning, cores(),
            spinning > 2 && cores() >= 2 ? "--mode solo, or --idle yield, backoff or park" : "a larger host");
    }

    @Override
    int defaultWarmUpMs()
    {
        return WARM_UP_MS;
    }

    @Override
    void runRole(final Control control)
    {
        if (MeasuredProcess.SERVER.equals(plan.role))
        {
            Echo.serve(plan, control);
        }
        else
        {
            Echo.measure(plan, control);
        }
    }

    @Override
    List<String> heads()
    {
        return List.of("p50 us", "p90 us", "p99 us", "p99.9 us", "max us", "compiled ms");
    }

    @Override
    List<String> cells(final Measurements run)
    {
        final List<String> cells = new ArrayList<>();
        for (final double percentile : PERCENTILES)
        {
            cells.add(number(us(run, Echo.LATENCY, percentile)));
        }
        cells.add(Long.toString(run.value(Echo.COMPILED_MS)));
        return cells;
    }

    @Override
    void onRun(final String subject, final Measurements run)
    {
        final String name = subject + ": ";
        final long sent = run.value(Echo.SENT);
        final long received = run.value(Echo.RECEIVED);
        if (sent != received)
        {
            fault(name + (sent - received) + " of " + sent + " messages were lost");
        }
        else if (0 != run.value(Echo.CHECKSUM_DIFFERENCE))
        {
            fault(name + "the checksum of the messages that came back differs from that of the messages sent");
        }
        if (0 != run.value(Echo.ORDER_FAULTS))
        {
            fault(name + run.value(Echo.ORDER_FAULTS) + " messages came back changed or out of order");
        }
        if (run.value(Echo.RATE_PERMILLE) < MIN_RATE_PERMILLE)
        {
            fault(name + "missed its rate, sent at " + run.value(Echo.RATE_PERMILLE) + " permille of it");
        }
        series(Chart.LATENCY, subject, run.intervals(Echo.LATENCY));
    }

    @Override
    void summarize()
    {
        for (final int percentile : new int[]{50, 90})
        {
            note("p" + percentile + ": engine/raw " + ratio(Echo.ENGINE, percentile) + ", raw/raw " +
                ratio(Echo.NULL, percentile));
        }
    }

    @Override
    Json result()
    {
        return new Json().put("bench", "echo").put("rate", plan.rate).put("idle", plan.idle)
            .put("pairs", pairs())
            .put("raw", percentiles(Echo.RAW)).put("engine", percentiles(Echo.ENGINE))
            .put("ratio", ratioJson(Echo.ENGINE)).put("null", ratioJson(Echo.NULL));
    }

    private Ratios ratio(final String subject, final double percentile)
    {
        return ratios(subject, Echo.RAW, (run) -> us(run, Echo.LATENCY, percentile));
    }

    private Json percentiles(final String subject)
    {
        final Json json = new Json();
        for (int i = 0; i < PERCENTILES.length; i++)
        {
            final double percentile = PERCENTILES[i];
            json.put(PERCENTILE_NAMES.get(i), median(subject, (run) -> us(run, Echo.LATENCY, percentile)));
        }
        return json;
    }

    private Json ratioJson(final String subject)
    {
        return new Json().put("p50", ratio(subject, 50).median()).put("p90", ratio(subject, 90).median());
    }
}
