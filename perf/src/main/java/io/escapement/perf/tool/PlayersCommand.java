package io.escapement.perf.tool;

import io.escapement.perf.crowd.CrowdFigures;
import io.escapement.perf.crowd.LoadPhase;
import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Table;
import io.escapement.perf.rig.Measurements;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleSupplier;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;

/** A given number of players. */
@Command(
    name = "players",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    defaultValueProvider = PlayersCommand.Minute.class,
    description = {
        "Players in rooms: an engine in one process, bots in another. Every move is answered in its turn (ping), and",
        "is in the next state of its room (moveToState); both count from the planned send. Frame rates are not",
        "governed, so that late and missed frames show."})
final class PlayersCommand extends CrowdCommand
{
    /** A minute by default, because rare events take time to happen. */
    static final class Minute extends DefaultSeconds
    {
        Minute()
        {
            super(60);
        }
    }

    private static final int MIN_RATE_PERMILLE = 990;
    private static final String PING = CrowdFigures.PING + ".0";
    private static final Chart LATENCY = new Chart("latency from the planned send", "ms", MS_NS);
    private static final Chart GAP = new Chart("between two states of a player", "ms", MS_NS);
    private static final Chart LATENESS = new Chart("lateness of frames", "ms", MS_NS);

    private Measurements run;

    PlayersCommand()
    {
        this(PROCESSES);
    }

    PlayersCommand(final Runner runner)
    {
        super(runner);
    }

    @Override
    String title()
    {
        return String.format(Locale.ROOT, "%,d players in %,d rooms, %s; %d ms after %d ms of warm-up",
            plan.players(), plan.rooms, conditions(), shareMs(1), warmUpMs());
    }

    @Override
    void measure()
    {
        run = run(plan.rooms, 0,
            List.of(List.of(new LoadPhase(movesPerSecond(plan.rooms), shareMs(1))))).get(0);
        checkRun();
        final boolean isFailed = 0 != faults();
        final Table table = table("what           ", "p50 ms", "p99 ms", "p99.9 ms", "max ms", "samples   ");
        row(table, isFailed, "ping", run.total(PING));
        row(table, false, "moveToState", run.total(CrowdFigures.MOVE_TO_STATE));
        row(table, false, "frame lateness", run.total(CrowdFigures.LATENESS));
        row(table, false, "frame gap", run.total(CrowdFigures.GAP));
        series(LATENCY, "ping", run.intervals(PING));
        series(LATENCY, "moveToState", run.intervals(CrowdFigures.MOVE_TO_STATE));
        series(GAP, "frameGap", run.intervals(CrowdFigures.GAP));
        series(LATENESS, "frameLateness", run.intervals(CrowdFigures.LATENESS));
        noteCounts();
        noteMissedFrames();
    }

    @Override
    Json result()
    {
        return new Json().put("bench", "players").put("placement", plan.placement)
            .put("players", plan.players()).put("hz", plan.hz)
            .put("pingP50Ms", percentileMs(PING, 50))
            .put("pingP99Ms", percentileMs(PING, 99))
            .put("pingP999Ms", percentileMs(PING, 99.9))
            .put("moveToStateP99Ms", percentileMs(CrowdFigures.MOVE_TO_STATE, 99))
            .put("frameLatenessP99Ms", percentileMs(CrowdFigures.LATENESS, 99))
            .put("frameGapP999Ms", percentileMs(CrowdFigures.GAP, 99.9))
            .put("missedShare", figure(() -> ratio(run, CrowdFigures.MISSED, CrowdFigures.ROOM_FRAMES)))
            .put("statesPerSec", figure(() -> perSecond(CrowdFigures.STATES_SEEN)))
            .put("deliveredShare", figure(() -> ratio(run, CrowdFigures.STATES_SEEN, CrowdFigures.STATES_SENT)))
            .put("statesDropped", figure(() -> run.value(CrowdFigures.STATES_DROPPED)))
            .put("lost", figure(this::lost))
            .put("allocatedBytesPerSec", figure(() -> perSecond(CrowdFigures.ENGINE_BYTES)))
            .put("driverAllocatedBytesPerSec", figure(() -> perSecond(CrowdFigures.DRIVER_BYTES)))
            .put("serverCpu", figure(() -> ofServer(CrowdFigures.SERVER_CPU_NS)))
            .put("botsCpu", figure(() -> ofBots(CrowdFigures.BOTS_CPU_NS)))
            .put("rssMb", figure(() -> CrowdFigures.UNKNOWN == run.value(CrowdFigures.RSS_KB) ?
                Double.NaN : run.value(CrowdFigures.RSS_KB) / 1024.0));
    }

