package io.escapement.perf.tool;

import io.escapement.perf.crowd.CrowdFigures;
import io.escapement.perf.crowd.CrowdPlan;
import io.escapement.perf.crowd.LoadPhase;
import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Table;
import io.escapement.perf.rig.Measurements;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** A given number of players. */
@Command(
    name = "players",
    description = {
        "Players in rooms: an engine in one process, bots in another. Every move is answered in its turn (ping), and",
        "is in the next state of its room (moveToState); both count from the planned send. Frame rates are not",
        "governed, so that late and missed frames show. With --beside a peer gets the same load afterwards."})
final class PlayersCommand extends CrowdCommand
{
    private static final int MIN_RATE_PERMILLE = 990;
    private static final String PING = CrowdFigures.PING + ".0";
    private static final Chart LATENCY = new Chart("latency from the planned send", "ms", MS_NS);
    private static final Chart GAP = new Chart("between two states of a player", "ms", MS_NS);
    private static final Chart LATENESS = new Chart("lateness of frames", "ms", MS_NS);

    private static final List<Figure<Histogram>> DISTRIBUTION = List.of(
        new Figure<>("p50 ms", null, 2, (histogram) -> ms(histogram.getValueAtPercentile(50))),
        new Figure<>("p99 ms", null, 2, (histogram) -> ms(histogram.getValueAtPercentile(99))),
        new Figure<>("p99.9 ms", null, 2, (histogram) -> ms(histogram.getValueAtPercentile(99.9))),
        new Figure<>("max ms", null, 2, (histogram) -> ms(histogram.getMaxValue())),
        new Figure<>("samples   ", null, 0, Histogram::getTotalCount));
    private static final List<Figure<Measurements>> FIGURES = List.of(
        percentile("pingP50Ms", PING, 50), percentile("pingP99Ms", PING, 99), percentile("pingP999Ms", PING, 99.9),
        percentile("moveToStateP99Ms", CrowdFigures.MOVE_TO_STATE, 99),
        percentile("frameLatenessP99Ms", CrowdFigures.LATENESS, 99),
        percentile("frameGapP999Ms", CrowdFigures.GAP, 99.9),
        member("missedShare", (run) -> ratio(run, CrowdFigures.MISSED, CrowdFigures.ROOM_FRAMES)),
        member("statesPerSec", (run) -> perSecond(run, CrowdFigures.STATES_SEEN)),
        member("deliveredShare", (run) -> ratio(run, CrowdFigures.STATES_SEEN, CrowdFigures.STATES_SENT)),
        member("statesDropped", (run) -> run.value(CrowdFigures.STATES_DROPPED)),
        member("lost", PlayersCommand::lost),
        member("allocatedBytesPerSec", (run) -> perSecond(run, CrowdFigures.ENGINE_BYTES)),
        member("driverAllocatedBytesPerSec", (run) -> perSecond(run, CrowdFigures.DRIVER_BYTES)),
        member("serverCpu", PlayersCommand::serverCpu),
        member("botsCpu", (run) -> ratio(run, CrowdFigures.BOTS_CPU_NS, CrowdFigures.BOTS_NS)),
        member("rssMb", PlayersCommand::rssMb));

    @Mixin
    private Beside beside;

    private Measurements run;
    private Measurements runBeside;

    /** A minute by default, because rare events take time to happen. */
    PlayersCommand()
    {
        super(Map.of("--seconds", "60", "--warm-up-ms", CrowdPlan.WARM_UP_MS));
    }

    @Override
    String title()
    {
        return String.format(Locale.ROOT, "%,d players in %,d rooms, %s; %d ms after %d ms of warm-up",
            plan.players(), plan.rooms, conditions(), runMs(), plan.warmUpMs);
    }

    @Override
    void checkOptions()
    {
        super.checkOptions();
        check(beside.isRight(), "--beside", beside.peer);
    }

    @Override
    String reservation()
    {
        return beside.reservation();
    }

    @Override
    void measure()
    {
        run = runOn(null);
        checkRun("", run);
        final Table table = table(Figure.heads(DISTRIBUTION, "what                  "));
        addRows(table, "", run);
        try
        {
            if (null != beside.peer)
            {
                runBeside = runOn(beside.peer);
                checkRun(beside.peer + ": ", runBeside);
                addRows(table, beside.peer + " ", runBeside);
            }
        }
        finally
        {
            // The engine's figures stay when the peer fails.
            noteCounts();
            noteMissedFrames();
        }
        if (null != runBeside)
        {
            noteBeside();
        }
    }

    @Override
    void putResult(final Json json)
    {
        json.put("channel", plan.channel).put("idle", plan.idle)
            .put("placement", plan.placement).put("players", plan.players()).put("hz", plan.hz);
        Figure.put(json, FIGURES, run);
        if (null != beside.peer)
        {
            json.put("beside", beside.peer)
                .put("besideRun", Figure.put(new Json(), FIGURES, runBeside))
                .put("pingP99Ratio", ratio(PlayersCommand::pingP99Ms))
                .put("serverCpuRatio", ratio(PlayersCommand::serverCpu));
        }
    }

