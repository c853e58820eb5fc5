package io.escapement.perf.tool;

import io.escapement.perf.loop.RingBenchmark;
import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Ratios;
import io.escapement.perf.rig.Measurements;
import io.escapement.perf.rig.MessageCounter;
import io.escapement.perf.rig.RunPlan;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** A loop's ring with a room as its consumer, and a bare Disruptor ring. */
@Command(
    name = "ring",
    description =
        "64-byte messages per second between two threads: through a loop's ring, validated and passed to a room's " +
        "onMessage, compared with a bare Disruptor ring with 64 B copied in and out. Runs RingBenchmark by JMH. Each " +
        "run has fresh processes, and runs alternate.",
    footer = {"", "Examples:",
        "  perf ring",
        "  perf ring --pairs 10 --seconds 60 --json"})
final class RingCommand extends PairedCommand<RunPlan>
{
    private static final int THREADS = 2;
    private static final int ITERATIONS = 10;
    private static final double SECOND_NS = 1e9;
    private static final String BLOCK = "block";
    private static final List<Figure<Measurements>> FIGURES = List.of(
        new Figure<>("messages/s", null, 0, RingCommand::perSecond),
        new Figure<>("ns a message", null, 1, (run) -> SECOND_NS / perSecond(run)),
        new Figure<>("a batch", null, 1, (run) ->
            (double)run.value(BLOCK + ".messages") / run.value(BLOCK + ".batches")));

    RingCommand()
    {
        super(RunPlan::new, Map.of(), (plan, progress) -> List.of(JmhRun.of(RingBenchmark.class, 1, plan, ITERATIONS,
            Map.of("subject", plan.subject), (iteration) ->
                MessageCounter.BLOCK * SECOND_NS / iteration.getPrimaryResult().getScore())),
            Map.of(), List.of(RingBenchmark.DISRUPTOR, RingBenchmark.ENGINE), FIGURES);
    }

    @Override
    String load()
    {
        return "64 B, one producer, one consumer";
    }

    @Override
    String refusal()
    {
        return THREADS <= cores() ? null : "sender and receiver spin on a core each, and this host has " + cores();
    }

    @Override
    void onRun(final String subject, final Measurements run)
    {
        series(Chart.BLOCKS, subject, run.intervals(BLOCK));
    }

    @Override
    void summarize()
    {
        note("messages per second: " + RingBenchmark.ENGINE + "/" + RingBenchmark.DISRUPTOR + " " + ratio());
    }

    @Override
    void putResult(final Json json)
    {
        subjects().forEach((subject) -> json.put(subject + "PerSec", median(subject, RingCommand::perSecond)));
        ratio().putTo(json, "ratio");
    }

    private Ratios ratio()
    {
        return ratios(RingBenchmark.ENGINE, RingBenchmark.DISRUPTOR, RingCommand::perSecond);
    }

    private static double perSecond(final Measurements run)
    {
        return run.value(BLOCK + JmhRun.SCORE);
    }
}