    private void checkRun()
    {
        checkContent("", run);
        final long sent = run.value(CrowdFigures.SENT);
        if (0 != lost())
        {
            final Map<String, Long> refusals = run.values(CrowdFigures.REFUSALS_RECEIVED + ".");
            fault(lost() + " of " + sent + " moves were not answered" +
                (refusals.isEmpty() ? "" : ", refused by code: " + refusals));
        }
        else if (0 != run.value(CrowdFigures.CHECKSUM_DIFFERENCE))
        {
            fault("the checksum of the answers differs from that of the moves");
        }
        if (0 != run.value(CrowdFigures.MOVES_UNSEEN))
        {
            fault(run.value(CrowdFigures.MOVES_UNSEEN) + " of " + sent + " moves were in no state");
        }
        final long permille = Math.round(1_000.0 * sent / run.value(CrowdFigures.PLANNED + ".0") *
            Math.min(1, ratio(run, CrowdFigures.PLANNED_NS + ".0", CrowdFigures.TOOK_NS + ".0")));
        if (permille < MIN_RATE_PERMILLE)
        {
            fault("missed its rate, sent at " + permille + " permille of it");
        }
    }

    private static void row(
        final Table table, final boolean isFailed, final String what, final Histogram histogram)
    {
        table.row(isFailed, what, text(ms(histogram.getValueAtPercentile(50)), 2),
            text(ms(histogram.getValueAtPercentile(99)), 2), text(ms(histogram.getValueAtPercentile(99.9)), 2),
            text(ms(histogram.getMaxValue()), 2), whole(histogram.getTotalCount()));
    }

    private void noteCounts()
    {
        note(String.format(Locale.ROOT, "states: %,.0f per second seen by players, %,d of %,d delivered, %,d dropped",
            perSecond(CrowdFigures.STATES_SEEN), run.value(CrowdFigures.STATES_SEEN),
            run.value(CrowdFigures.STATES_SENT), run.value(CrowdFigures.STATES_DROPPED)));
        note(String.format(Locale.ROOT, "moves: %,d sent, %,d lost", run.value(CrowdFigures.SENT), lost()));
        note(String.format(Locale.ROOT,
            "server: %.2f cores; driver invoked for %.2f of the time, loops at work for %.2f; %,.0f MB of memory",
            ofServer(CrowdFigures.SERVER_CPU_NS), ofServer(CrowdFigures.DRIVER_NS),
            ofServer(CrowdFigures.LOOPS_BUSY_NS), run.value(CrowdFigures.RSS_KB) / 1024.0));
        note(String.format(Locale.ROOT,
            "allocated per second: %,.0f B by the loops and the edge, %,.0f B by the media driver that one of their" +
            " threads invokes, %,.0f B by the monitor, %,.0f B by the bots' thread",
            perSecond(CrowdFigures.ENGINE_BYTES), perSecond(CrowdFigures.DRIVER_BYTES),
            perSecond(CrowdFigures.MONITOR_BYTES), ofBots(CrowdFigures.BOTS_BYTES) * SECOND_NS));
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

    /** A figure of a run that failed to finish is NaN. */
    private double figure(final DoubleSupplier figure)
    {
        return null == run ? Double.NaN : figure.getAsDouble();
    }

    private double percentileMs(final String series, final double percentile)
    {
        return figure(() -> ms(run.total(series).getValueAtPercentile(percentile)));
    }

    private long lost()
    {
        return run.value(CrowdFigures.SENT) - run.value(CrowdFigures.ANSWERED);
    }

    private double perSecond(final String name)
    {
        return ofServer(name) * SECOND_NS;
    }

    private double ofServer(final String name)
    {
        return ratio(run, name, CrowdFigures.SERVER_NS);
    }

    private double ofBots(final String name)
    {
        return ratio(run, name, CrowdFigures.BOTS_NS);
    }
}
