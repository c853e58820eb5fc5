package io.escapement.perf.tool;

import io.escapement.perf.players.Phase;
import io.escapement.perf.players.PlayersRun;
import io.escapement.perf.process.Findings;
import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Table;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Players in rooms, as many as it is told. */
@Command(
    name = "players",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    defaultValueProvider = PlayersCommand.Minute.class,
    description = {
        "Players in rooms: an engine in one process, bots in another. Every move is answered in its turn (ping), and",
        "is in the next state of its room (moveToState); both count from the planned send. Frame rates are not",
        "governed: what does not come in time is counted."})
final class PlayersCommand extends CrowdCommand
{
    /** A minute of it, unless it is told otherwise: rare things take time to happen. */
    static final class Minute implements IDefaultValueProvider
    {
        @Override
        public String defaultValue(final ArgSpec argument)
        {
            return argument instanceof OptionSpec option && "--seconds".equals(option.longestName()) ? "60" : null;
        }
    }

    private static final int LEAST_PERMILLE = 990;
    private static final String PING = PlayersRun.PING + ".0";
    private static final Chart LATENCY = new Chart("latency from the planned send", "ms", MS_NS);
    private static final Chart GAP = new Chart("between two states of a player", "ms", MS_NS);
    private static final Chart LATENESS = new Chart("lateness of frames", "ms", MS_NS);
    private static final List<String> FIGURES = List.of("pingP50Ms", "pingP99Ms", "pingP999Ms", "moveToStateP99Ms",
        "frameLatenessP99Ms", "frameGapP999Ms", "missedShare", "statesPerSec", "deliveredShare", "statesDropped",
        "lost", "allocatedBytesPerSec", "driverAllocatedBytesPerSec", "serverCpu", "botsCpu", "rssMb");

    private Json figures = missingFigures();

    PlayersCommand()
    {
        this(PlayersRun::run);
    }

    PlayersCommand(final Runner runner)
    {
        super(runner);
    }

    @Override
    String title()
    {
        return String.format(Locale.ROOT, "%,d players in %,d rooms, %s; %d ms after %d ms of warm-up",
            crowd().players(), crowd().rooms(), conditions(), shareMs(1), warmUpMs());
    }

    @Override
    void checkOwnOptions()
    {
        // It has none of its own.
    }

    @Override
    void measure()
    {
        final Findings found = run(crowd(), 0,
            List.of(List.of(new Phase(movesPerSecond(crowd()), shareMs(1))))).get(0);
        check(found);
        figures = figures(found);
        final boolean isFailed = 0 != faults();
        final Histogram ping = found.total(PING);
        final Histogram moveToState = found.total(PlayersRun.MOVE_TO_STATE);
        final Histogram gaps = found.total(PlayersRun.GAP);
        final Histogram lateness = found.total(PlayersRun.LATENESS);
        final Table table = table("what           ", "p50 ms", "p99 ms", "p99.9 ms", "max ms", "samples   ");
        latency(table, isFailed, "ping", ping);
        latency(table, false, "moveToState", moveToState);
        latency(table, false, "frame lateness", lateness);
        latency(table, false, "frame gap", gaps);
        series(LATENCY, "ping", found.intervals(PING));
        series(LATENCY, "moveToState", found.intervals(PlayersRun.MOVE_TO_STATE));
        series(GAP, "frameGap", found.intervals(PlayersRun.GAP));
        series(LATENESS, "frameLateness", found.intervals(PlayersRun.LATENESS));
        counts(found);
        missedFrames(found);
    }

    @Override
    Json result()
    {
        return new Json().put("bench", "players").put("placement", placement())
            .put("players", crowd().players()).put("hz", hz()).putAll(figures);
    }

