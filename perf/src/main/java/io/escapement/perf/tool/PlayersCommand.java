package io.escapement.perf.tool;

import io.escapement.perf.crowd.CrowdFigures;
import io.escapement.perf.crowd.CrowdPlan;
import io.escapement.perf.crowd.LoadPhase;
import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Ratios;
import io.escapement.perf.report.Table;
import io.escapement.perf.rig.LoopMeter;
import io.escapement.perf.rig.Measurements;
import io.escapement.perf.rig.Percentiles;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A given number of players. */
@Command(
    name = "players",
    description =
        "Players in rooms, with an engine in one process and bots in another process. Every move is answered in its " +
        "turn (ping), and is in the next state of its room (moveToState). Both count from the planned send. Frame " +
        "rates are not governed, and late and missed frames show. With --beside a peer gets the same load " +
        "afterwards. With --durability the engine runs three times per pair: once with the log, and twice in memory. " +
        "With --web the players are WebSockets at a gateway in another process with one trunk. Then they share a " +
        "trunk without the gateway. With --console the engine runs three times per pair: once with pages open at its " +
        "console, and twice without. --pairs show the spread.",
    footer = {"", "Examples:",
        "  perf players --rooms 256 --seats 16",
        "  perf players --beside tcp --pairs 3 --seconds 120"})
final class PlayersCommand extends CrowdCommand
{
    private static final int MIN_RATE_PERMILLE = 990;
    private static final String PING = CrowdFigures.PING + ".0";
    private static final double US_NS = 1e3;
    /** As many as a console accepts. */
    private static final int MAX_PAGES = 32;
    private static final Chart LATENCY = new Chart("latency from the planned send", "ms", MS_NS);
    private static final Chart WAIT = new Chart("wait of commands and turns", "us", US_NS);
    private static final Chart GAP = new Chart("between two states of a player", "ms", MS_NS);
    private static final Chart LATENESS = new Chart("lateness of frames", "ms", MS_NS);

    private static final List<Figure<Histogram>> DISTRIBUTION = List.of(
        new Figure<>("p50 ms", null, 2, (histogram) -> ms(Percentiles.at(histogram, 50))),
        new Figure<>("p99 ms", null, 2, (histogram) -> ms(Percentiles.at(histogram, 99))),
        new Figure<>("p99.9 ms", null, 2, (histogram) -> ms(Percentiles.at(histogram, 99.9))),
        new Figure<>("max ms", null, 2, (histogram) -> ms(Percentiles.at(histogram, 100))),
        new Figure<>("samples   ", null, 0, Histogram::getTotalCount));
    private static final List<Figure<Measurements>> FIGURES = List.of(
        percentile("pingP50Ms", PING, 50), percentile("pingP99Ms", PING, 99), percentile("pingP999Ms", PING, 99.9),
        percentile("stateAgeP50Ms", CrowdFigures.STATE_AGE, 50),
        percentile("stateAgeP99Ms", CrowdFigures.STATE_AGE, 99),
        percentile("moveToStateP99Ms", CrowdFigures.MOVE_TO_STATE, 99),
        Figure.member("frameLatenessP99Ms", (run) -> ms(Percentiles.at(lateness(run), 99))),
        percentile("frameGapP999Ms", CrowdFigures.GAP, 99.9),
        Figure.member("missedShare", (run) -> ratio(run, CrowdFigures.MISSED, CrowdFigures.ROOM_FRAMES)),
        Figure.member("statesPerSec", (run) -> perSecond(run, CrowdFigures.STATES_SEEN)),
        Figure.member("deliveredShare", (run) -> ratio(run, CrowdFigures.STATES_SEEN, CrowdFigures.STATES_SENT)),
        Figure.member("statesDropped", (run) -> run.value(CrowdFigures.STATES_DROPPED)),
        Figure.member("lost", PlayersCommand::lost),
        Figure.member("allocatedBytesPerSec", (run) -> perSecond(run, CrowdFigures.ENGINE_BYTES)),
        Figure.member("driverAllocatedBytesPerSec", (run) -> perSecond(run, CrowdFigures.DRIVER_BYTES)),
        Figure.member("serverCpu", PlayersCommand::serverCpu),
        Figure.member("botsCpu", (run) -> ofBots(run, CrowdFigures.BOTS_CPU_NS)),
        Figure.member("rssMb", PlayersCommand::rssMb),
        Figure.member("cpuNsPerState", CrowdCommand::cpuNsPerState),
        Figure.member("cpuNsPerMove", CrowdCommand::cpuNsPerMove),
        percentile("pingMaxMs", PING, 100), percentile("moveToStateMaxMs", CrowdFigures.MOVE_TO_STATE, 100),
        percentile("frameLatenessMaxMs", CrowdFigures.LATENESS, 100),
        percentile("frameGapMaxMs", CrowdFigures.GAP, 100));
    private static final List<Figure<Measurements>> OF_LOOP = List.of(
        wait("ringWaitP50Us", LoopMeter.RING_WAIT, 50), wait("ringWaitP99Us", LoopMeter.RING_WAIT, 99),
        wait("commitWaitP50Us", LoopMeter.COMMIT_WAIT, 50), wait("commitWaitP99Us", LoopMeter.COMMIT_WAIT, 99),
        Figure.member("bytesPerTurn", (run) -> ratio(run, CrowdFigures.ENGINE_BYTES, LoopMeter.TURNS)));
    private static final Map<String, ToDoubleFunction<Measurements>> RATIOS = ratioFigures();

