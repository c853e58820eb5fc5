package io.escapement.perf.tool;

import io.escapement.perf.loop.FramesOptions;
import io.escapement.perf.loop.FramesRun;
import io.escapement.perf.process.Findings;
import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Ratios;
import io.escapement.perf.report.Table;
import io.escapement.rooms.host.HostContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Frames of rooms on a loop beside those of a game loop thread. */
@Command(
    name = "frames",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
        "Frames of many rooms on one loop, live: how late they are and what a room's frame costs, beside a game loop",
        "thread (a lock, two growing arrays, sleep after work). Lateness counts from deadlines on the grid of the",
        "rate, those that were missed included. Fresh processes, runs alternate."})
final class FramesCommand extends PairedCommand
{
    private static final int WARM_UP_MS = 8_000;
    private static final int MAX_HZ = 1_000;
    private static final int MAX_ROOMS = 100_000;
    private static final double LEAST_SHARE = 0.99;
    private static final double PPB_PER_PPM = 1_000;
    private static final long SECOND_US = 1_000_000;
    private static final Chart LATENESS = new Chart("lateness from the deadline", "us", 1_000);
    private static final Chart COST = new Chart("cost of a room-frame", "ns", 1);

    /** What the runs of one side found. */
    private static final class Side
    {
        private final List<Histogram> lateness = new ArrayList<>();
        private final List<Double> costNs = new ArrayList<>();
        private final List<Double> driftPpm = new ArrayList<>();
        private long missed;

        private List<Double> latenessUs(final double percentile)
        {
            final ToDoubleFunction<Histogram> value = (h) -> h.getValueAtPercentile(percentile) / 1e3;
            return lateness.stream().mapToDouble(value).boxed().toList();
        }
    }

    @Option(names = "--rooms", defaultValue = "256", description = "rooms on the loop (default: ${DEFAULT-VALUE})")
    private int rooms;

    @Option(names = "--phases", defaultValue = "1",
        description = "phase groups of the loop (default: ${DEFAULT-VALUE}, as all rooms run together on a game loop" +
            " thread; an engine's default is 4)")
    private int phases;

    @Option(names = "--hz", defaultValue = "60", description = "frames a second (default: ${DEFAULT-VALUE})")
    private int hz;

    @Option(names = "--work", paramLabel = "US", defaultValue = "0",
        description = "busy time of a room's frame in microseconds (default: ${DEFAULT-VALUE})")
    private int workUs;

    @Option(names = "--idle", defaultValue = "park",
        description = "busy, yield, backoff or park, of the loop (default: park)")
    private String idle;

    private final Function<FramesOptions, Findings> runner;
    private final Map<String, Side> sideByNameMap = new LinkedHashMap<>();

    FramesCommand()
    {
        this(FramesRun::run);
    }

    FramesCommand(final Function<FramesOptions, Findings> runner)
    {
        this.runner = runner;
        sideByNameMap.put(FramesOptions.ESCAPEMENT, new Side());
        sideByNameMap.put(FramesOptions.GAME_LOOP_THREAD, new Side());
    }

    @Override
    String title()
    {
        return String.format(Locale.ROOT,
            "%d rooms in %d phase groups at %d Hz, %d us of work each, %s; %d pairs, each run %d ms after %d ms of" +
            " warm-up", rooms, phases, hz, workUs, idle, pairs(), measureMs(), warmUpMs());
    }

    @Override
    void checkOwnOptions()
    {
        check(rooms >= 1 && rooms <= MAX_ROOMS, "--rooms", rooms);
        check(phases >= 1 && phases <= HostContext.MAX_PHASE_GROUPS, "--phases", phases);
        check(hz >= 1 && hz <= MAX_HZ, "--hz", hz);
        check(workUs >= 0, "--work", workUs);
        check(List.of("busy", "yield", "backoff", "park").contains(idle), "--idle", idle);
    }

    @Override
    String refusal()
    {
        final long busyUs = (long)rooms * workUs * hz;
        return busyUs < SECOND_US ? null : String.format(Locale.ROOT,
            "%d rooms with %d us of work at %d Hz are %.1f s of work a second on one thread: take less of one of them",
            rooms, workUs, hz, (double)busyUs / SECOND_US);
    }

