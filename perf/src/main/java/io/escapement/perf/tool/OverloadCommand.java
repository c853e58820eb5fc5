package io.escapement.perf.tool;

import io.escapement.perf.crowd.CrowdFigures;
import io.escapement.perf.crowd.CrowdPlan;
import io.escapement.perf.crowd.LoadPhase;
import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Table;
import io.escapement.perf.rig.Measurements;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** More load than an engine has capacity for. */
@Command(
    name = "overload",
    description =
        "More moves than an engine has capacity for: 1, 2, 5 and 10 times the moves of --capacity players, and 0.8 " +
        "times after each step. Each player sends more moves. Frame rates are governed. Every offered move must be " +
        "accepted or refused, as counted on both sides. A move that back pressure stops is not offered.",
    footer = {"", "Examples:",
        "  perf overload",
        "  perf overload --capacity 4096 --admit 2"})
final class OverloadCommand extends CrowdCommand
{
    private static final int[] LOADS = {1, 2, 5, 10};
    private static final double AFTER = 0.8;
    private static final int PHASES = 2;
    private static final int MAX_PLAYERS = 1_000_000;
    /** By how much sending may take longer than planned. Overloaded bots never wait. */
    private static final double MAX_DELAY = 1.05;
    private static final Chart LATENCY = new Chart("latency from the planned send", "ms", MS_NS);

    /** A load and its measurements: phase 0 is the load, phase 1 the time after it. */
    private record Step(int pair, int load, Measurements run)
    {
        private long value(final String name)
        {
            return run.value(name);
        }

        private double perSecond(final String name)
        {
            return value(name + ".0") * SECOND_NS / value(CrowdFigures.TOOK_NS + ".0");
        }

        private long shed(final int phase)
        {
            return value(CrowdFigures.SENT + "." + phase) - value(CrowdFigures.ANSWERED + "." + phase);
        }

        /** Refusals by reason, as the engine counts them. */
        private Map<String, Long> shedByReason()
        {
            final Map<String, Long> byReason = new LinkedHashMap<>(run.values(CrowdFigures.SHED));
            run.values(CrowdFigures.ROOM_REFUSED).forEach((reason, count) -> byReason.merge(reason, count, Long::sum));
            return byReason;
        }

        /** Refusals by reason, as the bots received them. */
        private Map<String, Long> receivedByReason()
        {
            return refusalsByReason(run);
        }

        private List<Json> ladder()
        {
            return IntStream.range(0, (int)value(CrowdFigures.LADDER))
                .mapToObj((i) -> CrowdFigures.LADDER + "." + i + ".").map((name) ->
                    new Json().put("atMs", value(name + "atMs")).put("step", value(name + "level"))).toList();
        }

        private double recoveredMs()
        {
            final long ms = value(CrowdFigures.RECOVERED_MS + ".1");
            return CrowdFigures.UNKNOWN == ms ? Double.NaN : ms;
        }
    }

    @Option(names = "--capacity", paramLabel = "PLAYERS", defaultValue = "0",
        description = "players that the engine can hold (default: searched for first, in half of the time)")
    private int capacity;

    @Option(names = "--admit", paramLabel = "TIMES", defaultValue = "1.5", description =
        "rate at which the engine accepts moves of all trunks, as a multiple of the moves at capacity " +
        "(default: ${DEFAULT-VALUE}). With 0 there is no limit, and only back pressure sheds load.")
    private double admit;

    @Option(names = "--steps", defaultValue = "16",
        description = "maximum steps of the search for the capacity (default: ${DEFAULT-VALUE})")
    private int steps;

    private final List<Figure<Step>> figures = List.of(
        new Figure<>("offered/s", "offeredPerSec", 0, (step) -> step.perSecond(CrowdFigures.SENT)),
        new Figure<>(null, "offered", 0, (step) -> step.value(CrowdFigures.SENT + ".0")),
        new Figure<>("accepted", "accepted", 0, (step) -> step.value(CrowdFigures.ANSWERED + ".0")),
        new Figure<>("shed    ", "shed", 0, (step) -> step.shed(0)),
        new Figure<>(null, "shedAfter", 0, (step) -> step.shed(1)),
        new Figure<>(null, "shedByReason", 0, Step::shedByReason),
        new Figure<>("not offered", "notOffered", 0, (step) -> step.value(CrowdFigures.NOT_OFFERED + ".0")),
        new Figure<>("goodput/s", "goodputPerSec", 0, (step) -> step.perSecond(CrowdFigures.ANSWERED)),
        new Figure<>("goodput share", "goodputShare", 3, (step) -> step.perSecond(CrowdFigures.ANSWERED) / moves()),
        new Figure<>("in time share", "inTimeShare", 3, (step) -> step.perSecond(CrowdFigures.IN_TIME) / moves()),
        new Figure<>("ping p99 ms", "pingP99Ms", 2, (step) -> pingP99Ms(step.run(), 0)),
        new Figure<>(null, "pingP99MsAfter", 0, (step) -> pingP99Ms(step.run(), 1)),
        new Figure<>("recovered ms", null, 0,
            (step) -> Double.isNaN(step.recoveredMs()) ? "never" : Figure.text(step.recoveredMs(), 0)),
        new Figure<>(null, "recoveredMs", 0, Step::recoveredMs),
        new Figure<>("ladder", null, 0,
            (step) -> step.ladder().stream().mapToLong((change) -> (long)change.get("step")).max().orElse(0)),
        new Figure<>(null, "ladder", 0, Step::ladder));
    private final List<Step> results = new ArrayList<>();
    private boolean isSearched;

    OverloadCommand()
    {
        super(Map.of("--warm-up-ms", CrowdPlan.WARM_UP_MS, "--pairs", "1"));
    }

