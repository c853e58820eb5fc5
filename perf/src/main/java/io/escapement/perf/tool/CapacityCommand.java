package io.escapement.perf.tool;

import io.escapement.perf.crowd.CrowdPlan;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Ratios;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The number of players that an engine holds. */
@Command(
    name = "capacity",
    description =
        "How many players an engine can hold. A search starts with --rooms and adds a quarter, or --growth, at each " +
        "step, until the p99 ping exceeds 40 ms, or more than 1 in 1,000 room-frames or states are missing. If the " +
        "first size is too large, the search halves the rooms until a size holds. Each step has fresh processes. The " +
        "result is the median of the last sizes that held in three searches. With --beside the searches alternate " +
        "with searches on a peer, and with --durability they alternate with searches of the engine in memory. In " +
        "both cases the engine searches twice, and the second search is the null.",
    footer = {"", "Examples:",
        "  perf capacity --rooms 128",
        "  perf capacity --beside tcp --steps 8 --growth 50"})
final class CapacityCommand extends CrowdCommand
{
    @Option(names = "--steps", defaultValue = "24",
        description = "maximum steps of a search, which share the measured time (default: ${DEFAULT-VALUE}). " +
            "The steps on a peer have the same number and length.")
    private int steps;

    @Option(names = "--growth", defaultValue = "25",
        description = "percent of rooms that a step adds (default: ${DEFAULT-VALUE})")
    private int growth;

    @Mixin
    private Beside beside;

    private final Sides<CapacitySearch.Found> found = new Sides<>((search) -> true, (search) -> true);
    private Comparison comparison;
    private CapacitySearch search;

    /** Ten seconds for each step: in a shorter one a single missed frame weighs more. */
    CapacityCommand()
    {
        super(Map.of("--seconds", "720", "--warm-up-ms", CrowdPlan.WARM_UP_MS, "--pairs", "3"));
    }

    @Override
    String title()
    {
        return String.format(Locale.ROOT, "from %,d rooms, %s; %d searches, each step %d ms after at least %d ms" +
            " of warm-up", plan.rooms, conditions(), pairs(), stepMs(), plan.warmUpMs);
    }

    @Override
    void checkOptions()
    {
        super.checkOptions();
        checkRange("--steps", steps, 1, 64);
        checkRange("--growth", growth, 1, 100);
        beside.check(this);
        comparison = Comparison.of(plan, beside.peer);
    }

    @Override
    String reservation()
    {
        return beside.reservation();
    }

    @Override
    void measure()
    {
        search = new CapacitySearch(this, steps, stepMs(), 1 + growth / 100.0);
        found.run(pairs(), comparison.sides(), (pair, side) -> search.run(
            pair, Comparison.ENGINE.equals(side) ? null : side, (copy) -> comparison.plan(side, copy)));
        comparison.sides().forEach(this::noteSide);
        if (null != comparison.other)
        {
            note(String.format(Locale.ROOT, "%s/%s: players %s; server time per state %s, per move %s",
                comparison.name, comparison.other, text(CapacitySearch.Found::players),
                text(CapacitySearch.Found::cpuNsPerState), text(CapacitySearch.Found::cpuNsPerMove)));
        }
    }

    @Override
    void putResult(final Json json)
    {
        final CapacitySearch.Found ofEngine = median(Comparison.ENGINE);
        json.put("channel", plan.channel)
            .put("idle", plan.idle)
            .put("placement", plan.placement).put("statesOn", plan.states)
            .put("durability", plan.durability)
            .put("players", ofEngine.players())
            .put("runs", players(Comparison.ENGINE))
            .put("limit", ofEngine.limit())
            .put("pingP99Ms", ofEngine.pingP99Ms())
            .put("cpuNsPerState", ofEngine.cpuNsPerState())
            .put("cpuNsPerMove", ofEngine.cpuNsPerMove());
        if (null != comparison.other)
        {
            final CapacitySearch.Found other = median(comparison.other);
            json.put("beside", comparison.other)
                .put("besidePlayers", other.players())
                .put("besideRuns", players(comparison.other))
                .put("besideLimit", other.limit())
                .put("besidePingP99Ms", other.pingP99Ms())
                .put("besideCpuNsPerState", other.cpuNsPerState())
                .put("besideCpuNsPerMove", other.cpuNsPerMove())
                .put("ratio", 0 == other.players() ? Double.NaN : (double)ofEngine.players() / other.players())
                .put("null", new Json()
                    .put("runs", players(comparison.nullSide))
                    .put("ratio", comparison.nullRatios(found, CapacitySearch.Found::players).median()))
                .put("cpuPerStateRatio", comparison.ratios(found, CapacitySearch.Found::cpuNsPerState).median())
                .put("cpuPerMoveRatio", comparison.ratios(found, CapacitySearch.Found::cpuNsPerMove).median());
        }
        json.put("seats", plan.seats).put("hz", plan.hz).put("sends", plan.sends)
            .put("mtu", plan.mtu).put("stepMs", stepMs()).put("steps", search.tried());
    }

    @Override
    String verdict()
    {
        if (null == beside.peer)
        {
            return null;
        }
        final Ratios ratios = comparison.ratios(found, CapacitySearch.Found::players);
        final Ratios nullRatios = comparison.nullRatios(found, CapacitySearch.Found::players);
        final String standing = ratios.standing(nullRatios, true);
        final String evidence = ratios.evidence(nullRatios);
        // More steps, or more load, may find more players.
        final String open = isOpen(Comparison.ENGINE) && !Ratios.AHEAD.equals(standing) ? "the engine" :
            isOpen(beside.peer) && !Ratios.BEHIND.equals(standing) ? beside.peer : null;
        return null == open ? beside.verdict(standing, "players", evidence) :
            beside.verdict(Ratios.UNDECIDED, "players", evidence + ", " + open + " may hold more");
    }

    private void noteSide(final String side)
    {
        final CapacitySearch.Found median = median(side);
        note(String.format(Locale.ROOT, "%s: held %s players, the median is %,d; the limit was: %s",
            side, players(side), median.players(), median.limit()));
        if (CapacitySearch.NONE.equals(median.limit()))
        {
            note(side + ": the steps were used up, so the capacity is at least this; use more --steps");
        }
    }

    private String text(final ToDoubleFunction<CapacitySearch.Found> figure)
    {
        return comparison.ratios(found, figure).against(comparison.nullRatios(found, figure));
    }

    /** Whether a search found no limit of the server. */
    private boolean isOpen(final String side)
    {
        return found.of(side).stream().map(CapacitySearch.Found::limit)
            .anyMatch((limit) -> CapacitySearch.NONE.equals(limit) || CapacitySearch.LOAD.equals(limit));
    }

    private int stepMs()
    {
        return shareMs(pairs() * steps);
    }

    private List<Integer> players(final String side)
    {
        return found.of(side).stream().map(CapacitySearch.Found::players).toList();
    }

    /** The lower of the two in the middle, because it is a size that held. */
    private CapacitySearch.Found median(final String side)
    {
        final List<CapacitySearch.Found> sizes = found.of(side);
        return sizes.isEmpty() ? CapacitySearch.Found.none(CapacitySearch.NONE) :
            sizes.stream().sorted(Comparator.comparingInt(CapacitySearch.Found::players)).toList()
                .get((sizes.size() - 1) / 2);
    }
}