    private Measurements runOn(final String peer)
    {
        return run(peer, plan.rooms, 0, List.of(List.of(new LoadPhase(movesPerSecond(plan.rooms), runMs())))).get(0);
    }

    private int runMs()
    {
        return shareMs(null == beside.peer ? 1 : 2);
    }

    private void addRows(final Table table, final String side, final Measurements ofSide)
    {
        row(table, Figure.cells(DISTRIBUTION, ofSide.total(PING), side + "ping"));
        row(table, Figure.cells(DISTRIBUTION, ofSide.total(CrowdFigures.MOVE_TO_STATE), side + "moveToState"));
        row(table, Figure.cells(DISTRIBUTION, ofSide.total(CrowdFigures.LATENESS), side + "frame lateness"));
        row(table, Figure.cells(DISTRIBUTION, ofSide.total(CrowdFigures.GAP), side + "frame gap"));
        series(LATENCY, side + "ping", ofSide.intervals(PING));
        series(LATENCY, side + "moveToState", ofSide.intervals(CrowdFigures.MOVE_TO_STATE));
        series(GAP, side + "frameGap", ofSide.intervals(CrowdFigures.GAP));
        series(LATENESS, side + "frameLateness", ofSide.intervals(CrowdFigures.LATENESS));
    }

    private void noteBeside()
    {
        final String peer = beside.peer;
        note(String.format(Locale.ROOT, "%s: states: %,d of %,d delivered, %,d dropped; %,d of %,d moves lost;" +
            " %,d of %,d room-frames missed", peer,
            runBeside.value(CrowdFigures.STATES_SEEN), runBeside.value(CrowdFigures.STATES_SENT),
            runBeside.value(CrowdFigures.STATES_DROPPED), lost(runBeside), runBeside.value(CrowdFigures.SENT),
            runBeside.value(CrowdFigures.MISSED), runBeside.value(CrowdFigures.ROOM_FRAMES)));
        note(String.format(Locale.ROOT, "%s: server: %.2f cores, its loop %.2f; %,.0f MB of memory; bots: %.2f cores," +
            " at work for %.2f of the time", peer, serverCpu(runBeside),
            ratio(runBeside, CrowdFigures.LOOPS_BUSY_NS, CrowdFigures.SERVER_NS), rssMb(runBeside),
            ratio(runBeside, CrowdFigures.BOTS_CPU_NS, CrowdFigures.BOTS_NS),
            ratio(runBeside, CrowdFigures.BOTS_BUSY_NS, CrowdFigures.BOTS_NS)));
        note(String.format(Locale.ROOT, "%s: allocated per second: %,.0f B by the loop; compilers: at work for %,d ms" +
            " in the server, for %,d ms in the bots", peer, perSecond(runBeside, CrowdFigures.ENGINE_BYTES),
            runBeside.value(CrowdFigures.SERVER_COMPILED_MS), runBeside.value(CrowdFigures.BOTS_COMPILED_MS)));
        note(String.format(Locale.ROOT, "engine/%s: ping p99 %.2f, server cores %.2f", peer,
            ratio(PlayersCommand::pingP99Ms), ratio(PlayersCommand::serverCpu)));
    }

    /** A figure of the engine, divided by that of the peer. */
    private double ratio(final ToDoubleFunction<Measurements> figure)
    {
        return null == runBeside ? Double.NaN : figure.applyAsDouble(run) / figure.applyAsDouble(runBeside);
    }

    private void checkRun(final String side, final Measurements ofSide)
    {
        checkContent(side, ofSide);
        final long sent = ofSide.value(CrowdFigures.SENT);
        if (0 != lost(ofSide))
        {
            final Map<String, Long> refusals = ofSide.values(CrowdFigures.REFUSALS_RECEIVED + ".");
            fault(side + lost(ofSide) + " of " + sent + " moves were not answered" +
                (refusals.isEmpty() ? "" : ", refused by code: " + refusals));
        }
        else if (0 != ofSide.value(CrowdFigures.CHECKSUM_DIFFERENCE))
        {
            fault(side + "the checksum of the answers differs from that of the moves");
        }
        faultIf(0 != ofSide.value(CrowdFigures.MOVES_UNSEEN),
            side + ofSide.value(CrowdFigures.MOVES_UNSEEN) + " of " + sent + " moves were in no state");
        final long permille = Math.round(1_000.0 * sent / ofSide.value(CrowdFigures.PLANNED + ".0") *
            Math.min(1, ratio(ofSide, CrowdFigures.PLANNED_NS + ".0", CrowdFigures.TOOK_NS + ".0")));
        faultIf(permille < MIN_RATE_PERMILLE, side + "missed its rate, sent at " + permille + " permille of it");
    }

