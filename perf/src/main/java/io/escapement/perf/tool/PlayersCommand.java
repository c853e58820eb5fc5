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
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;

/** A given number of players. */
@Command(
    name = "players",
    description = {
        "Players in rooms: an engine in one process, bots in another. Every move is answered in its turn (ping), and",
        "is in the next state of its room (moveToState); both count from the planned send. Frame rates are not",
        "governed, so that late and missed frames show."})
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
        member("serverCpu", (run) -> ratio(run, CrowdFigures.SERVER_CPU_NS, CrowdFigures.SERVER_NS)),
        member("botsCpu", (run) -> ratio(run, CrowdFigures.BOTS_CPU_NS, CrowdFigures.BOTS_NS)),
        member("rssMb", PlayersCommand::rssMb));

    private Measurements run;

    /** A minute by default, because rare events take time to happen. */
    PlayersCommand()
    {
        super(Map.of("--seconds", "60", "--warm-up-ms", CrowdPlan.WARM_UP_MS));
    }

    @Override
    String title()
    {
        return String.format(Locale.ROOT, "%,d players in %,d rooms, %s; %d ms after %d ms of warm-up",
            plan.players(), plan.rooms, conditions(), shareMs(1), plan.warmUpMs);
    }

    @Override
    void measure()
    {
        run = run(plan.rooms, 0,
            List.of(List.of(new LoadPhase(movesPerSecond(plan.rooms), shareMs(1))))).get(0);
        checkRun();
        final Table table = table(Figure.heads(DISTRIBUTION, "what           "));
        row(table, Figure.cells(DISTRIBUTION, run.total(PING), "ping"));
        row(table, Figure.cells(DISTRIBUTION, run.total(CrowdFigures.MOVE_TO_STATE), "moveToState"));
        row(table, Figure.cells(DISTRIBUTION, run.total(CrowdFigures.LATENESS), "frame lateness"));
        row(table, Figure.cells(DISTRIBUTION, run.total(CrowdFigures.GAP), "frame gap"));
        series(LATENCY, "ping", run.intervals(PING));
        series(LATENCY, "moveToState", run.intervals(CrowdFigures.MOVE_TO_STATE));
        series(GAP, "frameGap", run.intervals(CrowdFigures.GAP));
        series(LATENESS, "frameLateness", run.intervals(CrowdFigures.LATENESS));
        noteCounts();
        noteMissedFrames();
    }

    @Override
    void putResult(final Json json)
    {
        json.put("channel", plan.channel).put("idle", plan.idle)
            .put("placement", plan.placement).put("players", plan.players()).put("hz", plan.hz);
        Figure.put(json, FIGURES, run);
    }

    private void checkRun()
    {
        checkContent("", run);
        final long sent = run.value(CrowdFigures.SENT);
        if (0 != lost(run))
        {
            final Map<String, Long> refusals = run.values(CrowdFigures.REFUSALS_RECEIVED + ".");
            fault(lost(run) + " of " + sent + " moves were not answered" +
                (refusals.isEmpty() ? "" : ", refused by code: " + refusals));
        }
        else if (0 != run.value(CrowdFigures.CHECKSUM_DIFFERENCE))
        {
            fault("the checksum of the answers differs from that of the moves");
        }
        faultIf(0 != run.value(CrowdFigures.MOVES_UNSEEN),
            run.value(CrowdFigures.MOVES_UNSEEN) + " of " + sent + " moves were in no state");
        final long permille = Math.round(1_000.0 * sent / run.value(CrowdFigures.PLANNED + ".0") *
            Math.min(1, ratio(run, CrowdFigures.PLANNED_NS + ".0", CrowdFigures.TOOK_NS + ".0")));
        faultIf(permille < MIN_RATE_PERMILLE, "missed its rate, sent at " + permille + " permille of it");
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

    private static double rssMb(final Measurements run)
    {
        final long kb = run.value(CrowdFigures.RSS_KB);
        return CrowdFigures.UNKNOWN == kb ? Double.NaN : kb / 1024.0;
    }
}
