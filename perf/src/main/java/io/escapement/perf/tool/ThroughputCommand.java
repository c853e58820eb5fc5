package io.escapement.perf.tool;

import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Ratios;
import io.escapement.perf.rig.Control;
import io.escapement.perf.rig.Measurements;
import io.escapement.perf.rig.MessageCounter;
import io.escapement.perf.rig.RunPlan;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** A command that compares messages per second: two threads that spin, and a checksum over all messages. */
abstract class ThroughputCommand<P extends RunPlan> extends PairedCommand<P>
{
    private static final int THREADS = 2;
    private static final double SECOND_NS = 1e9;
    static final List<Figure<Measurements>> FIGURES = List.of(
        new Figure<>("messages/s", null, 0, ThroughputCommand::perSecond),
        new Figure<>("ns a message", null, 1, (run) -> SECOND_NS / perSecond(run)));

    ThroughputCommand(
        final Supplier<P> newPlan,
        final Map<String, BiConsumer<P, Control>> roles,
        final Runner<P> runner,
        final Map<String, String> defaults,
        final List<String> subjects,
        final List<Figure<Measurements>> figures)
    {
        super(newPlan, roles, runner, defaults, subjects, figures);
    }

    @Override
    final String refusal()
    {
        return THREADS <= cores() ? null :
            "sender and receiver spin on a core each, and this host has " + cores();
    }

    /** Exactly the messages sent must have been received. */
    @Override
    final void onRun(final String subject, final Measurements run)
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
    final void summarize()
    {
        note("messages per second: " + others().stream()
            .map((subject) -> subject + "/" + subjects().get(0) + " " + ratio(subject))
            .collect(Collectors.joining(", ")));
    }

    @Override
    void putResult(final Json json)
    {
        subjects().forEach((subject) -> json.put(subject + "PerSec", median(subject, ThroughputCommand::perSecond)));
        for (final String subject : others())
        {
            final String name = Character.toUpperCase(subject.charAt(0)) + subject.substring(1);
            json.put("ratio" + (1 == others().size() ? "" : name), ratio(subject).median());
        }
    }

    private List<String> others()
    {
        return subjects().subList(1, subjects().size());
    }

    private Ratios ratio(final String subject)
    {
        return ratios(subject, subjects().get(0), ThroughputCommand::perSecond);
    }

    private static double perSecond(final Measurements run)
    {
        return run.value(MessageCounter.COUNTED) * SECOND_NS / run.value(MessageCounter.TOOK_NS);
    }
}
