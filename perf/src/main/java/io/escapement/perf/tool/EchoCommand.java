package io.escapement.perf.tool;

import io.escapement.perf.loopback.Echo;
import io.escapement.perf.loopback.EchoPlan;
import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Ratios;
import io.escapement.perf.rig.LoopMeter;
import io.escapement.perf.rig.LoopbackGame;
import io.escapement.perf.rig.Measurements;
import io.escapement.server.Game;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;

/** Round trips through the engine and through bare Aeron. */
@Command(
    name = "echo",
    description =
        "Round trips of client, trunk, ring, room and back, compared with bare Aeron ping-pong. Each run has fresh " +
        "processes. Runs alternate, and bare Aeron runs twice per pair: the table shows by how much two runs of the " +
        "same program differ. Latency counts from the planned send. With --durability the engine runs three times " +
        "per pair: once with the log, and twice in memory. Aeron's own program runs alongside it: an Archive that " +
        "records each message before its answer, or a bare Aeron Cluster. If a cluster runs, all programs run with " +
        "--mode shared and --idle park.",
    footer = {"", "Examples:",
        "  perf echo --rate 20000 --pairs 5",
        "  perf echo --durability synced --journal /var/tmp --seconds 120"})
final class EchoCommand extends PairedCommand<EchoPlan>
{
    private static final int MIN_RATE_PERMILLE = 990;
    private static final double US_NS = 1e3;
    private static final int[] PERCENTILES = {50, 90, 99};
    private static final Chart WAITS = new Chart("wait of commands and turns", "us", 1_000);
    private static final List<Figure<Measurements>> FIGURES = List.of(
        latency("p50 us", "p50Us", 50), latency("p90 us", "p90Us", 90), latency("p99 us", "p99Us", 99),
        latency("p99.9 us", "p999Us", 99.9), latency("max us", "maxUs", 100),
        new Figure<>("compiled ms", null, 0, ProcessUse::compiledMs));

    private static final List<Figure<Measurements>> OF_LOOP = List.of(
        wait("ringWaitP50Us", LoopMeter.RING_WAIT, 50), wait("ringWaitP99Us", LoopMeter.RING_WAIT, 99),
        wait("commitWaitP50Us", LoopMeter.COMMIT_WAIT, 50), wait("commitWaitP99Us", LoopMeter.COMMIT_WAIT, 99),
        perTurn("messagesPerTurn", Echo.SENT), perTurn("bytesPerTurn", LoopbackGame.ENGINE_BYTES));

    /** Half of the warm-up is at the measured rate: code compiled later takes a core from a spinning thread. */
    EchoCommand()
    {
        super(EchoPlan::new, Map.of(MeasuredProcess.SERVER, Echo::serve, MeasuredProcess.CLIENT, Echo::measure),
            (plan, progress) -> MeasuredProcess.runPair("echo", plan, (serverPid) -> { }),
            Map.of("--warm-up-ms", "8000"), List.of(Echo.RAW, Echo.ENGINE, Echo.NULL), FIGURES);
    }

    @Override
    Game game()
    {
        return Echo.game(plan);
    }

    @Override
    String load()
    {
        return plan.rate + " msg/s of " + plan.size + " B, " + plan.mode + ", " + plan.idle + ", " + plan.channel +
            ", " + plan.durability + (plan.isCluster() ? ": three nodes on this host" : "");
    }

    @Override
    List<String> subjects()
    {
        return plan.isDurable() ?
            List.of(Echo.RAW, Echo.MEMORY, Echo.ENGINE, peer(), Echo.MEMORY_NULL) : super.subjects();
    }

    /** The peer of an engine that logs its turns, made only of Aeron's parts. */
    private String peer()
    {
        return plan.isCluster() ? Echo.CLUSTER : Echo.ARCHIVE;
    }

    @Override
    void checkOptions()
    {
        checkDurability(plan);
        if (plan.isCluster())
        {
            plan.mode = "shared";
            plan.idle = "park";
        }
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
        final long sent = run.value(Echo.SENT);
        final long lost = sent - run.value(Echo.RECEIVED);
        final long faults = run.value(Echo.ORDER_FAULTS);
        final long permille = run.value(Echo.RATE_PERMILLE);
        faultIf(0 != lost, subject + ": " + lost + " of " + sent + " messages were lost");
        faultIf(0 == lost && 0 != run.value(Echo.CHECKSUM_DIFFERENCE),
            subject + ": the checksum of the messages that came back differs from that of the messages sent");
        faultIf(0 != faults, subject + ": " + faults + " messages came back changed or out of order");
        faultIf(permille < MIN_RATE_PERMILLE, subject + ": missed its rate, sent at " + permille + " permille of it");
        series(Chart.LATENCY, subject, run.intervals(Echo.LATENCY));
        if (Echo.ENGINE.equals(subject) && plan.isDurable())
        {
            series(WAITS, "ringWait", run.intervals(LoopMeter.RING_WAIT));
            series(WAITS, "commitWait", run.intervals(LoopMeter.COMMIT_WAIT));
        }
    }