    @Mixin
    private Beside beside;

    @Option(names = "--web", description = "players connect by WebSocket through a gateway, and are compared with " +
        "players without it")
    private boolean isWeb;

    @Option(names = "--tls", description = "with --web: WebSockets over TLS")
    private boolean isTls;

    @Option(names = "--console", paramLabel = "PAGES", defaultValue = "0", description =
        "pages that are open at the engine's console, compared with no page. Each page reads all events and requests " +
        "the lists every two seconds. With --durability each page also plays a film of a room's past.")
    private int pages;

    private final Sides<Measurements> runs =
        new Sides<>((run) -> !ProcessUse.isLoadBound(run), MeasureCommand::isResult);
    private Comparison comparison;

    /** A minute by default, because rare events take time to happen. */
    PlayersCommand()
    {
        super(Map.of("--seconds", "60", "--warm-up-ms", CrowdPlan.WARM_UP_MS, "--pairs", "1"));
    }

    @Override
    String title()
    {
        return String.format(Locale.ROOT, "%,d players in %,d rooms, %s; %d ms after at least %d ms of warm-up",
            plan.players(), plan.rooms, (isWeb ? "WebSockets, " + gateway() + ", " : "") +
            (pages > 0 ? pages + " pages at the console, " : "") + conditions(), runMs(),
            plan.warmUpMs);
    }

    @Override
    void checkOptions()
    {
        super.checkOptions();
        beside.check(this);
        check(!isWeb || null == beside.peer && !plan.isDurable(), "--web", isWeb);
        check(!isTls || isWeb, "--tls", isTls);
        checkRange("--console", pages, 0, MAX_PAGES);
        check(0 == pages || null == beside.peer && !plan.isCluster() && !isWeb, "--console", pages);
        comparison = isWeb ? Comparison.atGateway(gateway()) : pages > 0 ? Comparison.atConsole(pages) :
            Comparison.of(plan, beside.peer);
    }

    @Override
    String reservation()
    {
        return beside.reservation();
    }

    @Override
    void measure()
    {
        final Table table = table(Figure.heads(DISTRIBUTION, "what                  "));
        runs.run(pairs(), comparison.sides(), (pair, side) -> run(table, pair, side));
        comparison.sides().forEach(this::noteRuns);
        if (!runs.of(Comparison.ENGINE).isEmpty())
        {
            noteInWords();
        }
        if (null != comparison.other)
        {
            note(comparison.name + "/" + comparison.other + ": ping p50 " + text("pingP50Ratio") + "; p99 " +
                text("pingP99Ratio") + "; server cores " + text("serverCpuRatio") + "; server time per state " +
                text("cpuPerStateRatio") + ", per move " + text("cpuPerMoveRatio"));
        }
    }

