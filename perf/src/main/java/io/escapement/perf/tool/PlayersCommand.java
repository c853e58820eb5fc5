package io.escapement.perf.tool;

import io.escapement.perf.crowd.CrowdFigures;
import io.escapement.perf.crowd.CrowdPlan;
import io.escapement.perf.crowd.LoadPhase;
import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Ratios;
import io.escapement.perf.report.Table;
import io.escapement.perf.rig.DurablePlan;
import io.escapement.perf.rig.LoopMeter;
import io.escapement.perf.rig.Measurements;
import io.escapement.perf.rig.Percentiles;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.UnaryOperator;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** A given number of players. */
@Command(
    name = "players",
    description = {
        "Players in rooms: an engine in one process, bots in another. Every move is answered in its turn (ping), and",
        "is in the next state of its room (moveToState); both count from the planned send. Frame rates are not",
        "governed, so that late and missed frames show. With --beside a peer gets the same load afterwards. With",
        "--durability the engine runs three times in each pair: so, and twice in memory. With --web the players are",
        "WebSockets at a gateway in another process with one trunk, and then share a trunk without it. With --console",
        "the engine runs three times in each pair: with pages open at its console, and twice without. --pairs show",
        "the spread."})
final class PlayersCommand extends CrowdCommand
{
    private static final int MIN_RATE_PERMILLE = 990;
    private static final String PING = CrowdFigures.PING + ".0";
    private static final double US_NS = 1e3;
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
        member("frameLatenessP99Ms", (run) -> ms(Percentiles.at(lateness(run), 99))),
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
        member("rssMb", PlayersCommand::rssMb),
        member("cpuNsPerState", CrowdCommand::cpuNsPerState),
        member("cpuNsPerMove", CrowdCommand::cpuNsPerMove),
        percentile("pingMaxMs", PING, 100), percentile("moveToStateMaxMs", CrowdFigures.MOVE_TO_STATE, 100),
        percentile("frameLatenessMaxMs", CrowdFigures.LATENESS, 100),
        percentile("frameGapMaxMs", CrowdFigures.GAP, 100));

    private static final List<Figure<Measurements>> OF_LOOP = List.of(
        wait("ringWaitP50Us", LoopMeter.RING_WAIT, 50), wait("ringWaitP99Us", LoopMeter.RING_WAIT, 99),
        wait("commitWaitP50Us", LoopMeter.COMMIT_WAIT, 50), wait("commitWaitP99Us", LoopMeter.COMMIT_WAIT, 99),
        member("bytesPerTurn", (run) -> ratio(run, CrowdFigures.ENGINE_BYTES, LoopMeter.TURNS)));

    private static final List<Figure<Measurements>> OF_GATEWAY = List.of(
        member("workerCpu", (run) -> ratio(run, CrowdFigures.GATEWAY_WORKER_NS, CrowdFigures.GATEWAY_NS)),
        member("cpu", (run) -> ratio(run, CrowdFigures.GATEWAY_CPU_NS, CrowdFigures.GATEWAY_NS)),
        member("usPerMessage", (run) -> run.value(CrowdFigures.GATEWAY_WORKER_NS) / US_NS / webMessages(run)),
        member("bytesPerMessage", (run) -> (double)run.value(CrowdFigures.GATEWAY_BYTES) / webMessages(run)));

    private static final List<Figure<Measurements>> OF_PAGES = List.of(
        member("leastEvents", (run) -> least(run, CrowdFigures.PAGE_EVENTS)),
        member("leastBytes", (run) -> least(run, CrowdFigures.PAGE_BYTES)),
        member("leastLists", (run) -> least(run, CrowdFigures.PAGE_LISTS)));

    /** A kind of run: its name, empty for the engine as the options ask for it, and how its plan differs. */
    private record Side(String name, UnaryOperator<CrowdPlan> change)
    {
        /** Of its rows and series. */
        String prefix()
        {
            return name.isEmpty() ? "" : name + " ";
        }
    }

    /** Ends the name of a side that runs a second time, to show the noise. */
    private static final String NULL = "-null";
    private static final String ENGINE = "engine";
    /** Without a gateway. */
    private static final String TRUNKS = "trunks";
    /** At a console without pages. */
    private static final String NO_PAGES = "no-pages";
    /** As many as a console accepts. */
    private static final int MAX_PAGES = 32;

    @Mixin
    private Beside beside;

    @Option(names = "--web", description = "behind a gateway, a WebSocket for each player, and beside it without")
    private boolean isWeb;

    @Option(names = "--tls", description = "with --web: WebSockets over TLS")
    private boolean isTls;

    @Option(names = "--console", paramLabel = "PAGES", defaultValue = "0", description = {
        "pages that are open at the engine's console, and beside it none: each reads all events and asks for the",
        "lists every two seconds"})
    private int pages;

    private final Map<String, List<Measurements>> runsBySideMap = new HashMap<>();
    /** The last run of the engine. */
    private Measurements run;

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
        check(beside.isRight(), "--beside", beside.peer);
        check(null == beside.peer || !plan.isDurable(), "--beside", beside.peer);
        check(!isWeb || null == beside.peer && !plan.isDurable(), "--web", isWeb);
        check(!isTls || isWeb, "--tls", isTls);
        checkRange("--console", pages, 0, MAX_PAGES);
        check(0 == pages || null == beside.peer && !plan.isDurable() && !isWeb, "--console", pages);
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
        final List<Side> sides = sides();
        try
        {
            boolean isGood = true;
            for (int i = 0; isGood && i < pairs() * sides.size(); i++)
            {
                final int pair = i / sides.size();
                final int place = i % sides.size();
                isGood = runOn(pair + 1, sides.get(0 == pair % 2 ? place : sides.size() - 1 - place), table);
            }
        }
        finally
        {
            // The engine's figures stay when the peer fails.
            if (null != run)
            {
                noteCounts();
                noteMissedFrames();
            }
        }
        if (sides.size() > 1)
        {
            noteBeside();
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
            json.put("web", gateway()).put("gateway", putMedians(new Json(), OF_GATEWAY, ""));
        }
        if (pages > 0)
        {
            json.put("console", putMedians(new Json().put("pages", pages), OF_PAGES, ""));
        }
        putMedians(json, FIGURES, "");
        json.put("loop", putMedians(new Json(), OF_LOOP, ""));
        if (null != other())
        {
            json.put("beside", other()).put("besideRun", putMedians(new Json(), FIGURES, other()));
            putRatios(json, "");
        }
        if (null != nullSide())
        {
            json.put("null", putRatios(new Json(), nullSide()));
        }
    }

    @Override
    String verdict()
    {
        return null == beside.peer ? null : verdict("cores per state", CrowdCommand::cpuNsPerState) + ", " +
            verdict("ping p99", PlayersCommand::pingP99Ms);
    }

    private String verdict(final String name, final ToDoubleFunction<Measurements> figure)
    {
        final Ratios ratios = ratio("", figure);
        final Ratios nullRatios = ratio(nullSide(), figure);
        return beside.verdict(ratios.standing(nullRatios, false), name, ratios.evidence(nullRatios));
    }

    /** The name of what the engine is compared with, null if nothing is. */
    private String other()
    {
        return plan.isDurable() ? DurablePlan.MEMORY : isWeb ? TRUNKS : pages > 0 ? NO_PAGES : beside.peer;
    }

    /** The name of the engine's runs that show the noise, null if there are none. */
    private String nullSide()
    {
        return null == other() ? null : isBesideItself() ? other() + NULL : ENGINE + NULL;
    }

    /** Whether the engine is compared with an engine with other options, which then runs twice. */
    private boolean isBesideItself()
    {
        return plan.isDurable() || pages > 0;
    }

    private String gateway()
    {
        return isTls ? CrowdPlan.TLS : CrowdPlan.PLAIN;
    }

    /** In the order of the first pair. */
    private List<Side> sides()
    {
        final Side engine = new Side("", (copy) -> isWeb ? copy.atGateway(gateway()) : pages > 0 ?
            copy.withPages(pages) : copy);
        if (null == other())
        {
            return List.of(engine);
        }
        final UnaryOperator<CrowdPlan> change = (copy) -> plan.isDurable() ? copy.inMemory() :
            isWeb ? copy.onOneTrunk() : pages > 0 ? copy.withPages(0) : copy.beside(beside.peer);
        final Side base = new Side(other(), change);
        return isBesideItself() ? List.of(base, engine, new Side(nullSide(), change)) :
            List.of(engine, base, new Side(nullSide(), engine.change));
    }

    private boolean runOn(final int pair, final Side side, final Table table)
    {
        final String name = side.name.isEmpty() ? ENGINE : side.name;
        final List<Measurements> parts = attempt(1 == pairs() ? name : "pair " + pair + " " + name,
            () -> run(side.change, plan.rooms, 0, List.of(List.of(new LoadPhase(movesPerSecond(plan.rooms), runMs())))),
            () -> row(table, Figure.cells(DISTRIBUTION, null, side.prefix() + "ping")));
        if (null == parts)
        {
            return false;
        }
        final Measurements ofSide = parts.get(0);
        checkRun(side.name.isEmpty() ? "" : side.name + ": ", ofSide);
        ofSide.values(CrowdFigures.PAGE_EVENTS).forEach((page, events) ->
            faultIf(0 == events, "page " + page + " at the console got no events"));
        runsBySideMap.computeIfAbsent(side.name, (key) -> new ArrayList<>()).add(ofSide);
        run = side.name.isEmpty() ? ofSide : run;
        addRows(table, side.prefix(), ofSide);
        return true;
    }

    private int runMs()
    {
        return shareMs(sides().size() * pairs());
    }

    private List<Measurements> runs(final String side)
    {
        return runsBySideMap.getOrDefault(side, List.of());
    }

    private Json putMedians(final Json json, final List<Figure<Measurements>> figures, final String side)
    {
        figures.forEach((figure) ->
            json.put(figure.key(), median(side, figure::number)));
        return json;
    }

    private Json putRatios(final Json json, final String side)
    {
        return json.put("pingP50Ratio", ratio(side, PlayersCommand::pingP50Ms).median())
            .put("pingP99Ratio", ratio(side, PlayersCommand::pingP99Ms).median())
            .put("serverCpuRatio", ratio(side, PlayersCommand::serverCpu).median())
            .put("cpuPerStateRatio", ratio(side, CrowdCommand::cpuNsPerState).median())
            .put("cpuPerMoveRatio", ratio(side, CrowdCommand::cpuNsPerMove).median());
    }

    private void addRows(final Table table, final String side, final Measurements ofSide)
    {
        row(table, Figure.cells(DISTRIBUTION, ofSide.total(PING), side + "ping"));
        row(table, Figure.cells(DISTRIBUTION, ofSide.total(CrowdFigures.MOVE_TO_STATE), side + "moveToState"));
        if (!ofSide.intervals(CrowdFigures.STATE_AGE).isEmpty())
        {
            row(table, Figure.cells(DISTRIBUTION, ofSide.total(CrowdFigures.STATE_AGE), side + "state age"));
            series(LATENCY, side + "stateAge", ofSide.intervals(CrowdFigures.STATE_AGE));
        }
        row(table, Figure.cells(DISTRIBUTION, lateness(ofSide), side + "frame lateness"));
        row(table, Figure.cells(DISTRIBUTION, ofSide.total(CrowdFigures.GAP), side + "frame gap"));
        series(LATENCY, side + "ping", ofSide.intervals(PING));
        series(LATENCY, side + "moveToState", ofSide.intervals(CrowdFigures.MOVE_TO_STATE));
        series(GAP, side + "frameGap", ofSide.intervals(CrowdFigures.GAP));
        if (plan.isDurable() && side.isEmpty())
        {
            series(WAIT, "ringWait", ofSide.intervals(LoopMeter.RING_WAIT));
            series(WAIT, "commitWait", ofSide.intervals(LoopMeter.COMMIT_WAIT));
        }
        series(LATENESS, side + "frameLateness", ofSide.intervals(CrowdFigures.LATENESS));
    }

    private void noteBeside()
    {
        for (final Side side : sides())
        {
            if (!side.name.isEmpty() && !runs(side.name).isEmpty())
            {
                noteSide(side.name, runs(side.name).get(runs(side.name).size() - 1));
            }
        }
        if (isWeb)
        {
            noteGateway();
        }
        if (pages > 0)
        {
            note(String.format(Locale.ROOT, "pages at the console: %d, each got at least %.0f events, %,.0f bytes and" +
                " %.0f lists", pages, median(OF_PAGES, "leastEvents"), median(OF_PAGES, "leastBytes"),
                median(OF_PAGES, "leastLists")));
        }
        noteRatios((plan.isDurable() ? plan.durability : isWeb ? MeasuredProcess.GATEWAY :
            pages > 0 ? MeasuredProcess.PAGES : ENGINE) + "/" + other());
    }

    private void noteSide(final String name, final Measurements other)
    {
        note(String.format(Locale.ROOT, "%s: states: %,d of %,d delivered, %,d dropped; %,d of %,d moves lost;" +
            " %,d of %,d room-frames missed", name,
            other.value(CrowdFigures.STATES_SEEN), other.value(CrowdFigures.STATES_SENT),
            other.value(CrowdFigures.STATES_DROPPED), lost(other), other.value(CrowdFigures.SENT),
            other.value(CrowdFigures.MISSED), other.value(CrowdFigures.ROOM_FRAMES)));
        note(String.format(Locale.ROOT, "%s: server: %.2f cores, its loop %.2f; %,.0f MB of memory; bots: %.2f cores," +
            " at work for %.2f of the time", name, serverCpu(other),
            ratio(other, CrowdFigures.LOOPS_BUSY_NS, CrowdFigures.SERVER_NS), rssMb(other),
            ratio(other, CrowdFigures.BOTS_CPU_NS, CrowdFigures.BOTS_NS),
            ratio(other, CrowdFigures.BOTS_BUSY_NS, CrowdFigures.BOTS_NS)));
        noteCpu(name, other);
        note(String.format(Locale.ROOT, "%s: allocated per second: %,.0f B by the loop; compilers: at work for %,d ms" +
            " in the server, for %,d ms in the bots", name, perSecond(other, CrowdFigures.ENGINE_BYTES),
            ProcessUse.compiledMs(other, MeasuredProcess.SERVER),
            ProcessUse.compiledMs(other, MeasuredProcess.CLIENT)));
    }

    private void noteCpu(final String name, final Measurements ofSide)
    {
        note(String.format(Locale.ROOT, "%s: processor time of the server: %,.0f ns for each state delivered," +
            " %,.0f ns for each move", name, cpuNsPerState(ofSide), cpuNsPerMove(ofSide)));
    }

    private void noteGateway()
    {
        note(String.format(Locale.ROOT, "gateway: its worker %.2f cores, its process %.2f; %.1f us of the worker and" +
            " %.1f B allocated a message", median(OF_GATEWAY, "workerCpu"), median(OF_GATEWAY, "cpu"),
            median(OF_GATEWAY, "usPerMessage"), median(OF_GATEWAY, "bytesPerMessage")));
    }

    /** The median over the pairs of a figure of the engine's runs. */
    private double median(final List<Figure<Measurements>> figures, final String key)
    {
        final Figure<Measurements> figure =
            figures.stream().filter((candidate) -> candidate.key().equals(key)).findFirst().orElseThrow();
        return median("", figure::number);
    }

    private double median(final String side, final ToDoubleFunction<Measurements> figure)
    {
        return Ratios.median(runs(side).stream().filter((ofSide) -> !ProcessUse.isLoadBound(ofSide))
            .mapToDouble(figure).boxed().toList());
    }

    private void noteRatios(final String name)
    {
        note(String.format(Locale.ROOT, "%s: ping p50 %s; p99 %s; server cores %s; server time per state %s, per move" +
            " %s", name, text(PlayersCommand::pingP50Ms), text(PlayersCommand::pingP99Ms),
            text(PlayersCommand::serverCpu), text(CrowdCommand::cpuNsPerState), text(CrowdCommand::cpuNsPerMove)));
    }

    private String text(final ToDoubleFunction<Measurements> figure)
    {
        return ratio("", figure).against(ratio(nullSide(), figure));
    }

    /**
     * A figure of a side, divided by the figure of its base in the same pair. The null next to another kind of server
     * is the engine's: by how much it differs from itself.
     */
    private Ratios ratio(final String side, final ToDoubleFunction<Measurements> figure)
    {
        final ToDoubleFunction<Measurements> ofResult =
            (ofSide) -> isResult(ofSide) ? figure.applyAsDouble(ofSide) : Double.NaN;
        final String base = side.equals(nullSide()) && !isBesideItself() ? "" : other();
        return Ratios.of(runs(side).stream().mapToDouble(ofResult).boxed().toList(),
            runs(base).stream().mapToDouble(ofResult).boxed().toList());
    }

    /** Rooms of a phase group are late together. */
    private static Histogram lateness(final Measurements ofSide)
    {
        return Percentiles.perFrame(
            ofSide.total(CrowdFigures.LATENESS), ofSide.value(CrowdFigures.ROOMS_PER_FRAME));
    }

    private void checkRun(final String side, final Measurements ofSide)
    {
        checkContent(side, ofSide);
        final long sent = ofSide.value(CrowdFigures.SENT);
        if (0 != lost(ofSide))
        {
            final Map<String, Long> refusals = refusalsByReason(ofSide);
            fault(side + lost(ofSide) + " of " + sent + " moves were not answered" +
                (refusals.isEmpty() ? "" : ", refused: " + refusals));
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
        noteCpu(ENGINE, run);
        note(String.format(Locale.ROOT,
            "allocated per second: %,.0f B by the loops and the edge, %,.0f B by the media driver that one of their" +
            " threads invokes, %,.0f B by the monitor, %,.0f B by the bots' thread",
            perSecond(run, CrowdFigures.ENGINE_BYTES), perSecond(run, CrowdFigures.DRIVER_BYTES),
            perSecond(run, CrowdFigures.MONITOR_BYTES), ofBots(CrowdFigures.BOTS_BYTES) * SECOND_NS));
        final String safepoints = run.values(CrowdFigures.SAFEPOINTS).isEmpty() ? "" : String.format(Locale.ROOT,
            "; the server had %,d safepoints of %.1f ms in all",
            run.value(CrowdFigures.SAFEPOINTS), ms(run.value(CrowdFigures.SAFEPOINT_NS)));
        note(String.format(Locale.ROOT, "compilers: at work for %,d ms in the server, for %,d ms in the bots%s",
            ProcessUse.compiledMs(run, MeasuredProcess.SERVER), ProcessUse.compiledMs(run, MeasuredProcess.CLIENT),
            safepoints));
        note(String.format(Locale.ROOT, "commands: in the ring p50 %.0f us, p99 %.0f us; turns: %.1f B allocated in" +
            " each%s", median(OF_LOOP, "ringWaitP50Us"), median(OF_LOOP, "ringWaitP99Us"),
            median(OF_LOOP, "bytesPerTurn"), !plan.isDurable() ? "" : String.format(Locale.ROOT,
                ", waited for the log p50 %.0f us, p99 %.0f us", median(OF_LOOP, "commitWaitP50Us"),
                median(OF_LOOP, "commitWaitP99Us"))));
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
        return member(key, (run) -> ms(Percentiles.at(run.total(series), percentile)));
    }

    private static Figure<Measurements> wait(final String key, final String series, final double percentile)
    {
        return member(key, (run) -> run.total(series).getValueAtPercentile(percentile) / US_NS);
    }

    /** Moves, answers and states of the players. */
    private static long webMessages(final Measurements run)
    {
        return run.value(CrowdFigures.SENT) + run.value(CrowdFigures.ANSWERED) + run.value(CrowdFigures.STATES_SEEN);
    }

    /** Of the page that got least. */
    private static long least(final Measurements run, final String what)
    {
        return run.values(what).values().stream().mapToLong(Long::longValue).min().orElse(0);
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

    private static double pingP50Ms(final Measurements run)
    {
        return ms(run.total(PING).getValueAtPercentile(50));
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