    private void noteCounts()
    {
        note(String.format(Locale.ROOT, "states: %,.0f per second seen by players, %,d of %,d delivered, %,d dropped",
            perSecond(run, CrowdFigures.STATES_SEEN), run.value(CrowdFigures.STATES_SEEN),
            run.value(CrowdFigures.STATES_SENT), run.value(CrowdFigures.STATES_DROPPED)));
        note(String.format(Locale.ROOT, "moves: %,d sent, %,d lost", run.value(CrowdFigures.SENT), lost(run)));
        note(String.format(Locale.ROOT,
            "server: %.2f cores; driver invoked for %.2f of the time, loops at work for %.2f; %,.0f MB of memory",
            ofServer(CrowdFigures.SERVER_CPU_NS), ofServer(CrowdFigures.DRIVER_NS),
            ofServer(CrowdFigures.LOOPS_BUSY_NS), rssMb(run)));
        note(String.format(Locale.ROOT,
            "allocated per second: %,.0f B by the loops and the edge, %,.0f B by the media driver that one of their" +
            " threads invokes, %,.0f B by the monitor, %,.0f B by the bots' thread",
            perSecond(run, CrowdFigures.ENGINE_BYTES), perSecond(run, CrowdFigures.DRIVER_BYTES),
            perSecond(run, CrowdFigures.MONITOR_BYTES), ofBots(CrowdFigures.BOTS_BYTES) * SECOND_NS));
        final String safepoints = run.values(CrowdFigures.SAFEPOINTS).isEmpty() ? "" : String.format(Locale.ROOT,
            "; the server had %,d safepoints of %.1f ms in all",
            run.value(CrowdFigures.SAFEPOINTS), ms(run.value(CrowdFigures.SAFEPOINT_NS)));
        note(String.format(Locale.ROOT, "compilers: at work for %,d ms in the server, for %,d ms in the bots%s",
            run.value(CrowdFigures.SERVER_COMPILED_MS), run.value(CrowdFigures.BOTS_COMPILED_MS), safepoints));
        note(String.format(Locale.ROOT, "bots: %.2f cores, at work for %.2f of the time",
            ofBots(CrowdFigures.BOTS_CPU_NS), ofBots(CrowdFigures.BOTS_BUSY_NS)));
    }

    private void noteMissedFrames()
    {
        final long turns = run.value(CrowdFigures.MISSED_TURNS);
        final long listed = run.value(CrowdFigures.MISSED_TURNS_LISTED);
        note(String.format(Locale.ROOT,
            "turns longer than 100 ms: %,d; missed: %,d of %,d room-frames, found in %,d turns%s",
            run.value(CrowdFigures.STALLS), run.value(CrowdFigures.MISSED), run.value(CrowdFigures.ROOM_FRAMES), turns,
            listed < turns ? ", the first " + listed + " of them:" : 0 == listed ? "" : ":"));
        for (int i = 0; i < listed; i++)
        {
            final String name = CrowdFigures.MISSED_TURNS + "." + i + ".";
            note(String.format(Locale.ROOT,
                "  at %.3f s: %,d; the turn before began %.1f ms earlier and held %,d moves and %,d room-frames," +
                " the driver was invoked for %.1f ms in between",
                run.value(name + "atNs") / SECOND_NS, run.value(name + "missed"), ms(run.value(name + "gapNs")),
                run.value(name + "moves"), run.value(name + "frames"), ms(run.value(name + "driverNs"))));
        }
    }

    private double ofServer(final String name)
    {
        return ratio(run, name, CrowdFigures.SERVER_NS);
    }

    private double ofBots(final String name)
    {
        return ratio(run, name, CrowdFigures.BOTS_NS);
    }

    private static Figure<Measurements> member(final String key, final Function<Measurements, ?> value)
    {
        return new Figure<>(null, key, 0, value);
    }

    private static Figure<Measurements> percentile(final String key, final String series, final double percentile)
    {
        return member(key, (run) -> ms(run.total(series).getValueAtPercentile(percentile)));
    }

    private static long lost(final Measurements run)
    {
        return run.value(CrowdFigures.SENT) - run.value(CrowdFigures.ANSWERED);
    }

    private static double perSecond(final Measurements run, final String name)
    {
        return ratio(run, name, CrowdFigures.SERVER_NS) * SECOND_NS;
    }

    private static double serverCpu(final Measurements run)
    {
        return ratio(run, CrowdFigures.SERVER_CPU_NS, CrowdFigures.SERVER_NS);
    }

    private static double pingP99Ms(final Measurements run)
    {
        return pingP99Ms(run, 0);
    }

    private static double rssMb(final Measurements run)
    {
        final long kb = run.value(CrowdFigures.RSS_KB);
        return CrowdFigures.UNKNOWN == kb ? Double.NaN : kb / 1024.0;
    }
}
