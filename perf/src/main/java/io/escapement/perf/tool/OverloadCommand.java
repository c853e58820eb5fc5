package io.escapement.perf.tool;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.perf.crowd.CrowdFigures;
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
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** More load than an engine has capacity for. */
@Command(
    name = "overload",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
        "More moves than an engine has capacity for: 1, 2, 5 and 10 times those of --capacity players, by more moves",
        "of each, and 0.8 times after each. Frame rates are governed. Every move offered must be accepted or refused,",
        "as counted on both sides; a move that cannot leave because of back pressure is not offered."})
final class OverloadCommand extends CrowdCommand
{
    private static final int[] LOADS = {1, 2, 5, 10};
    private static final double AFTER = 0.8;
    private static final int PHASES = 2;
    private static final int MAX_PLAYERS = 1_000_000;
    /** By how much sending may take longer than planned; overloaded bots never wait. */
    private static final double MAX_DELAY = 1.05;
    private static final Chart LATENCY = new Chart("latency from the planned send", "ms", MS_NS);

    /** A load and its measurements: phase 0 is the load, phase 1 the time after it. */
    private record Step(int load, Measurements run)
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
            final Map<String, Long> byReason = new LinkedHashMap<>();
            run.values(CrowdFigures.REFUSALS_RECEIVED + ".").forEach((code, count) ->
                byReason.put(nameOf(Integer.parseInt(code)), count));
            return byReason;
        }

        private List<Json> ladder()
        {
            final List<Json> changes = new ArrayList<>();
            for (int i = 0; i < value(CrowdFigures.LADDER); i++)
            {
                final String name = CrowdFigures.LADDER + "." + i + ".";
                changes.add(new Json().put("atMs", value(name + "atMs")).put("step", value(name + "level")));
            }
            return changes;
        }

        private double recoveredMs()
        {
            final long ms = value(CrowdFigures.RECOVERED_MS + ".1");
            return CrowdFigures.UNKNOWN == ms ? Double.NaN : ms;
        }
    }

    @Option(names = "--capacity", paramLabel = "PLAYERS", defaultValue = "0",
        description = "players that the engine holds; by default searched for first, in half of the time")
    private int capacity;

    @Option(names = "--admit", paramLabel = "TIMES", defaultValue = "1.5", description = {
        "rate at which the engine accepts moves of all trunks, as a multiple of those at capacity",
        "(default: ${DEFAULT-VALUE}); 0 for no limit, so that only back pressure sheds load"})
    private double admit;

    @Option(names = "--steps", defaultValue = "16",
        description = "most steps of the search for the capacity (default: ${DEFAULT-VALUE})")
    private int steps;

    private final List<Step> results = new ArrayList<>();
    private boolean isSearched;

    OverloadCommand()
    {
        this(PROCESSES);
    }

    OverloadCommand(final Runner runner)
    {
        super(runner);
    }

    @Override
    String title()
    {
        return String.format(Locale.ROOT, "%s players, %s; %d ms each of 1, 2, 5 and 10 times and of 0.8 times after" +
            " it, after %d ms of warm-up", 0 == capacity ? "as many as it holds" : whole(capacity), conditions(),
            phaseMs(), warmUpMs());
    }

    @Override
    void checkOwnOptions()
    {
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
            capacity = new CapacitySearch(this, steps, Math.max(1, shareMs(2) / steps)).run(1).players();
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
        final List<Measurements> runs = run(rooms(), (int)Math.ceil(admit * moves() / plan.trunks), parts);
        final Table table = table("load", "offered/s", "accepted", "shed    ", "not offered", "goodput/s",
            "goodput share", "in time share", "ping p99 ms", "recovered ms", "ladder");
        for (int i = 0; i < LOADS.length; i++)
        {
            final Step step = new Step(LOADS[i], runs.get(i));
            results.add(step);
            final int faultsBefore = faults();
            checkStep(step);
            row(table, step, faults() != faultsBefore);
            series(LATENCY, "load " + step.load(), step.run().intervals(CrowdFigures.PING + ".0"));
            series(LATENCY, "after load " + step.load(), step.run().intervals(CrowdFigures.PING + ".1"));
        }
        results.forEach(this::noteStep);
        note("goodput: moves answered, as a share of those at capacity; in time: within 40 ms. Accepted and shed" +
            " are of the load alone; recovered: from the end of the load until the first second at 0.8 times with a" +
            " ping p99 within 40 ms and 99 of 100 moves answered");
    }

    @Override
    Json result()
    {
        return new Json().put("bench", "overload").put("placement", plan.placement)
            .put("capacityPlayers", capacity).put("capacityMovesPerSec", (long)capacity * plan.sends)
            .put("admit", admit).put("rows", results.stream().map(this::json).toList());
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
        return Math.max(1, shareMs(LOADS.length * PHASES) / (0 == capacity || isSearched ? 2 : 1));
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
        if (sent != accepted + refused)
        {
            fault(what + sent + " moves were offered, and " + accepted + " accepted and " + refused + " refused");
        }
        if (answered != answerable)
        {
            fault(what + (answerable - answered) + " of " + answerable + " accepted moves were not answered");
        }
        final long unsent = step.value(CrowdFigures.REFUSALS_UNSENT);
        final long received = step.value(CrowdFigures.REFUSALS_RECEIVED);
        final long refusalsSent = refused + step.value(CrowdFigures.ROOMS_REFUSED) - unsent;
        if (received != refusalsSent)
        {
            fault(what + "the engine sent " + refusalsSent + " refusals, the bots received " + received);
        }
        if (0 == unsent && !step.shedByReason().equals(step.receivedByReason()))
        {
            fault(what + "refused by reason: " + step.shedByReason() + ", received: " + step.receivedByReason());
        }
        final double delay = ratio(step.run(), CrowdFigures.TOOK_NS + ".0", CrowdFigures.PLANNED_NS + ".0");
        if (delay > MAX_DELAY)
        {
            fault(what + "missed its rate, sending took " + text(delay, 2) + " times as long as planned");
        }
    }

    private void row(final Table table, final Step step, final boolean isFailed)
    {
        final double recoveredMs = step.recoveredMs();
        long lowest = 0;
        for (final Json change : step.ladder())
        {
            lowest = Math.max(lowest, (long)change.get("step"));
        }
        table.row(isFailed, step.load() + "x", whole(step.perSecond(CrowdFigures.SENT)),
            whole(step.value(CrowdFigures.ANSWERED + ".0")), whole(step.shed(0)),
            whole(step.value(CrowdFigures.NOT_OFFERED + ".0")), whole(step.perSecond(CrowdFigures.ANSWERED)),
            text(step.perSecond(CrowdFigures.ANSWERED) / moves(), 3),
            text(step.perSecond(CrowdFigures.IN_TIME) / moves(), 3), text(pingP99Ms(step.run(), 0), 2),
            Double.isNaN(recoveredMs) ? "never" : text(recoveredMs, 0), Long.toString(lowest));
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

    private Json json(final Step step)
    {
        final Json byReason = new Json();
        step.shedByReason().forEach(byReason::put);
        return new Json().put("load", step.load())
            .put("offeredPerSec", step.perSecond(CrowdFigures.SENT))
            .put("offered", step.value(CrowdFigures.SENT + ".0"))
            .put("accepted", step.value(CrowdFigures.ANSWERED + ".0"))
            .put("shed", step.shed(0))
            .put("shedAfter", step.shed(1))
            .put("shedByReason", byReason)
            .put("notOffered", step.value(CrowdFigures.NOT_OFFERED + ".0"))
            .put("goodputPerSec", step.perSecond(CrowdFigures.ANSWERED))
            .put("goodputShare", step.perSecond(CrowdFigures.ANSWERED) / moves())
            .put("inTimeShare", step.perSecond(CrowdFigures.IN_TIME) / moves())
            .put("pingP99Ms", pingP99Ms(step.run(), 0))
            .put("pingP99MsAfter", pingP99Ms(step.run(), 1))
            .put("recoveredMs", step.recoveredMs())
            .put("ladder", step.ladder());
    }

    private static String nameOf(final int value)
    {
        for (final TrunkCode code : TrunkCode.values())
        {
            if (code.value() == value)
            {
                return code.toString();
            }
        }
        for (final RefusalCode code : RefusalCode.values())
        {
            if (code.value() == value)
            {
                return code.toString();
            }
        }
        return Integer.toString(value);
    }
}