    @Override
    void summarize()
    {
        final boolean isDurable = plan.isDurable();
        for (final int percentile : new int[]{50, 90})
        {
            final Ratios ratio = ratio(Echo.ENGINE, Echo.RAW, percentile);
            note("p" + percentile + ": engine/raw " +
                (isDurable ? ratio : ratio.against(ratio(Echo.NULL, Echo.RAW, percentile))));
        }
        if (isDurable)
        {
            for (final int percentile : PERCENTILES)
            {
                note("p" + percentile + ": " + plan.durability + "/memory " +
                    ratio(Echo.ENGINE, Echo.MEMORY, percentile).against(
                        ratio(Echo.MEMORY_NULL, Echo.MEMORY, percentile)) +
                    "; engine/" + peer() + " " + ratio(Echo.ENGINE, peer(), percentile));
            }
        }
        noteLoop(Echo.ENGINE, isDurable);
        if (isDurable)
        {
            noteLoop(Echo.MEMORY, false);
        }
        noteInWords();
    }

    /** For a reader who sees the table for the first time. */
    private void noteInWords()
    {
        note(String.format(Locale.ROOT, "in words: raw is Aeron alone, engine is a room; with the engine half of the" +
            " messages were back %.1f us after their planned send, and 99 of 100 after %.1f us; with Aeron alone" +
            " after %.1f us and %.1f us", median(Echo.ENGINE, latency(50)), median(Echo.ENGINE, latency(99)),
            median(Echo.RAW, latency(50)), median(Echo.RAW, latency(99))));
    }

    @Override
    void putResult(final Json json)
    {
        json.put("channel", plan.channel).put("rate", plan.rate).put("idle", plan.idle).put("pairs", pairs())
            .put("durability", plan.durability)
            .put("raw", putMedians(new Json(), Echo.RAW)).put("engine", putMedians(new Json(), Echo.ENGINE))
            .put("loop", loopJson(Echo.ENGINE)).put("ratio", ratioJson(Echo.ENGINE, Echo.RAW));
        if (plan.isDurable())
        {
            json.put("memory", putMedians(new Json(), Echo.MEMORY)).put("memoryLoop", loopJson(Echo.MEMORY))
                .put("memoryRatio", ratioJson(Echo.ENGINE, Echo.MEMORY))
                .put("memoryNull", ratioJson(Echo.MEMORY_NULL, Echo.MEMORY))
                .put("peer", putMedians(new Json().put("name", peer()), peer()))
                .put("peerRatio", ratioJson(Echo.ENGINE, peer()));
        }
        else
        {
            json.put("null", ratioJson(Echo.NULL, Echo.RAW));
        }
    }

    private void noteLoop(final String subject, final boolean isDurable)
    {
        final Object[] figures = OF_LOOP.stream().map((figure) -> median(subject, figure::number)).toArray();
        note(subject + ": " + String.format(Locale.ROOT, "in the ring p50 %1$.1f us, p99 %2$.1f us; " +
            (isDurable ? "turns waited for the log p50 %3$.1f us, p99 %4$.1f us; " : "") +
            "%5$.1f messages a turn; allocated by loop, edge and driver: %6$.2f B a turn", figures));
    }

    private Json loopJson(final String subject)
    {
        final Json json = new Json();
        OF_LOOP.forEach((figure) -> json.put(figure.key(), median(subject, figure::number)));
        return json;
    }

    private Json ratioJson(final String subject, final String base)
    {
        final Json json = new Json();
        for (final int percentile : PERCENTILES)
        {
            ratio(subject, base, percentile).putTo(json, "p" + percentile);
        }
        return json;
    }

    private Ratios ratio(final String subject, final String base, final double percentile)
    {
        return ratios(subject, base, latency(percentile));
    }

    private static Figure<Measurements> wait(final String key, final String series, final double percentile)
    {
        return new Figure<>(null, key, 1, (run) -> run.total(series).getValueAtPercentile(percentile) / US_NS);
    }

    private static Figure<Measurements> perTurn(final String key, final String value)
    {
        return new Figure<>(
            null, key, 2, (run) -> (double)run.value(value) / Math.max(1, run.value(LoopMeter.TURNS)));
    }

    private static Figure<Measurements> latency(final String head, final String key, final double percentile)
    {
        return new Figure<>(head, key, 1, latency(percentile)::applyAsDouble);
    }

    private static ToDoubleFunction<Measurements> latency(final double percentile)
    {
        return (run) -> us(run, Echo.LATENCY, percentile);
    }
}
