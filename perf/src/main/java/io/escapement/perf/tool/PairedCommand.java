package io.escapement.perf.tool;

import io.escapement.perf.report.Json;
import io.escapement.perf.report.Ratios;
import io.escapement.perf.report.Table;
import io.escapement.perf.rig.Control;
import io.escapement.perf.rig.Measurements;
import io.escapement.perf.rig.Percentiles;
import io.escapement.perf.rig.RunPlan;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/**
 * A command that compares: pairs of runs in fresh processes, in alternating order (A B, B A, ...), so that drift of the
 * host affects both sides equally.
 */
abstract class PairedCommand<P extends RunPlan> extends MeasureCommand<P>
{
    private static final int ENOUGH_PAIRS = 5;

    private final Supplier<P> newPlan;
    private final List<Figure<Measurements>> figures;
    private final List<String> subjects;
    private final Sides<Measurements> runs =
        new Sides<>((run) -> !ProcessUse.isLoadBound(run), MeasureCommand::isResult);

    /** The other subjects are divided by the first, unless a command does otherwise. */
    PairedCommand(
        final Supplier<P> newPlan,
        final Map<String, BiConsumer<P, Control>> roles,
        final Runner<P> runner,
        final Map<String, String> defaults,
        final List<String> subjects,
        final List<Figure<Measurements>> figures)
    {
        super(newPlan.get(), roles, runner, defaults);
        this.newPlan = newPlan;
        this.figures = figures;
        this.subjects = subjects;
    }

    /** The load of all runs in words. */
    abstract String load();

    /** Check a run for faults, and add its series to the report. */
    abstract void onRun(String subject, Measurements run);

    /** Notes below the table. */
    abstract void summarize();

    @Override
    final String title()
    {
        return String.format(Locale.ROOT,
            "%s; %d pairs, each run %d ms after at least %d ms of warm-up", load(), pairs(), measureMs(),
            plan.warmUpMs);
    }

    @Override
    void checkOptions()
    {
        // Most have only the common options.
    }

    @Override
    final String reservation()
    {
        return pairs() >= ENOUGH_PAIRS ? null :
            "only " + pairs() + " of the " + ENOUGH_PAIRS + " pairs that a comparison needs";
    }

    @Override
    final void measure()
    {
        final Table table = table(Figure.heads(figures, "pair", "what          "));
        runs.run(pairs(), subjects(), (pair, subject) -> run(table, pair, subject));
        summarize();
    }

    private Measurements run(final Table table, final int pair, final String subject)
    {
        progress("pair " + pair + " of " + pairs() + ": " + subject);
        final String number = Integer.toString(pair);
        final List<Measurements> parts = attempt("pair " + pair + " " + subject, () -> runner.apply(
            plan.forRun(newPlan.get(), subject, plan.warmUpMs, measureMs()), this::progress),
            () -> row(table, Figure.cells(figures, null, number, subject)));
        if (null == parts)
        {
            return null;
        }
        final Measurements run = parts.get(0);
        onRun(subject, run);
        row(table, Figure.cells(figures, run, number, subject));
        return run;
    }

    /** All that is run, in the order of the first pair. */
    List<String> subjects()
    {
        return subjects;
    }

    /** The runs of a subject. */
    final List<Measurements> runs(final String subject)
    {
        return runs.of(subject);
    }

    /** Of the runs of a subject that are not load-bound. */
    final double median(final String subject, final ToDoubleFunction<Measurements> figure)
    {
        return runs.median(subject, figure);
    }

    /** Put the median of each figure. */
    final Json putMedians(final Json json, final String subject)
    {
        return runs.putMedians(json, figures, subject);
    }

    /** The ratio of each pair's two runs, if both are results. */
    final Ratios ratios(final String subject, final String base, final ToDoubleFunction<Measurements> figure)
    {
        return runs.ratios(subject, base, figure);
    }

    static double us(final Measurements run, final String series, final double percentile)
    {
        return Percentiles.at(run.total(series), percentile) / 1e3;
    }

    /** Measured time of one run. */
    private int measureMs()
    {
        return shareMs(subjects().size() * pairs());
    }
}