    @Override
    String title()
    {
        return String.format(Locale.ROOT, "%s players, %s; %d ms each of 1, 2, 5 and 10 times and of 0.8 times after" +
            " it, after at least %d ms of warm-up", 0 == capacity ? "as many as it holds" : Figure.text(capacity, 0),
            conditions(), phaseMs(), plan.warmUpMs);
    }

    @Override
    void checkOptions()
    {
        super.checkOptions();
        check(0 == capacity || capacity >= plan.seats && capacity <= MAX_PLAYERS, "--capacity", capacity);
        check(admit >= 0 && admit <= 100, "--admit", admit);
        check(steps >= 1, "--steps", steps);
        isSearched = 0 == capacity;
    }

    @Override
    void measure()
    {
        if (isSearched)
        {
            capacity = new CapacitySearch(this, steps, Math.max(1, shareMs(2) / steps), CapacitySearch.A_QUARTER_MORE)
                .run(1, null, (copy) -> copy).players();
            if (0 == capacity)
            {
                return;
            }
        }
        final List<List<LoadPhase>> parts = new ArrayList<>();
        for (final int load : LOADS)
        {
            parts.add(List.of(new LoadPhase(load * moves(), phaseMs()),
                new LoadPhase(Math.max(1, Math.round(AFTER * moves())), phaseMs())));
        }
        final Table table = table(Figure.heads(figures, "load"));
        boolean isGood = true;
        for (int pair = 1; isGood && pair <= pairs(); pair++)
        {
            isGood = run(table, pair, parts);
        }
        results.forEach(this::noteStep);
        note("goodput: moves answered, as a share of those at capacity; in time: within 40 ms. Accepted and shed" +
            " are of the load alone; recovered: from the end of the load until the first second at 0.8 times with a" +
            " ping p99 within 40 ms and 99 of 100 moves answered");
    }

    @Override
    void putResult(final Json json)
    {
        json.put("channel", plan.channel)
            .put("idle", plan.idle)
            .put("placement", plan.placement).put("statesOn", plan.states)
            .put("capacityPlayers", capacity).put("capacityMovesPerSec", (long)capacity * plan.sends)
            .put("admit", admit).put("rows", results.stream()
                .map((step) -> Figure.put(new Json().put("load", step.load()), figures, step).put("run", step.pair()))
                .toList());
    }

    private boolean run(final Table table, final int pair, final List<List<LoadPhase>> parts)
    {
        final List<Measurements> runs = attempt("run " + pair,
            () -> run(rooms(), (int)Math.ceil(admit * moves() / plan.trunks), parts),
            () -> row(table, Figure.cells(figures, null, "all")));
        for (int i = 0; null != runs && i < LOADS.length; i++)
        {
            final Step step = new Step(pair, LOADS[i], runs.get(i));
            results.add(step);
            checkStep(step);
            row(table, Figure.cells(figures, step, step.load() + "x"));
            series(LATENCY, "load " + step.load(), step.run().intervals(CrowdFigures.PING + ".0"));
            series(LATENCY, "after load " + step.load(), step.run().intervals(CrowdFigures.PING + ".1"));
        }
        return null != runs;
    }

    private int rooms()
    {
        return Math.max(1, capacity / plan.seats);
    }

    /** Moves per second at capacity. */
    private long moves()
    {
        return movesPerSecond(rooms());
    }

    private int phaseMs()
    {
        return Math.max(1, shareMs(LOADS.length * PHASES * pairs()) / (0 == capacity || isSearched ? 2 : 1));
    }

    private void checkStep(final Step step)
    {
        final String what = step.load() + " times: ";
        checkContent(what, step.run());
        final long sent = step.value(CrowdFigures.SENT);
        final long accepted = step.value(CrowdFigures.ACCEPTED);
        final long refused = step.value(CrowdFigures.REFUSED);
        final long answerable = accepted - step.value(CrowdFigures.ROOMS_REFUSED);
        final long answered = step.value(CrowdFigures.ANSWERED);
        faultIf(sent != accepted + refused,
            what + sent + " moves were offered, and " + accepted + " accepted and " + refused + " refused");
        faultIf(answered != answerable,
            what + (answerable - answered) + " of " + answerable + " accepted moves were not answered");
        final long unsent = step.value(CrowdFigures.REFUSALS_UNSENT);
        final long received = step.value(CrowdFigures.REFUSALS_RECEIVED);
        final long refusalsSent = refused + step.value(CrowdFigures.ROOMS_REFUSED) - unsent;
        faultIf(received != refusalsSent,
            what + "the engine sent " + refusalsSent + " refusals, the bots received " + received);
        faultIf(0 == unsent && !step.shedByReason().equals(step.receivedByReason()),
            what + "refused by reason: " + step.shedByReason() + ", received: " + step.receivedByReason());
        final double delay = ratio(step.run(), CrowdFigures.TOOK_NS + ".0", CrowdFigures.PLANNED_NS + ".0");
        faultIf(delay > MAX_DELAY,
            what + "missed its rate, sending took " + Figure.text(delay, 2) + " times as long as planned");
    }

    private void noteStep(final Step step)
    {
        final List<Json> ladder = step.ladder();
        note(String.format(Locale.ROOT, "%d times: refused %s; batches sent back %,d; states dropped %,d; room-frames" +
            " missed %,d of %,d; steps of the ladder %s", step.load(), step.shedByReason(),
            step.value(CrowdFigures.SENT_BACK), step.value(CrowdFigures.STATES_DROPPED),
            step.value(CrowdFigures.MISSED), step.value(CrowdFigures.ROOM_FRAMES),
            ladder.isEmpty() ? "none" : ladder));
    }
}