    @Override
    void putResult(final Json json)
    {
        json.put("channel", plan.channel).put("idle", plan.idle).put("durability", plan.durability)
            .put("placement", plan.placement).put("statesOn", plan.states).put("players", plan.players())
            .put("hz", plan.hz);
        if (isWeb)
        {
            json.put("web", gateway()).put("gateway", putMedians(new Json(), comparison.figures, Comparison.ENGINE));
        }
        if (pages > 0)
        {
            json.put("console",
                putMedians(new Json().put("pages", pages), comparison.figures, Comparison.ENGINE));
        }
        putMedians(json, FIGURES, Comparison.ENGINE);
        json.put("loop", putMedians(new Json(), OF_LOOP, Comparison.ENGINE));
        if (null != comparison.other)
        {
            json.put("beside", comparison.other)
                .put("besideRun", putMedians(new Json(), FIGURES, comparison.other));
            RATIOS.forEach((key, figure) -> comparison.ratios(runs, figure).putTo(json, key));
            final Json ofNull = new Json();
            RATIOS.forEach((key, figure) -> comparison.nullRatios(runs, figure).putTo(ofNull, key));
            json.put("null", ofNull);
        }
    }

    @Override
    String verdict()
    {
        return null == beside.peer ? null :
            verdict("cores per state", "cpuPerStateRatio") + ", " + verdict("ping p99", "pingP99Ratio");
    }

    private String verdict(final String name, final String key)
    {
        final Ratios ratios = comparison.ratios(runs, RATIOS.get(key));
        final Ratios nullRatios = comparison.nullRatios(runs, RATIOS.get(key));
        return beside.verdict(ratios.standing(nullRatios, false), name, ratios.evidence(nullRatios));
    }

    private String text(final String key)
    {
        return comparison.ratios(runs, RATIOS.get(key)).against(comparison.nullRatios(runs, RATIOS.get(key)));
    }

    private Json putMedians(final Json json, final List<Figure<Measurements>> figures, final String side)
    {
        return runs.putMedians(json, figures, side);
    }

    private String gateway()
    {
        return isTls ? CrowdPlan.TLS : CrowdPlan.PLAIN;
    }

    private int runMs()
    {
        return shareMs(comparison.sides().size() * pairs());
    }

    private Measurements run(final Table table, final int pair, final String side)
    {
        final String prefix = prefix(side);
        final List<Measurements> parts = attempt(1 == pairs() ? side : "pair " + pair + " " + side,
            () -> run((copy) -> comparison.plan(side, copy), plan.rooms, 0,
                List.of(List.of(new LoadPhase(movesPerSecond(plan.rooms), runMs())))),
            () -> row(table, Figure.cells(DISTRIBUTION, null, prefix + "ping")));
        if (null == parts)
        {
            return null;
        }
        final Measurements run = parts.get(0);
        checkRun(prefix.isEmpty() ? "" : side + ": ", run);
        addRows(table, prefix, run);
        return run;
    }

    /** Of rows and series. The engine's rows have no prefix. */
    private static String prefix(final String side)
    {
        return Comparison.ENGINE.equals(side) ? "" : side + " ";
    }