    private void check(final Findings found)
    {
        checkContent("", found);
        final long sent = found.value(PlayersRun.SENT);
        final long answered = found.value(PlayersRun.ANSWERED);
        if (sent != answered)
        {
            fault((sent - answered) + " of " + sent + " moves were not answered" + refusals(found));
        }
        else if (0 != found.value(PlayersRun.CHECKSUM_DIFFERENCE))
        {
            fault("the checksum over the answers is not that over the moves");
        }
        if (0 != found.value(PlayersRun.MOVES_UNSEEN))
        {
            fault(found.value(PlayersRun.MOVES_UNSEEN) + " of " + sent + " moves were in no state");
        }
        if (permille(found) < LEAST_PERMILLE)
        {
            fault("missed its rate, sent at " + permille(found) + " permille of it");
        }
    }

    private static long permille(final Findings found)
    {
        return Math.round(1_000.0 * found.value(PlayersRun.SENT) / found.value(PlayersRun.PLANNED + ".0") *
            Math.min(1.0, plannedNs(found) / Math.max(1.0, found.value(PlayersRun.TOOK_NS + ".0"))));
    }

    private static double plannedNs(final Findings found)
    {
        return found.value(PlayersRun.PLANNED_NS + ".0");
    }

    private static String refusals(final Findings found)
    {
        final Map<String, Long> byCode = found.values(PlayersRun.HEARD + ".");
        return byCode.isEmpty() ? "" : ", refused by code: " + byCode;
    }

    /** Told where there were any, and the JVM tells of them. */
    private static String safepoints(final Findings found)
    {
        return found.values(PlayersRun.SAFEPOINTS).isEmpty() ? "" : String.format(Locale.ROOT,
            "; the server had %,d safepoints of %.1f ms in all",
            found.value(PlayersRun.SAFEPOINTS), ms(found.value(PlayersRun.SAFEPOINT_NS)));
    }

    private static Json figures(final Findings found)
    {
        final Histogram ping = found.total(PING);
        final double serverSeconds = found.value(PlayersRun.SERVER_NS) / SECOND_NS;
        final long statesSeen = found.value(PlayersRun.STATES_SEEN);
        final long rssKb = found.value(PlayersRun.RSS_KB);
        return new Json()
            .put("pingP50Ms", ms(ping.getValueAtPercentile(50)))
            .put("pingP99Ms", ms(ping.getValueAtPercentile(99)))
            .put("pingP999Ms", ms(ping.getValueAtPercentile(99.9)))
            .put("moveToStateP99Ms", ms(found.total(PlayersRun.MOVE_TO_STATE).getValueAtPercentile(99)))
            .put("frameLatenessP99Ms", ms(found.total(PlayersRun.LATENESS).getValueAtPercentile(99)))
            .put("frameGapP999Ms", ms(found.total(PlayersRun.GAP).getValueAtPercentile(99.9)))
            .put("missedShare", ratio(found.value(PlayersRun.MISSED), found.value(PlayersRun.ROOM_FRAMES)))
            .put("statesPerSec", statesSeen / serverSeconds)
            .put("deliveredShare", ratio(statesSeen, found.value(PlayersRun.STATES_SENT)))
            .put("statesDropped", found.value(PlayersRun.STATES_DROPPED))
            .put("lost", found.value(PlayersRun.SENT) - found.value(PlayersRun.ANSWERED))
            .put("allocatedBytesPerSec", found.value(PlayersRun.ENGINE_BYTES) / serverSeconds)
            .put("driverAllocatedBytesPerSec", found.value(PlayersRun.DRIVER_BYTES) / serverSeconds)
            .put("serverCpu", share(found, PlayersRun.SERVER_CPU_NS, PlayersRun.SERVER_NS))
            .put("botsCpu", share(found, PlayersRun.BOTS_CPU_NS, PlayersRun.BOTS_NS))
            .put("rssMb", PlayersRun.UNKNOWN == rssKb ? Double.NaN : rssKb / 1024.0);
    }

    private static Json missingFigures()
    {
        final Json missing = new Json();
        FIGURES.forEach((name) -> missing.put(name, Double.NaN));
        return missing;
    }

