package io.escapement.perf.tool;

import io.escapement.perf.crowd.ReplayPlan;
import io.escapement.perf.crowd.ReplayRun;
import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Ratios;
import io.escapement.perf.report.Table;
import io.escapement.perf.rig.Measurements;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;

/** How fast the journal of rooms full of players is replayed. */
@Command(
    name = "replay",
    description =
        "Replay of a journal with rooms full of players, as at a start after a kill: read, verify, run without " +
        "output, and compare the hashes. One loop per core is replayed at a time. The result is a multiple of real " +
        "time, for the first replay of a process, as at a start, and for the median of the later replays. Each run " +
        "has a fresh process, which first writes its log.",
    footer = {"", "Examples:",
        "  perf replay",
        "  perf replay --loops 2 --log-seconds 60 --journal /var/tmp"})
final class ReplaySpeedCommand extends MeasureCommand<ReplayPlan>
{
    private static final double SECOND_NS = 1e9;
    private static final double MEGA = 1e6;
    private static final Chart REPLAYS = new Chart("duration of a replay", "ms", MEGA);
    private static final List<Figure<Measurements>> FIGURES = List.of(
        new Figure<>("x real time", "realTime", 1, ReplaySpeedCommand::realTime),
        new Figure<>("first", "firstRealTime", 1, (run) ->
            (double)run.value(ReplayPlan.LOG_NS) / run.value(ReplayPlan.FIRST_NS)),
        new Figure<>("commands/s", "commandsPerSec", 0, (run) -> perSecond(run, ReplayPlan.COMMANDS)),
        new Figure<>("MB/s", null, 0, (run) -> perSecond(run, ReplayPlan.LOG_BYTES) / MEGA),
        new Figure<>("replays", null, 0, (run) -> run.total(ReplayPlan.REPLAYS).getTotalCount()));

    private final List<Measurements> measured = new ArrayList<>();

    ReplaySpeedCommand()
    {
        super(new ReplayPlan(), Map.of(MeasuredProcess.WORKER, ReplayRun::run), (plan, progress) ->
            MeasuredProcess.runWorker("replay", plan, 2L * plan.logSeconds, progress),
            Map.of("--seconds", "12", "--warm-up-ms", "4000", "--pairs", "3"));
    }

    @Override
    String title()
    {
        return String.format(Locale.ROOT, "a log of %d s: %,d players in %,d rooms of %d loops, %d Hz, %d trunks," +
            " %d moves a second each, states of %d B, %d turns a second; %d runs, each %d ms after at least %d ms" +
            " of warm-up",
            plan.logSeconds, plan.players(), plan.rooms, plan.loops, plan.hz, plan.trunks, plan.sends, plan.state,
            plan.turns, pairs(), shareMs(pairs()), plan.warmUpMs);
    }

    @Override
    void checkOptions()
    {
        checkRange("--rooms", plan.rooms, 1, 16_384);
        checkRange("--loops", plan.loops, 1, 64);
        checkRange("--seats", plan.seats, 1, 1_024);
        checkRange("--hz", plan.hz, 1, 1_000);
        checkRange("--trunks", plan.trunks, 1, 1_024);
        checkRange("--sends", plan.sends, 1, 1_000);
        checkRange("--state", plan.state, plan.minState(), 1_024);
        checkRange("--turns", plan.turns, 1, 100_000);
        checkRange("--log-seconds", plan.logSeconds, 1, 600);
        check(Files.isDirectory(plan.journal), "--journal", plan.journal);
    }

    @Override
    void measure()
    {
        final Table table = table(Figure.heads(FIGURES, "run"));
        boolean isGood = true;
        for (int number = 1; isGood && number <= pairs(); number++)
        {
            isGood = run(table, Integer.toString(number));
        }
    }

    private boolean run(final Table table, final String number)
    {
        final List<Measurements> parts = attempt("run " + number, () -> runner.apply(
            plan.forRun(new ReplayPlan(), "replay", plan.warmUpMs, shareMs(pairs())), this::progress),
            () -> row(table, Figure.cells(FIGURES, null, number)));
        if (null == parts)
        {
            return false;
        }
        final Measurements found = parts.get(0);
        measured.add(found);
        faultIf(0 != found.value(ReplayPlan.DIFFERENT),
            found.value(ReplayPlan.DIFFERENT) + " replays ended in another state than the log");
        series(REPLAYS, "replay", found.intervals(ReplayPlan.REPLAYS));
        row(table, Figure.cells(FIGURES, found, number));
        return true;
    }

    @Override
    void putResult(final Json json)
    {
        json.put("players", plan.players()).put("loops", plan.loops).put("hz", plan.hz)
            .put("logSeconds", plan.logSeconds).put("runs", pairs());
        FIGURES.stream().filter((figure) -> null != figure.key())
            .forEach((figure) -> json.put(figure.key(), median(figure::number)));
    }

    private double median(final ToDoubleFunction<Measurements> figure)
    {
        return Ratios.median(measured.stream().mapToDouble(figure).boxed().toList());
    }

    private static double medianNs(final Measurements run)
    {
        return run.total(ReplayPlan.REPLAYS).getValueAtPercentile(50);
    }

    private static double realTime(final Measurements run)
    {
        return run.value(ReplayPlan.LOG_NS) / medianNs(run);
    }

    private static double perSecond(final Measurements run, final String name)
    {
        return run.value(name) * SECOND_NS / medianNs(run);
    }
}