    private void checkRun(final String side, final Measurements run)
    {
        checkContent(side, run);
        final long sent = run.value(CrowdFigures.SENT);
        if (0 != lost(run))
        {
            final Map<String, Long> refusals = refusalsByReason(run);
            fault(side + lost(run) + " of " + sent + " moves were not answered" +
                (refusals.isEmpty() ? "" : ", refused: " + refusals));
        }
        else if (0 != run.value(CrowdFigures.CHECKSUM_DIFFERENCE))
        {
            fault(side + "the checksum of the answers differs from that of the moves");
        }
        faultIf(0 != run.value(CrowdFigures.MOVES_UNSEEN),
            side + run.value(CrowdFigures.MOVES_UNSEEN) + " of " + sent + " moves were in no state");
        final long permille = Math.round(1_000.0 * sent / run.value(CrowdFigures.PLANNED + ".0") *
            Math.min(1, ratio(run, CrowdFigures.PLANNED_NS + ".0", CrowdFigures.TOOK_NS + ".0")));
        faultIf(permille < MIN_RATE_PERMILLE, side + "missed its rate, sent at " + permille + " permille of it");
        run.values(CrowdFigures.PAGE_EVENTS).forEach((page, events) ->
            faultIf(0 == events, "page " + page + " at the console got no events"));
    }

    private void addRows(final Table table, final String side, final Measurements run)
    {
        addRow(table, LATENCY, side, "ping", run, PING);
        addRow(table, LATENCY, side, "moveToState", run, CrowdFigures.MOVE_TO_STATE);
        addRow(table, LATENCY, side, "stateAge", run, CrowdFigures.STATE_AGE);
        addRow(table, GAP, side, "frameGap", run, CrowdFigures.GAP);
        row(table, Figure.cells(DISTRIBUTION, lateness(run), side + "frameLateness"));
        series(LATENESS, side + "frameLateness", run.intervals(CrowdFigures.LATENESS));
        if (plan.isDurable() && side.isEmpty())
        {
            series(WAIT, "ringWait", run.intervals(LoopMeter.RING_WAIT));
            series(WAIT, "commitWait", run.intervals(LoopMeter.COMMIT_WAIT));
        }
    }

    /** States of a durable room have no age, because it reads no clock. */
    private void addRow(
        final Table table,
        final Chart chart,
        final String side,
        final String name,
        final Measurements run,
        final String series)
    {
        if (!run.intervals(series).isEmpty())
        {
            row(table, Figure.cells(DISTRIBUTION, run.total(series), side + name));
            series(chart, side + name, run.intervals(series));
        }
    }

    /** Of the last run of a side. */
    private void noteRuns(final String side)
    {
        if (runs.of(side).isEmpty())
        {
            return;
        }
        final Measurements run = runs.of(side).get(runs.of(side).size() - 1);
        note(side, "states: %,d of %,d delivered, %,d dropped, %,.0f per second; moves: %,d sent, %,d lost",
            run.value(CrowdFigures.STATES_SEEN), run.value(CrowdFigures.STATES_SENT),
            run.value(CrowdFigures.STATES_DROPPED), perSecond(run, CrowdFigures.STATES_SEEN),
            run.value(CrowdFigures.SENT), lost(run));
        note(side, "room-frames: %,d of %,d missed; turns longer than 100 ms: %,d", run.value(CrowdFigures.MISSED),
            run.value(CrowdFigures.ROOM_FRAMES), run.value(CrowdFigures.STALLS));
        note(side, "server: %.2f cores, %,.0f ns per state delivered, %,.0f ns per move; loops at work for %.2f of" +
            " the time, media driver for %.2f; %,.0f MB of memory", serverCpu(run), cpuNsPerState(run),
            cpuNsPerMove(run), ofServer(run, CrowdFigures.LOOPS_BUSY_NS),
            ofServer(run, CrowdFigures.DRIVER_NS), rssMb(run));
        note(side, "allocated per second: %,.0f B by loops and edge, %,.0f B by the media driver in their thread," +
            " %,.0f B by the monitor, %,.0f B by the bots", perSecond(run, CrowdFigures.ENGINE_BYTES),
            perSecond(run, CrowdFigures.DRIVER_BYTES), perSecond(run, CrowdFigures.MONITOR_BYTES),
            ofBots(run, CrowdFigures.BOTS_BYTES) * SECOND_NS);
        note(side, "bots: %.2f cores, at work for %.2f of the time", ofBots(run, CrowdFigures.BOTS_CPU_NS),
            ofBots(run, CrowdFigures.BOTS_BUSY_NS));
        if (Comparison.ENGINE.equals(side))
        {
            noteMedians("loop", OF_LOOP);
            noteMedians(comparison.name, comparison.figures);
        }
    }