    private static void latency(
        final Table table, final boolean isFailed, final String what, final Histogram histogram)
    {
        table.row(isFailed, what, text(ms(histogram.getValueAtPercentile(50)), 2),
            text(ms(histogram.getValueAtPercentile(99)), 2), text(ms(histogram.getValueAtPercentile(99.9)), 2),
            text(ms(histogram.getMaxValue()), 2), whole(histogram.getTotalCount()));
    }

    private void counts(final Findings found)
    {
        final double seconds = found.value(PlayersRun.SERVER_NS) / SECOND_NS;
        note(String.format(Locale.ROOT, "states: %,.0f a second seen by players, %,d of %,d delivered, %,d dropped",
            found.value(PlayersRun.STATES_SEEN) / seconds, found.value(PlayersRun.STATES_SEEN),
            found.value(PlayersRun.STATES_SENT), found.value(PlayersRun.STATES_DROPPED)));
        note(String.format(Locale.ROOT, "moves: %,d sent, %,d lost", found.value(PlayersRun.SENT),
            found.value(PlayersRun.SENT) - found.value(PlayersRun.ANSWERED)));
        note(String.format(Locale.ROOT,
            "server: %.2f cores, driver invoked for %.2f of the time, loops at work for %.2f; %,.0f MB of memory",
            share(found, PlayersRun.SERVER_CPU_NS, PlayersRun.SERVER_NS),
            share(found, PlayersRun.DRIVER_NS, PlayersRun.SERVER_NS),
            share(found, PlayersRun.LOOPS_BUSY_NS, PlayersRun.SERVER_NS), found.value(PlayersRun.RSS_KB) / 1024.0));
        note(String.format(Locale.ROOT,
            "allocated a second: %,.0f B by the loops and the edge, %,.0f B by the driver that one of their threads" +
                " invokes (told apart by whose clock is read), %,.0f B by the keeper, %,.0f B by the bots' thread",
            found.value(PlayersRun.ENGINE_BYTES) / seconds, found.value(PlayersRun.DRIVER_BYTES) / seconds,
            found.value(PlayersRun.KEEPER_BYTES) / seconds,
            found.value(PlayersRun.BOTS_BYTES) * SECOND_NS / found.value(PlayersRun.BOTS_NS)));
        note(String.format(Locale.ROOT, "compilers: at work for %,d ms in the server, for %,d ms in the bots%s",
            found.value(PlayersRun.SERVER_COMPILED_MS), found.value(PlayersRun.BOTS_COMPILED_MS), safepoints(found)));
        note(String.format(Locale.ROOT, "bots: %.2f cores, at work for %.2f of the time",
            share(found, PlayersRun.BOTS_CPU_NS, PlayersRun.BOTS_NS),
            share(found, PlayersRun.BOTS_BUSY_NS, PlayersRun.BOTS_NS)));
    }

    private void missedFrames(final Findings found)
    {
        final long missed = found.value(PlayersRun.MISSED);
        final long told = found.value(PlayersRun.MISSED_TURNS_TOLD);
        note(String.format(Locale.ROOT, "turns of more than 100 ms: %,d; missed: %,d of %,d" +
            " room-frames, found in %,d turns%s", found.value(PlayersRun.STALLS), missed,
            found.value(PlayersRun.ROOM_FRAMES), found.value(PlayersRun.MISSED_TURNS),
            told < found.value(PlayersRun.MISSED_TURNS) ? ", the first " + told + " of them:" : 0 == told ? "" : ":"));
        for (int i = 0; i < told; i++)
        {
            final String name = PlayersRun.MISSED_TURNS + "." + i + ".";
            note(String.format(Locale.ROOT,
                "  at %.3f s: %,d; the turn before began %.1f ms earlier and held %,d moves and %,d room-frames," +
                    " the driver was invoked for %.1f ms in between",
                found.value(name + "atNs") / SECOND_NS, found.value(name + "missed"),
                ms(found.value(name + "gapNs")), found.value(name + "moves"), found.value(name + "frames"),
                ms(found.value(name + "driverNs"))));
        }
    }
}
