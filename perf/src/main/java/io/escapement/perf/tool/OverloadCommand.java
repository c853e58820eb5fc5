package io.escapement.perf.tool;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.perf.players.Crowd;
import io.escapement.perf.players.Phase;
import io.escapement.perf.players.PlayersRun;
import io.escapement.perf.process.Findings;
import io.escapement.perf.report.Chart;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Table;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What an engine does with more than it can do. */
@Command(
    name = "overload",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
        "More moves than an engine has room for: once, 2, 5 and 10 times those of --capacity players, by more moves",
        "of each, and after each 0.8 times. Frame rates are governed. What was offered has to be accepted or refused",
        "to the last move, as both sides count; what could not leave because of back pressure was not offered."})
final class OverloadCommand extends CrowdCommand
{
    private static final int[] LOADS = {1, 2, 5, 10};
    private static final double AFTER = 0.8;
    private static final int PHASES = 2;
    private static final int MAX_PLAYERS = 1_000_000;
    private static final double MAX_ADMIT = 100;
    /** The bots never wait: when they are late it is their own doing. */
    private static final double LATEST = 1.05;
    private static final Chart LATENCY = new Chart("latency from the planned send", "ms", MS_NS);

    /** A load and what became of it. */
    private record Step(int load, Findings found)
    {
        private long value(final String name)
        {
            return found.value(name);
        }

        private double perSecond(final String name)
        {
            return found.value(name + ".0") * SECOND_NS / found.value(PlayersRun.TOOK_NS + ".0");
        }

        private long shed()
        {
            return value(PlayersRun.SENT + ".0") - value(PlayersRun.ANSWERED + ".0");
        }
    }

    @Option(names = "--capacity", paramLabel = "PLAYERS", defaultValue = "0",
        description = "players that the engine holds; searched for first, in half of the time, unless it is given")
    private int capacity;

    @Option(names = "--admit", paramLabel = "TIMES", defaultValue = "1.5", description = {
        "rate at which the engine takes moves of all trunks, in times of those at capacity",
        "(default: ${DEFAULT-VALUE}); 0 for no limit: then back pressure alone keeps moves out"})
    private double admit;

    @Option(names = "--steps", defaultValue = "16",
        description = "most steps of the search for the capacity (default: ${DEFAULT-VALUE})")
    private int steps;

    private final List<Step> found = new ArrayList<>();
    private boolean isSearched;

    OverloadCommand()
    {
        this(PlayersRun::run);
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
        check(0 == capacity || capacity >= seats() && capacity <= MAX_PLAYERS, "--capacity", capacity);
        check(admit >= 0 && admit <= MAX_ADMIT, "--admit", admit);
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
        final Crowd crowd = crowd().withRooms(Math.max(1, capacity / seats()));
        final long moves = movesPerSecond(crowd);
        final List<List<Phase>> parts = new ArrayList<>();
        for (final int load : LOADS)
        {
            parts.add(List.of(
                new Phase(load * moves, phaseMs()), new Phase(Math.max(1, Math.round(AFTER * moves)), phaseMs())));
        }
        final int trunkRate = (int)Math.ceil(admit * moves / crowd.trunks());
        final List<Findings> parted = run(crowd, trunkRate, parts);
        final Table table = table("load", "offered/s", "accepted", "shed    ", "not offered", "goodput/s",
            "goodput share", "in time share", "ping p99 ms", "recovered ms", "ladder");
        for (int i = 0; i < LOADS.length; i++)
        {
            final Step step = new Step(LOADS[i], parted.get(i));
            found.add(step);
            final int faultsBefore = faults();
            check(step);
            row(table, step, moves, faults() != faultsBefore);
            series(LATENCY, "load " + step.load(), step.found().intervals(PlayersRun.PING + ".0"));
            series(LATENCY, "after load " + step.load(), step.found().intervals(PlayersRun.PING + ".1"));
        }
        found.forEach(this::notes);
        note("goodput: moves that were answered, as a share of those of the capacity; in time: within 40 ms. Accepted" +
            " and shed are of the load alone; recovered: from the end of the load until a second at 0.8 times began" +
            " whose ping p99 is within 40 ms and in which 99 of 100 moves are answered");
    }

    @Override
    Json result()
    {
        final List<Json> rows = new ArrayList<>();
        for (final Step step : found)
        {
            rows.add(row(step));
        }
        return new Json().put("bench", "overload").put("placement", placement())
            .put("capacityPlayers", capacity).put("capacityMovesPerSec", (long)capacity * sends())
            .put("admit", admit).put("rows", rows);
    }

    private int phaseMs()
    {
        return Math.max(1, shareMs(LOADS.length * PHASES) / (0 == capacity || isSearched ? 2 : 1));
    }

    private void check(final Step step)
    {
        final String what = step.load() + " times: ";
        checkContent(what, step.found());
        final long sent = step.value(PlayersRun.SENT);
        final long accepted = step.value(PlayersRun.ACCEPTED);
        final long refused = step.value(PlayersRun.REFUSED);
        final long roomsRefused = step.value(PlayersRun.ROOMS_REFUSED);
        if (sent != accepted + refused)
        {
            fault(what + sent + " moves were offered, and " + accepted + " accepted and " + refused + " refused");
        }
        if (step.value(PlayersRun.ANSWERED) != accepted - roomsRefused)
        {
            fault(what + (accepted - roomsRefused - step.value(PlayersRun.ANSWERED)) + " of " +
                (accepted - roomsRefused) + " accepted moves were not answered");
        }
        final long heard = step.value(PlayersRun.HEARD);
        final long told = refused + roomsRefused - step.value(PlayersRun.REFUSALS_UNTOLD);
        if (heard != told)
        {
            fault(what + "the engine told of " + told + " refusals, the bots heard of " + heard);
        }
        if (0 == step.value(PlayersRun.REFUSALS_UNTOLD) && !shed(step.found()).equals(heard(step.found())))
        {
            fault(what + "refused by reason: " + shed(step.found()) + ", heard of: " + heard(step.found()));
        }
        if (step.value(PlayersRun.TOOK_NS + ".0") > LATEST * step.value(PlayersRun.PLANNED_NS + ".0"))
        {
            fault(what + "missed its rate, the moves took " +
                text(ratio(step.value(PlayersRun.TOOK_NS + ".0"), step.value(PlayersRun.PLANNED_NS + ".0")), 2) +
                " times as long as planned");
        }
    }

