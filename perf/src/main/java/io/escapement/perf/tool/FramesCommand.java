package io.escapement.perf.tool;

import io.escapement.perf.loop.FramesPlan;
import io.escapement.perf.loop.GameLoopFrames;
import io.escapement.perf.loop.LoopFrames;
import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Json;
import io.escapement.perf.rig.Control;
import io.escapement.perf.rig.Measurements;
import io.escapement.rooms.host.HostContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import picocli.CommandLine.Command;

/** Frames of rooms on a loop, and of actions on a game loop thread. */
@Command(
    name = "frames",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
        "Frames of many rooms on one live loop: how late they are and what a room's frame costs, against a game loop",
        "thread (a lock, two growing arrays, sleep after work). Lateness counts from the deadlines of the rate,",
        "including those that were missed. Fresh processes, runs alternate."})
final class FramesCommand extends PairedCommand<FramesPlan>
{
    /** Most of it at the highest rate: code that runs once a frame is not compiled after seconds at 60 Hz. */
    private static final int WARM_UP_MS = 8_000;
    private static final double MIN_SHARE = 0.99;
    private static final double PPB_PER_PPM = 1_000;
    private static final long SECOND_US = 1_000_000;
    private static final Chart LATENESS = new Chart("lateness from the deadline", "us", 1_000);
    private static final Chart COST = new Chart("cost of a room-frame", "ns", 1);

    FramesCommand()
    {
        this((plan) -> MeasuredProcess.runWorker("frames", plan, 0, MeasuredProcess.HEAP_MB, (line) -> { }));
    }

    FramesCommand(final Function<FramesPlan, Measurements> runner)
    {
        super(FramesPlan::new, runner, List.of(FramesPlan.ENGINE, FramesPlan.GAME_LOOP_THREAD));
    }

    @Override
    String title()
    {
        return String.format(Locale.ROOT,
            "%d rooms in %d phase groups at %d Hz, %d us of work each, %s; %d pairs, each run %d ms after %d ms of" +
            " warm-up", plan.rooms, plan.phases, plan.hz, plan.workUs, plan.idle, pairs(),
            measureMs(), warmUpMs());
    }

    @Override
    void checkOwnOptions()
    {
        checkRange("--rooms", plan.rooms, 1, 100_000);
        checkRange("--phases", plan.phases, 1, HostContext.MAX_PHASE_GROUPS);
        checkRange("--hz", plan.hz, 1, 1_000);
        check(plan.workUs >= 0, "--work", plan.workUs);
        check(IDLE_STRATEGIES.contains(plan.idle), "--idle", plan.idle);
    }

    @Override
    String refusal()
    {
        final long busyUs = (long)plan.rooms * plan.workUs * plan.hz;
        return busyUs < SECOND_US ? null : String.format(Locale.ROOT,
            "%d rooms with %d us of work at %d Hz need %.1f s per second of one thread: reduce one of them",
            plan.rooms, plan.workUs, plan.hz, (double)busyUs / SECOND_US);
    }

    @Override
    int defaultWarmUpMs()
    {
        return WARM_UP_MS;
    }

    @Override
    void runRole(final Control control)
    {
        control.send(FramesPlan.ENGINE.equals(plan.subject) ?
            new LoopFrames(plan).measure() : new GameLoopFrames(plan).measure(), plan.results);
    }

    @Override
    List<String> heads()
    {
        return List.of("cost ns", "late p50 us", "p99 us", "p99.9 us", "drift ppm", "missed", "compiled ms");
    }

    @Override
    List<String> cells(final Measurements run)
    {
        return List.of(number(costNs(run)), number(us(run, FramesPlan.LATENESS, 50)),
            number(us(run, FramesPlan.LATENESS, 99)), number(us(run, FramesPlan.LATENESS, 99.9)),
            number(driftPpm(run)), Long.toString(run.value(FramesPlan.MISSED)),
            Long.toString(run.value(FramesPlan.COMPILED_MS)));
    }

    @Override
    void onRun(final String subject, final Measurements run)
    {
        final long due = run.value(FramesPlan.DUE);
        final long missed = run.value(FramesPlan.MISSED);
        if (0 != run.value(FramesPlan.CHECKSUM_DIFFERENCE))
        {
            fault(subject + ": rooms counted " + run.value(FramesPlan.CHECKSUM_DIFFERENCE) +
                " frames more than were recorded");
        }
        // The game loop thread promises no rate, so its missed frames are a result.
        if (FramesPlan.ENGINE.equals(subject) && (0 == due || due - missed < MIN_SHARE * due))
        {
            fault(subject + ": missed its rate, " + missed + " of " + due + " room-frames never ran");
        }
        series(LATENESS, subject, run.intervals(FramesPlan.LATENESS));
        series(COST, subject + " cost", run.intervals(FramesPlan.COST));
    }

    @Override
    void summarize()
    {
        final String ratio = FramesPlan.ENGINE + "/" + FramesPlan.GAME_LOOP_THREAD + " ";
        note("cost: " + ratio + ratios(FramesPlan.ENGINE, FramesPlan.GAME_LOOP_THREAD, FramesCommand::costNs));
        note("lateness p99: " + ratio + ratios(FramesPlan.ENGINE, FramesPlan.GAME_LOOP_THREAD,
            (run) -> us(run, FramesPlan.LATENESS, 99)));
        note("figures are medians of the runs, missed room-frames their sum; cost is the median over frames");
        note("the period of a game loop thread is not that of the rate, so it drifts through the deadlines, and its" +
            " lateness spreads over the whole period");
    }

    @Override
    Json result()
    {
        final List<Json> rows = new ArrayList<>();
        for (final String subject : List.of(FramesPlan.ENGINE, FramesPlan.GAME_LOOP_THREAD))
        {
            rows.add(new Json()
                .put("name", subject)
                .put("costNs", median(subject, FramesCommand::costNs))
                .put("latenessP50Us", median(subject, (run) -> us(run, FramesPlan.LATENESS, 50)))
                .put("latenessP99Us", median(subject, (run) -> us(run, FramesPlan.LATENESS, 99)))
                .put("latenessP999Us", median(subject, (run) -> us(run, FramesPlan.LATENESS, 99.9)))
                .put("periodDriftPpm", median(subject, FramesCommand::driftPpm))
                .put("missed", (long)values(subject, (run) -> run.value(FramesPlan.MISSED)).stream()
                    .mapToDouble(Double::doubleValue).sum()));
        }
        return new Json().put("bench", "frames").put("rooms", plan.rooms).put("hz", plan.hz).put("rows", rows);
    }

    /** The median, because a frame that was preempted is no measure of its cost. */
    private static double costNs(final Measurements run)
    {
        return run.total(FramesPlan.COST).getValueAtPercentile(50);
    }

    private static double driftPpm(final Measurements run)
    {
        return run.value(FramesPlan.DRIFT_PPB) / PPB_PER_PPM;
    }
}
