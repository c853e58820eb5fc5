package io.escapement.perf.tool;

import io.escapement.perf.loop.RingBenchmark;
import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Ratios;
import io.escapement.perf.rig.Control;
import io.escapement.perf.rig.Measurements;
import io.escapement.perf.rig.MessageCounter;
import io.escapement.perf.rig.RunPlan;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import picocli.CommandLine.Command;

/** A loop's ring that ends in a room, and a bare Disruptor ring. */
@Command(
    name = "ring",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
        "64-byte messages per second between two threads: a loop's ring, validated and passed to a room's onMessage,",
        "against a bare Disruptor ring with 64 B copied in and out. Runs RingBenchmark by JMH. Fresh processes, runs",
        "alternate."})
final class RingCommand extends PairedCommand<RunPlan>
{
    private static final int THREADS = 2;
    private static final double SECOND_NS = 1e9;

    RingCommand()
    {
        this((plan) -> MeasuredProcess.runWorker("ring", plan, 0, MeasuredProcess.HEAP_MB, (line) -> { }));
    }

    RingCommand(final Function<RunPlan, Measurements> runner)
    {
        super(RunPlan::new, runner, List.of(RingBenchmark.DISRUPTOR, RingBenchmark.ENGINE));
    }

    @Override
    String title()
    {
        return String.format(Locale.ROOT, "64 B, one producer, one consumer; %d pairs, each run %d ms after %d ms of" +
            " warm-up", pairs(), measureMs(), warmUpMs());
    }

    @Override
    String refusal()
    {
        return THREADS <= cores() ? null :
            "the producer and the consumer spin on a core each, and this host has " + cores();
    }

    @Override
    void runRole(final Control control)
    {
        RingBenchmark.measure(plan, control);
    }

    @Override
    List<String> heads()
    {
        return List.of("messages/s", "ns a message");
    }

    @Override
    List<String> cells(final Measurements run)
    {
        return List.of(whole(perSecond(run)), number(SECOND_NS / perSecond(run)));
    }

    @Override
    void onRun(final String subject, final Measurements run)
    {
        checkDelivery(subject, run);
        series(Chart.BLOCKS, subject, run.intervals(MessageCounter.BLOCKS));
    }

    @Override
    void summarize()
    {
        note("messages per second: engine/raw " + ratio());
    }

    @Override
    Json result()
    {
        return new Json().put("bench", "ring")
            .put("rawPerSec", median(RingBenchmark.DISRUPTOR, PairedCommand::perSecond))
            .put("enginePerSec", median(RingBenchmark.ENGINE, PairedCommand::perSecond))
            .put("ratio", ratio().median());
    }

    private Ratios ratio()
    {
        return ratios(RingBenchmark.ENGINE, RingBenchmark.DISRUPTOR, PairedCommand::perSecond);
    }
}
