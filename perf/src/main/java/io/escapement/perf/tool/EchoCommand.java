package io.escapement.perf.tool;

import io.escapement.perf.loopback.Echo;
import io.escapement.perf.loopback.EchoPlan;
import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Ratios;
import io.escapement.perf.rig.Measurements;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;

/** Round trips through the engine and through bare Aeron. */
@Command(
    name = "echo",
    description = {
        "Round trips: client, trunk, ring, room and back, against bare Aeron ping-pong.",
        "Every run has fresh processes; runs alternate, and bare Aeron runs twice per pair, so that the table",
        "shows by how much two runs of the same thing differ. Latency counts from the planned send."})
final class EchoCommand extends PairedCommand<EchoPlan>
{
    private static final int MIN_RATE_PERMILLE = 990;
    private static final List<Figure<Measurements>> FIGURES = List.of(
        latency("p50 us", "p50Us", 50), latency("p90 us", "p90Us", 90), latency("p99 us", "p99Us", 99),
        latency("p99.9 us", "p999Us", 99.9), latency("max us", "maxUs", 100),
        new Figure<>("compiled ms", null, 0, (run) -> run.value(Echo.COMPILED_MS)));

    /** Half of the warm-up is at the measured rate: code compiled later takes a core from a spinning thread. */
    EchoCommand()
    {
        super(EchoPlan::new, Map.of(MeasuredProcess.SERVER, Echo::serve, MeasuredProcess.CLIENT, Echo::measure),
            (plan, progress) -> MeasuredProcess.runPair("echo", plan, (serverPid) -> { }),
            Map.of("--warm-up-ms", "8000"), List.of(Echo.RAW, Echo.ENGINE, Echo.NULL), FIGURES);
    }

    @Override
    String load()
    {
        return plan.rate + " msg/s of " + plan.size + " B, " + plan.mode + ", " + plan.idle + ", " + plan.channel;
    }

    @Override
    void checkOptions()
    {
        super.checkOptions();
        check(List.of("solo", "shared", "dedicated").contains(plan.mode), "--mode", plan.mode);
        check(IDLE_STRATEGIES.contains(plan.idle), "--idle", plan.idle);
        checkChannel(plan.channel);
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
        faultIf(0 != run.value(Echo.ORDER_FAULTS),
            name + run.value(Echo.ORDER_FAULTS) + " messages came back changed or out of order");
        faultIf(run.value(Echo.RATE_PERMILLE) < MIN_RATE_PERMILLE,
            name + "missed its rate, sent at " + run.value(Echo.RATE_PERMILLE) + " permille of it");
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
    void putResult(final Json json)
    {
        json.put("channel", plan.channel).put("rate", plan.rate).put("idle", plan.idle).put("pairs", pairs())
            .put("raw", putMedians(new Json(), Echo.RAW)).put("engine", putMedians(new Json(), Echo.ENGINE))
            .put("ratio", ratioJson(Echo.ENGINE)).put("null", ratioJson(Echo.NULL));
    }

    private Json ratioJson(final String subject)
    {
        return new Json().put("p50", ratio(subject, 50).median()).put("p90", ratio(subject, 90).median());
    }

    private Ratios ratio(final String subject, final double percentile)
    {
        return ratios(subject, Echo.RAW, (run) -> us(run, Echo.LATENCY, percentile));
    }

    private static Figure<Measurements> latency(final String head, final String key, final double percentile)
    {
        return new Figure<>(head, key, 1, (run) -> us(run, Echo.LATENCY, percentile));
    }
}
