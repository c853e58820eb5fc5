package io.escapement.perf.tool;

import io.escapement.perf.loopback.Ingress;
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

/** Commands into a room, and messages into bare Aeron. */
@Command(
    name = "ingress",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
        "One-way throughput over UDP on the loopback interface: 64-byte messages into bare Aeron one by one, and",
        "64-byte commands accepted by a room, each in a batch alone and as many as a batch holds. The server counts,",
        "in one thread with its media driver; the client has its own. Fresh processes, runs alternate."})
final class IngressCommand extends PairedCommand<RunPlan>
{
    private static final int THREADS = 2;
    private static final int WARM_UP_MS = 6_000;

    IngressCommand()
    {
        this(IngressCommand::runProcesses);
    }

    IngressCommand(final Function<RunPlan, Measurements> runner)
    {
        super(RunPlan::new, runner, List.of(Ingress.RAW, Ingress.SINGLE, Ingress.BATCHED));
    }

    @Override
    String title()
    {
        return String.format(Locale.ROOT, "64 B one way, solo, busy, udp; %d pairs, each run %d ms after %d ms of" +
            " warm-up", pairs(), measureMs(), warmUpMs());
    }

    @Override
    String refusal()
    {
        return THREADS <= cores() ? null : "server and client spin on a core each, and this host has " + cores();
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
            Ingress.serve(plan, control);
        }
        else
        {
            Ingress.send(plan, control);
        }
    }

    @Override
    List<String> heads()
    {
        return List.of("messages/s");
    }

    @Override
    List<String> cells(final Measurements run)
    {
        return List.of(whole(perSecond(run)));
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
        note("messages per second: single/raw " + ratio(Ingress.SINGLE) + ", batched/raw " + ratio(Ingress.BATCHED));
    }

    @Override
    Json result()
    {
        return new Json().put("bench", "ingress")
            .put("rawPerSec", median(Ingress.RAW, PairedCommand::perSecond))
            .put("singlePerSec", median(Ingress.SINGLE, PairedCommand::perSecond))
            .put("batchedPerSec", median(Ingress.BATCHED, PairedCommand::perSecond))
            .put("ratioSingle", ratio(Ingress.SINGLE).median())
            .put("ratioBatched", ratio(Ingress.BATCHED).median());
    }

    private Ratios ratio(final String subject)
    {
        return ratios(subject, Ingress.RAW, PairedCommand::perSecond);
    }

    private static Measurements runProcesses(final RunPlan plan)
    {
        try (MeasuredProcess server = new MeasuredProcess("ingress", MeasuredProcess.SERVER, plan))
        {
            server.await(Control.READY);
            try (MeasuredProcess client = new MeasuredProcess("ingress", MeasuredProcess.CLIENT, plan))
            {
                // The client keeps its driver alive until it is closed, for retransmissions.
                return client.measurements().addAll(server.measurements());
            }
        }
    }
}