    /** For a reader who sees the table for the first time. */
    private void noteInWords()
    {
        note(String.format(Locale.ROOT, "in words: %,d players sent %,d moves per second; 99 of 100 were answered" +
            " within %s ms of their planned send (ping p99), and 99 of 100 were in a state of their room within %s ms" +
            " (moveToState p99); of 1,000,000 frames of rooms %,.0f never ran (missed); the server took %.2f of a" +
            " core", plan.players(), movesPerSecond(plan.rooms), inWords("pingP99Ms"), inWords("moveToStateP99Ms"),
            1e6 * ofEngine("missedShare"), ofEngine("serverCpu")));
    }

    private String inWords(final String key)
    {
        return Figure.text(ofEngine(key), 1);
    }

    private double ofEngine(final String key)
    {
        return runs.median(Comparison.ENGINE,
            FIGURES.stream().filter((figure) -> key.equals(figure.key())).findFirst().orElseThrow()::number);
    }

    private void note(final String side, final String format, final Object... values)
    {
        note(side + ": " + String.format(Locale.ROOT, format, values));
    }

    private void noteMedians(final String name, final List<Figure<Measurements>> figures)
    {
        if (!figures.isEmpty())
        {
            note(name + ": " + figures.stream().map((figure) -> figure.key() + " " +
                Figure.text(runs.median(Comparison.ENGINE, figure::number), 2)).collect(Collectors.joining(", ")));
        }
    }

    private static Map<String, ToDoubleFunction<Measurements>> ratioFigures()
    {
        final Map<String, ToDoubleFunction<Measurements>> figures = new LinkedHashMap<>();
        figures.put("pingP50Ratio", (run) -> ms(run.total(PING).getValueAtPercentile(50)));
        figures.put("pingP99Ratio", (run) -> pingP99Ms(run, 0));
        figures.put("serverCpuRatio", PlayersCommand::serverCpu);
        figures.put("cpuPerStateRatio", CrowdCommand::cpuNsPerState);
        figures.put("cpuPerMoveRatio", CrowdCommand::cpuNsPerMove);
        return figures;
    }

    /** Rooms of a phase group are late together. */
    private static Histogram lateness(final Measurements run)
    {
        return Percentiles.perFrame(run.total(CrowdFigures.LATENESS), run.value(CrowdFigures.ROOMS_PER_FRAME));
    }

    private static Figure<Measurements> percentile(final String key, final String series, final double percentile)
    {
        return Figure.member(key, (run) -> ms(Percentiles.at(run.total(series), percentile)));
    }

    private static Figure<Measurements> wait(final String key, final String series, final double percentile)
    {
        return Figure.member(key, (run) -> run.total(series).getValueAtPercentile(percentile) / US_NS);
    }

    private static long lost(final Measurements run)
    {
        return run.value(CrowdFigures.SENT) - run.value(CrowdFigures.ANSWERED);
    }

    private static double perSecond(final Measurements run, final String name)
    {
        return ofServer(run, name) * SECOND_NS;
    }

    private static double serverCpu(final Measurements run)
    {
        return ofServer(run, CrowdFigures.SERVER_CPU_NS);
    }

    private static double ofServer(final Measurements run, final String name)
    {
        return ratio(run, name, CrowdFigures.SERVER_NS);
    }

    private static double ofBots(final Measurements run, final String name)
    {
        return ratio(run, name, CrowdFigures.BOTS_NS);
    }

    private static double rssMb(final Measurements run)
    {
        final long kb = run.value(CrowdFigures.RSS_KB);
        return CrowdFigures.UNKNOWN == kb ? Double.NaN : kb / 1024.0;
    }
}
