package io.escapement.perf.tool;

import io.escapement.perf.loop.FramesPlan;
import io.escapement.perf.loop.FramesUnderTest;
import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Ratios;
import io.escapement.perf.rig.Measurements;
import io.escapement.perf.rig.Percentiles;
import io.escapement.rooms.host.HostContext;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;

/** Frames of rooms on a loop, and of actions on a game loop thread. */
@Command(
    name = "frames",
    description =
        "Frames of many rooms on one live loop: how late they are, and the cost of a room's frame. The peer is a " +
        "game loop thread (a lock, two growing arrays, sleep after work), whose actions own no memory or 1,500 bytes " +
        "each. Lateness counts from the deadlines of the rate, including missed deadlines, once for all rooms that " +
        "run together. Each run has fresh processes. Runs alternate, and the engine runs twice per pair: the second " +
        "run is the null.",
    footer = {"", "Examples:",
        "  perf frames --rooms 512",
        "  perf frames --rooms 64 --hz 30 --work 100 --idle busy"})
final class FramesCommand extends PairedCommand<FramesPlan>
{
    private static final double MIN_SHARE = 0.99;
    private static final double PPB_PER_PPM = 1_000;
    private static final double US_NS = 1e3;
    private static final long SECOND_US = 1_000_000;
    private static final Chart LATENESS = new Chart("lateness from the deadline", "us", 1_000);
    private static final Chart COST = new Chart("cost of a room-frame", "ns", 1);
    private static final List<Figure<Measurements>> FIGURES = List.of(
        new Figure<>("cost ns", "costNs", 1, FramesCommand::costNs),
        new Figure<>("late p50 us", "latenessP50Us", 1, (run) -> latenessUs(run, 50)),
        new Figure<>("p99 us", "latenessP99Us", 1, (run) -> latenessUs(run, 99)),
        new Figure<>("p99.9 us", "latenessP999Us", 1, (run) -> latenessUs(run, 99.9)),
        new Figure<>("max us", "latenessMaxUs", 1, (run) -> latenessUs(run, 100)),
        new Figure<>("drift ppm", "periodDriftPpm", 1, (run) -> run.value(FramesPlan.DRIFT_PPB) / PPB_PER_PPM),
        new Figure<>("missed", null, 0, (run) -> run.value(FramesPlan.MISSED)),
        new Figure<>("compiled ms", null, 0, ProcessUse::compiledMs));
    private static final List<String> PEERS = List.of(FramesPlan.GAME_LOOP_THREAD, FramesPlan.GAME_LOOP_THREAD_1500);
    /** The null is the furthest from the engine, so that its range includes the drift of the host. */
    private static final List<String> SUBJECTS = List.of(
        FramesPlan.ENGINE, FramesPlan.GAME_LOOP_THREAD, FramesPlan.GAME_LOOP_THREAD_1500, FramesPlan.NULL);
    private static final ToDoubleFunction<Measurements> P99 = (run) -> latenessUs(run, 99);

    /** Most of the warm-up is at the highest rate: code that runs once a frame is not compiled in seconds at 60 Hz. */
    FramesCommand()
    {
        super(FramesPlan::new, Map.of(MeasuredProcess.WORKER, (plan, control) ->
            control.send(FramesUnderTest.measure(plan, control.meter()), plan.results)),
            (plan, progress) -> MeasuredProcess.runWorker("frames", plan, 0, progress),
            Map.of("--seconds", "60", "--warm-up-ms", "8000"), SUBJECTS, FIGURES);
    }

    @Override
    String load()
    {
        return String.format(Locale.ROOT, "%d rooms in %d phase groups at %d Hz, %d us of work each, %s",
            plan.rooms, plan.phases, plan.hz, plan.workUs, plan.idle);
    }

    @Override
    void checkOptions()
    {
        super.checkOptions();
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
    void onRun(final String subject, final Measurements run)
    {
        final long due = run.value(FramesPlan.DUE);
        final long missed = run.value(FramesPlan.MISSED);
        faultIf(0 != run.value(FramesPlan.CHECKSUM_DIFFERENCE),
            subject + ": rooms counted " + run.value(FramesPlan.CHECKSUM_DIFFERENCE) +
                " frames more than were recorded");
        // Missed frames of the game loop thread are a result, because it promises no rate.
        faultIf(FramesPlan.isEngine(subject) && (0 == due || due - missed < MIN_SHARE * due),
            subject + ": missed its rate, " + missed + " of " + due + " room-frames never ran");
        series(LATENESS, subject, run.intervals(FramesPlan.LATENESS).stream()
            .map((interval) -> perFrame(run, interval)).toList());
        series(COST, subject + " cost", run.intervals(FramesPlan.COST));
    }

    @Override
    void summarize()
    {
        for (final String peer : PEERS)
        {
            final String ratio = FramesPlan.ENGINE + "/" + peer + " ";
            note("cost: " + ratio + ratios(FramesPlan.ENGINE, peer, FramesCommand::costNs)
                .against(nullRatios(FramesCommand::costNs)));
            note("lateness p99: " + ratio + ratios(FramesPlan.ENGINE, peer, P99).against(nullRatios(P99)));
        }
        note("figures are medians of the runs, missed room-frames their sum; cost is the median over frames");
        note("lateness is measured once a frame, which runs all rooms of a phase group");
        note("the period of a game loop thread is not that of the rate, so it drifts through the deadlines, and its" +
            " lateness spreads over the whole period");
    }

    @Override
    void putResult(final Json json)
    {
        json.put("rooms", plan.rooms).put("hz", plan.hz).put("rows", subjects().stream().map((subject) ->
            putMedians(new Json().put("name", subject), subject).put("missed",
                runs(subject).stream().mapToDouble((run) -> run.value(FramesPlan.MISSED)).sum())).toList());
        PEERS.forEach((peer) -> json.put(peer, ratiosJson(FramesPlan.ENGINE, peer)));
        json.put("null", ratiosJson(FramesPlan.NULL, FramesPlan.ENGINE));
    }

    private Ratios nullRatios(final ToDoubleFunction<Measurements> figure)
    {
        return ratios(FramesPlan.NULL, FramesPlan.ENGINE, figure);
    }

    private Json ratiosJson(final String subject, final String base)
    {
        final Json json = new Json();
        ratios(subject, base, FramesCommand::costNs).putTo(json, "cost");
        return ratios(subject, base, P99).putTo(json, "latenessP99");
    }

    /** Of frames: room-frames that run together are late together. */
    private static double latenessUs(final Measurements run, final double percentile)
    {
        return Percentiles.at(perFrame(run, run.total(FramesPlan.LATENESS)), percentile) / US_NS;
    }

    private static Histogram perFrame(final Measurements run, final Histogram lateness)
    {
        final Histogram frames = Percentiles.perFrame(lateness, run.value(FramesPlan.ROOMS_PER_FRAME));
        frames.setStartTimeStamp(lateness.getStartTimeStamp());
        frames.setEndTimeStamp(lateness.getEndTimeStamp());
        return frames;
    }

    /** The median, because a frame that was preempted is no measure of its cost. */
    private static double costNs(final Measurements run)
    {
        return run.total(FramesPlan.COST).getValueAtPercentile(50);
    }
}