    @Override
    void measure()
    {
        final Table table = table(
            "pair", "what          ", "cost ns", "late p50 us", "p99 us", "p99.9 us", "drift ppm", "missed",
            "compiled ms");
        final List<String> names = List.copyOf(sideByNameMap.keySet());
        for (int pair = 0; pair < pairs(); pair++)
        {
            for (int i = 0; i < names.size(); i++)
            {
                final String what = names.get((pair + i) % names.size());
                progress("pair " + (pair + 1) + " of " + pairs() + ": " + what);
                final int faultsBefore = faults();
                final Findings findings = run(what);
                final Histogram lateness = findings.total(FramesRun.LATENESS);
                table.row(faults() != faultsBefore, Integer.toString(pair + 1), what,
                    number(costNs(findings)), us(lateness.getValueAtPercentile(50)),
                    us(lateness.getValueAtPercentile(99)), us(lateness.getValueAtPercentile(99.9)),
                    number(driftPpm(findings)), Long.toString(findings.value(FramesRun.MISSED)),
                    Long.toString(findings.value(FramesRun.COMPILED_MS)));
            }
        }
        final Side ours = sideByNameMap.get(FramesOptions.ESCAPEMENT);
        final Side theirs = sideByNameMap.get(FramesOptions.GAME_LOOP_THREAD);
        note("cost: escapement/gameLoopThread " + Ratios.of(ours.costNs, theirs.costNs));
        note("lateness p99: escapement/gameLoopThread " + Ratios.of(ours.latenessUs(99), theirs.latenessUs(99)));
        note("figures are medians of the runs, missed room-frames their sum; cost is the median over frames");
        note("a game loop thread that is ahead of the rate or behind it drifts through the deadlines, so its lateness" +
            " is spread over the whole period");
    }

    @Override
    Json result()
    {
        final List<Json> rows = new ArrayList<>();
        sideByNameMap.forEach((name, side) -> rows.add(new Json()
            .put("name", name)
            .put("costNs", Ratios.median(side.costNs))
            .put("latenessP50Us", Ratios.median(side.latenessUs(50)))
            .put("latenessP99Us", Ratios.median(side.latenessUs(99)))
            .put("latenessP999Us", Ratios.median(side.latenessUs(99.9)))
            .put("periodDriftPpm", Ratios.median(side.driftPpm))
            .put("missed", side.missed)));
        return new Json().put("bench", "frames").put("rooms", rooms).put("hz", hz).put("rows", rows);
    }

    private int measureMs()
    {
        return shareMs(2 * pairs());
    }

    private Findings run(final String what)
    {
        final Findings findings = runner.apply(new FramesOptions(
            what, rooms, phases, hz, TimeUnit.MICROSECONDS.toNanos(workUs), idle, warmUpMs(), measureMs()));
        final long due = findings.value(FramesRun.DUE);
        final long missed = findings.value(FramesRun.MISSED);
        if (0 != findings.value(FramesRun.CHECKSUM_DIFFERENCE))
        {
            fault(what + ": rooms counted " + findings.value(FramesRun.CHECKSUM_DIFFERENCE) +
                " frames more than were recorded");
        }
        // The peer promises no rate: what it misses is its result.
        if (FramesOptions.ESCAPEMENT.equals(what) && (0 == due || due - missed < LEAST_SHARE * due))
        {
            fault(what + ": missed its rate, " + missed + " of " + due + " room-frames never ran");
        }
        final Side side = sideByNameMap.get(what);
        side.lateness.add(findings.total(FramesRun.LATENESS));
        side.costNs.add(costNs(findings));
        side.driftPpm.add(driftPpm(findings));
        side.missed += missed;
        series(LATENESS, what, findings.intervals(FramesRun.LATENESS));
        series(COST, what + " cost", findings.intervals(FramesRun.COST));
        return findings;
    }

    /** The median, for a frame during which somebody else had the core says nothing about its cost. */
    private static double costNs(final Findings findings)
    {
        return findings.total(FramesRun.COST).getValueAtPercentile(50);
    }

    private static double driftPpm(final Findings findings)
    {
        return findings.value(FramesRun.DRIFT_PPB) / PPB_PER_PPM;
    }

    /** Most of it at the fastest rate: what runs once a frame is not compiled after seconds at the usual one. */
    @Override
    int usualWarmUpMs()
    {
        return WARM_UP_MS;
    }
}
