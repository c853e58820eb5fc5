package io.escapement.perf.tool;

import io.escapement.perf.loop.RingBenchmark;
import io.escapement.perf.rig.MessageCounter;
import io.escapement.perf.rig.RunPlan;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;

/** A loop's ring that ends in a room, and a bare Disruptor ring. */
@Command(
    name = "ring",
    description = {
        "64-byte messages per second between two threads: a loop's ring, validated and passed to a room's onMessage,",
        "against a bare Disruptor ring with 64 B copied in and out. Runs RingBenchmark by JMH. Fresh processes, runs",
        "alternate."})
final class RingCommand extends ThroughputCommand<RunPlan>
{
    RingCommand()
    {
        super(RunPlan::new, Map.of(MeasuredProcess.WORKER, RingBenchmark::measure),
            (plan, progress) -> MeasuredProcess.runWorker("ring", plan, 0, progress), Map.of(),
            List.of(RingBenchmark.DISRUPTOR, RingBenchmark.ENGINE), List.of(FIGURES.get(0), FIGURES.get(1),
                new Figure<>("a batch", null, 1, (run) ->
                    (double)run.value(MessageCounter.RECEIVED) / run.value(RingBenchmark.BATCHES))));
    }

    @Override
    String load()
    {
        return "64 B, one producer, one consumer";
    }
}