    /** What was refused, by reason, as the engine counts. */
    private static Map<String, Long> shed(final Findings found)
    {
        final Map<String, Long> byReason = new LinkedHashMap<>(found.values(PlayersRun.SHED));
        found.values(PlayersRun.ROOM_REFUSED).forEach((reason, count) -> byReason.merge(reason, count, Long::sum));
        return byReason;
    }

    /** What was refused, by reason, as the bots heard. */
    private static Map<String, Long> heard(final Findings found)
    {
        final Map<String, Long> byReason = new LinkedHashMap<>();
        found.values(PlayersRun.HEARD + ".").forEach((code, count) ->
        {
            final int value = Integer.parseInt(code);
            final TrunkCode ofTrunk = find(TrunkCode.values(), value);
            final RefusalCode ofRoom = find(RefusalCode.values(), value);
            byReason.put(null != ofTrunk ? ofTrunk.toString() : null != ofRoom ? ofRoom.toString() : code, count);
        });
        return byReason;
    }

    private static TrunkCode find(final TrunkCode[] codes, final int value)
    {
        for (final TrunkCode code : codes)
        {
            if (code.value() == value)
            {
                return code;
            }
        }
        return null;
    }

    private static RefusalCode find(final RefusalCode[] codes, final int value)
    {
        for (final RefusalCode code : codes)
        {
            if (code.value() == value)
            {
                return code;
            }
        }
        return null;
    }

    private void row(final Table table, final Step step, final long moves, final boolean isFailed)
    {
        final long recovered = step.value(PlayersRun.RECOVERED_MS + ".1");
        long lowest = 0;
        for (final Json change : ladder(step.found()))
        {
            lowest = Math.max(lowest, (long)change.get("step"));
        }
        table.row(isFailed, step.load() + "x", whole(step.perSecond(PlayersRun.SENT)),
            whole(step.value(PlayersRun.ANSWERED + ".0")), whole(step.shed()),
            whole(step.value(PlayersRun.NOT_OFFERED + ".0")), whole(step.perSecond(PlayersRun.ANSWERED)),
            text(step.perSecond(PlayersRun.ANSWERED) / moves, 3), text(step.perSecond(PlayersRun.IN_TIME) / moves, 3),
            text(pingP99Ms(step.found(), 0), 2), PlayersRun.UNKNOWN == recovered ? "never" : Long.toString(recovered),
            Long.toString(lowest));
    }

    private void notes(final Step step)
    {
        final List<Json> ladder = ladder(step.found());
        note(String.format(Locale.ROOT, "%d times: refused %s; frames sent back %,d; states dropped %,d; room-frames" +
            " missed %,d of %,d; steps of the ladder %s", step.load(), shed(step.found()),
            step.value(PlayersRun.SENT_BACK), step.value(PlayersRun.STATES_DROPPED), step.value(PlayersRun.MISSED),
            step.value(PlayersRun.ROOM_FRAMES), ladder.isEmpty() ? "none" : ladder));
    }

    private Json row(final Step step)
    {
        final double moves = Math.max(1, capacity / seats()) * (double)seats() * sends();
        final Json byReason = new Json();
        shed(step.found()).forEach(byReason::put);
        final long recovered = step.value(PlayersRun.RECOVERED_MS + ".1");
        return new Json().put("load", step.load())
            .put("offeredPerSec", step.perSecond(PlayersRun.SENT))
            .put("offered", step.value(PlayersRun.SENT + ".0"))
            .put("accepted", step.value(PlayersRun.ANSWERED + ".0"))
            .put("shed", step.shed())
            .put("shedAfter", step.value(PlayersRun.SENT + ".1") - step.value(PlayersRun.ANSWERED + ".1"))
            .put("shedByReason", byReason)
            .put("notOffered", step.value(PlayersRun.NOT_OFFERED + ".0"))
            .put("goodputPerSec", step.perSecond(PlayersRun.ANSWERED))
            .put("goodputShare", step.perSecond(PlayersRun.ANSWERED) / moves)
            .put("inTimeShare", step.perSecond(PlayersRun.IN_TIME) / moves)
            .put("pingP99Ms", pingP99Ms(step.found(), 0))
            .put("pingP99MsAfter", pingP99Ms(step.found(), 1))
            .put("recoveredMs", PlayersRun.UNKNOWN == recovered ? Double.NaN : (double)recovered)
            .put("ladder", ladder(step.found()));
    }

    private static List<Json> ladder(final Findings found)
    {
        final List<Json> changes = new ArrayList<>();
        for (int i = 0; i < found.value(PlayersRun.LADDER); i++)
        {
            final String name = PlayersRun.LADDER + "." + i + ".";
            changes.add(new Json()
                .put("atMs", found.value(name + "atMs")).put("step", found.value(name + "level")));
        }
        return changes;
    }

    private static double pingP99Ms(final Findings found, final int phase)
    {
        final Histogram ping = found.total(PlayersRun.PING + "." + phase);
        return 0 == ping.getTotalCount() ? Double.NaN : ms(ping.getValueAtPercentile(99));
    }
}
