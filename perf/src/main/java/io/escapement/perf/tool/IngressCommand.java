package io.escapement.perf.tool;

import io.escapement.perf.loopback.Ingress;
import io.escapement.perf.loopback.IngressPlan;
import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Ratios;
import io.escapement.perf.rig.Control;
import io.escapement.perf.rig.DurablePlan;
import io.escapement.perf.rig.Measurements;
import io.escapement.perf.rig.MessageCounter;
import io.escapement.server.Game;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import picocli.CommandLine.Command;

/** Commands into a room, and messages into bare Aeron. */
@Command(
    name = "ingress",
    description =
        "One-way throughput over UDP on the loopback interface, or over shared memory. Bare Aeron receives 64-byte " +
        "messages. A room accepts 64-byte commands, one per batch and as many as a batch holds. The server counts, " +
        "in one thread with its media driver. For UDP the client has its own driver. Each run has fresh processes, " +
        "and runs alternate.",
    footer = {"", "Examples:",
        "  perf ingress",
        "  perf ingress --channel ipc --pairs 10 --seconds 60"})
final class IngressCommand extends PairedCommand<IngressPlan>
{
    private static final int THREADS = 2;
    private static final double SECOND_NS = 1e9;
    private static final List<Figure<Measurements>> FIGURES = List.of(
        new Figure<>("messages/s", null, 0, IngressCommand::perSecond),
        new Figure<>("ns a message", null, 1, (run) -> SECOND_NS / perSecond(run)));

    IngressCommand()
    {
        super(IngressPlan::new, Map.of(MeasuredProcess.SERVER, Ingress::serve, MeasuredProcess.CLIENT, Ingress::send),
            IngressCommand::run, Map.of("--warm-up-ms", "6000"),
            List.of(Ingress.RAW, Ingress.SINGLE, Ingress.BATCHED), FIGURES);
    }

    @Override
    Game game()
    {
        return Ingress.game(plan);
    }

    @Override
    String load()
    {
        return "64 B one way, solo, " + Ingress.IDLE + ", " + plan.channel + ", " + plan.durability;
    }

    @Override
    void checkOptions()
    {
        checkChannel(plan.channel);
        check(List.of(DurablePlan.MEMORY, DurablePlan.RECORDED, DurablePlan.SYNCED).contains(plan.durability),
            "--durability", plan.durability);
    }

    @Override
    String refusal()
    {
        return THREADS <= cores() ? null : "sender and receiver spin on a core each, and this host has " + cores();
    }

    /** Exactly the messages sent must have been received. */
    @Override
    void onRun(final String subject, final Measurements run)
    {
        final long sent = run.value(MessageCounter.SENT);
        final long received = run.value(MessageCounter.RECEIVED);
        if (sent != received)
        {
            fault(subject + ": " + (sent - received) + " of " + sent + " messages were lost");
        }
        else if (run.value(MessageCounter.SENT_SUM) != run.value(MessageCounter.RECEIVED_SUM))
        {
            fault(subject + ": the checksum of the messages received differs from that of the messages sent");
        }
        faultIf(run.value(MessageCounter.TOOK_NS) <= 0, subject + ": too short to measure");
        series(Chart.BLOCKS, subject, run.intervals(MessageCounter.BLOCKS));
    }

    @Override
    void summarize()
    {
        note("messages per second: single/raw " + ratio(Ingress.SINGLE) + ", batched/raw " + ratio(Ingress.BATCHED));
    }

    @Override
    void putResult(final Json json)
    {
        json.put("channel", plan.channel).put("idle", Ingress.IDLE).put("durability", plan.durability);
        subjects().forEach((subject) -> json.put(subject + "PerSec", median(subject, IngressCommand::perSecond)));
        ratio(Ingress.SINGLE).putTo(json, "ratioSingle");
        ratio(Ingress.BATCHED).putTo(json, "ratioBatched");
    }

    private Ratios ratio(final String subject)
    {
        return ratios(subject, Ingress.RAW, IngressCommand::perSecond);
    }

    private static double perSecond(final Measurements run)
    {
        return run.value(MessageCounter.COUNTED) * SECOND_NS / run.value(MessageCounter.TOOK_NS);
    }

    private static List<Measurements> run(final IngressPlan plan, final Consumer<String> progress)
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
