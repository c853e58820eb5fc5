package io.escapement.perf.tool;

import io.escapement.perf.loopback.Ingress;
import io.escapement.perf.report.Json;
import io.escapement.perf.rig.Control;
import io.escapement.perf.rig.DurablePlan;
import io.escapement.perf.rig.Measurements;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine.Command;

/** Commands into a room, and messages into bare Aeron. */
@Command(
    name = "ingress",
    description = {
        "One-way throughput over UDP on the loopback interface, or shared memory: 64-byte messages into bare Aeron one",
        "by one, and 64-byte commands accepted by a room, each in a batch alone and as many as a batch holds. The",
        "server counts, in one thread with its media driver; the client has its own for UDP. Fresh processes, runs",
        "alternate."})
final class IngressCommand extends ThroughputCommand<DurablePlan>
{
    IngressCommand()
    {
        super(DurablePlan::new, Map.of(MeasuredProcess.SERVER, Ingress::serve, MeasuredProcess.CLIENT, Ingress::send),
            IngressCommand::run, Map.of("--warm-up-ms", "6000"),
            List.of(Ingress.RAW, Ingress.SINGLE, Ingress.BATCHED), FIGURES);
    }

    @Override
    String load()
    {
        return "64 B one way, solo, " + Ingress.IDLE + ", " + plan.channel + ", " + plan.durability;
    }

    @Override
    void checkOptions()
    {
        super.checkOptions();
        checkChannel(plan.channel);
        check(List.of(DurablePlan.MEMORY, DurablePlan.RECORDED, DurablePlan.SYNCED).contains(plan.durability),
            "--durability", plan.durability);
    }

    @Override
    void putResult(final Json json)
    {
        super.putResult(json.put("channel", plan.channel).put("idle", Ingress.IDLE)
            .put("durability", plan.durability));
    }

    private static List<Measurements> run(final DurablePlan plan, final Consumer<String> progress)
    {
        try (MeasuredProcess server = new MeasuredProcess("ingress", MeasuredProcess.SERVER, plan))
        {
            server.await(Control.READY);
            try (MeasuredProcess client = new MeasuredProcess("ingress", MeasuredProcess.CLIENT, plan))
            {
                MeasuredProcess.warmUp(plan, server, client);
                server.begin();
                final Bystanders bystanders = new Bystanders();
                client.send(Control.GO);
                // The client keeps its driver alive until it is closed, for retransmissions.
                return List.of(client.measurements().addAll(server.measurements()).addAll(bystanders.stop()));
            }
        }
    }
}
