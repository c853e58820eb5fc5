package io.escapement.perf.tool;

import io.escapement.perf.report.Ratios;
import io.escapement.perf.report.Table;
import io.escapement.perf.rig.Measurements;
import io.escapement.perf.rig.MessageCounter;
import io.escapement.perf.rig.RunPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Option;

/**
 * A command that compares: pairs of runs in fresh processes, in alternating order (A B, B A, ...), so that drift of the
 * host affects both sides alike.
 */
abstract class PairedCommand<P extends RunPlan> extends MeasureCommand<P>
{
    private static final int ENOUGH_PAIRS = 5;
    private static final double SECOND_NS = 1e9;

    @Option(names = "--pairs", defaultValue = "5", description = {
        "pairs of runs (default: ${DEFAULT-VALUE});", "fewer serve to try the command and nothing else"})
    private int pairs;

    private final Supplier<P> newPlan;
    private final Function<P, Measurements> runner;
    private final Map<String, List<Measurements>> runsBySubjectMap = new LinkedHashMap<>();

    /** The first subject is the one that the others are divided by, unless a command does otherwise. */
    PairedCommand(
        final Supplier<P> newPlan, final Function<P, Measurements> runner, final List<String> subjects)
    {
        super(newPlan.get());
        this.newPlan = newPlan;
        this.runner = runner;
        subjects.forEach((subject) -> runsBySubjectMap.put(subject, new ArrayList<>()));
    }

    @Override
    final void checkOptions()
    {
        check(pairs > 0, "--pairs", pairs);
        checkOwnOptions();
    }

    @Override
    final String reservation()
    {
        return pairs >= ENOUGH_PAIRS ? null :
            "only " + pairs + " of the " + ENOUGH_PAIRS + " pairs that a comparison needs";
    }

    @Override
    final void measure()
    {
        final List<String> heads = new ArrayList<>(List.of("pair", "what          "));
        heads.addAll(heads());
        final Table table = table(heads.toArray(new String[0]));
        final List<String> subjects = List.copyOf(runsBySubjectMap.keySet());
        for (int pair = 0; pair < pairs; pair++)
        {
            for (int i = 0; i < subjects.size(); i++)
            {
                final String subject = subjects.get(0 == pair % 2 ? i : subjects.size() - 1 - i);
                progress("pair " + (pair + 1) + " of " + pairs + ": " + subject);
                final int faultsBefore = faults();
                final Measurements run =
                    runner.apply(plan.forRun(newPlan.get(), subject, warmUpMs(), measureMs()));
                onRun(subject, run);
                runsBySubjectMap.get(subject).add(run);
                final List<String> cells = new ArrayList<>(List.of(Integer.toString(pair + 1), subject));
                cells.addAll(cells(run));
                table.row(faults() != faultsBefore, cells.toArray(new String[0]));
            }
        }
        summarize();
    }

    void checkOwnOptions()
    {
        // None by default.
    }

    /** Heads of the columns of a run's figures. */
    abstract List<String> heads();

    /** The figures of a run. */
    abstract List<String> cells(Measurements run);

    /** Check a run for faults, and add its series to the report. */
    abstract void onRun(String subject, Measurements run);

    /** Notes below the table. */
    abstract void summarize();

    final int pairs()
    {
        return pairs;
    }

    /** Measured time of one run. */
    final int measureMs()
    {
        return shareMs(runsBySubjectMap.size() * pairs);
    }

    final List<Double> values(final String subject, final ToDoubleFunction<Measurements> figure)
    {
        return runsBySubjectMap.get(subject).stream().mapToDouble(figure).boxed().toList();
    }

    final double median(final String subject, final ToDoubleFunction<Measurements> figure)
    {
        return Ratios.median(values(subject, figure));
    }

    /** The ratio of each pair's two runs. */
    final Ratios ratios(final String subject, final String base, final ToDoubleFunction<Measurements> figure)
    {
        return Ratios.of(values(subject, figure), values(base, figure));
    }

    /** Check that exactly the messages sent were received. */
    final void checkDelivery(final String subject, final Measurements run)
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
        if (run.value(MessageCounter.TOOK_NS) <= 0)
        {
            fault(subject + ": too short to measure");
        }
    }

    /** Messages per second in the measured part. */
    static double perSecond(final Measurements run)
    {
        return run.value(MessageCounter.COUNTED) * SECOND_NS / run.value(MessageCounter.TOOK_NS);
    }

    static double us(final Measurements run, final String series, final double percentile)
    {
        return run.total(series).getValueAtPercentile(percentile) / 1e3;
    }
}
