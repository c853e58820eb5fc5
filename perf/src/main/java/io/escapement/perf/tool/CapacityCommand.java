package io.escapement.perf.tool;

import io.escapement.perf.crowd.CrowdPlan;
import io.escapement.perf.report.Json;
import io.escapement.perf.report.Ratios;
import io.escapement.perf.rig.DurablePlan;
import java.util.ArrayList;
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
    description = {
        "How many players an engine holds: starts with --rooms and adds a quarter, or --growth, at each step, until",
        "ping p99 exceeds 40 ms, or more than 1 in 1,000 room-frames never ran or states did not arrive. If the first",
        "size does not hold, it halves the rooms until one does. Fresh processes for every step, three searches; the",
        "result is the median of the last sizes that held. With --beside the searches alternate with those on a peer,",
        "with --durability with searches of the engine in memory. The engine searches twice then, for the null."})
final class CapacityCommand extends CrowdCommand
{
    @Option(names = "--steps", defaultValue = "24",
        description = {"most steps of a search, which share the measured time (default: ${DEFAULT-VALUE});",
            "a search on a peer has as many and as long ones"})
    private int steps;

    @Option(names = "--growth", defaultValue = "25",
        description = "percent of rooms that a step adds (default: ${DEFAULT-VALUE})")
    private int growth;

    @Mixin
    private Beside beside;

    private final List<CapacitySearch.Found> found = new ArrayList<>();
    private final List<CapacitySearch.Found> foundBeside = new ArrayList<>();
    /** The engine again, or in memory again. */
    private final List<CapacitySearch.Found> foundNull = new ArrayList<>();

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
        check(beside.isRight(), "--beside", beside.peer);
        check(null == beside.peer || !plan.isDurable(), "--beside", beside.peer);
    }

    @Override
    String reservation()
    {
        return beside.reservation();
    }

    @Override
    void measure()
    {
        final CapacitySearch search = new CapacitySearch(this, steps, stepMs(), 1 + growth / 100.0);
        for (int run = 1; run <= pairs(); run++)
        {
            // In alternating order, so that drift of the host affects both sides alike.
            final boolean isPeerFirst = 0 == run % 2;
            searchBeside(search, run, isPeerFirst);
            found.add(search.run(run, null, (copy) -> copy));
            searchBeside(search, run, !isPeerFirst);
            if (null != other())
            {
                foundNull.add(search.run(run, "null", plan.isDurable() ? CrowdPlan::inMemory : (copy) -> copy));
            }
        }
        note("engine", found);
        if (null != other())
        {
            note(other(), foundBeside);
            note("null", foundNull);
            note(String.format(Locale.ROOT, "%s/%s: players %s; server time per state %s, per move %s",
                plan.isDurable() ? plan.durability : "engine", other(),
                text(CapacitySearch.Found::players), text(CapacitySearch.Found::cpuNsPerState),
                text(CapacitySearch.Found::cpuNsPerMove)));
        }
    }

    @Override
    void putResult(final Json json)
    {
        json.put("channel", plan.channel)
            .put("idle", plan.idle)
            .put("placement", plan.placement).put("statesOn", plan.states)
            .put("durability", plan.durability)
            .put("players", median(found).players())
            .put("runs", players(found))
            .put("limit", median(found).limit())
            .put("pingP99Ms", median(found).pingP99Ms())
            .put("cpuNsPerState", median(found).cpuNsPerState())
            .put("cpuNsPerMove", median(found).cpuNsPerMove());
        if (null != other())
        {
            json.put("beside", other())
                .put("besidePlayers", median(foundBeside).players())
                .put("besideRuns", players(foundBeside))
                .put("besideLimit", median(foundBeside).limit())
                .put("besidePingP99Ms", median(foundBeside).pingP99Ms())
                .put("besideCpuNsPerState", median(foundBeside).cpuNsPerState())
                .put("besideCpuNsPerMove", median(foundBeside).cpuNsPerMove())
                .put("ratio", ratio())
                .put("null", new Json()
                    .put("runs", players(foundNull))
                    .put("ratio", nullRatios(CapacitySearch.Found::players).median()))
                .put("cpuPerStateRatio", ratios(CapacitySearch.Found::cpuNsPerState).median())
                .put("cpuPerMoveRatio", ratios(CapacitySearch.Found::cpuNsPerMove).median());
        }
        json.put("seats", plan.seats).put("hz", plan.hz).put("sends", plan.sends)
            .put("mtu", plan.mtu).put("stepMs", stepMs());
    }

    @Override
    String verdict()
    {
        final Ratios ratios = ratios(CapacitySearch.Found::players);
        final Ratios nullRatios = nullRatios(CapacitySearch.Found::players);
        final String standing = ratios.standing(nullRatios, true);
        final String evidence = ratios.evidence(nullRatios);
        // More steps, or more load, may find more players.
        final String open = isOpen(found) && !Ratios.AHEAD.equals(standing) ? "the engine" :
            isOpen(foundBeside) && !Ratios.BEHIND.equals(standing) ? beside.peer : null;
        return null == open ? beside.verdict(standing, "players", evidence) :
            beside.verdict(Ratios.UNDECIDED, "players", evidence + ", " + open + " may hold more");
    }

    private void searchBeside(final CapacitySearch search, final int run, final boolean isNow)
    {
        if (null != other() && isNow)
        {
            foundBeside.add(search.run(
                run, other(), plan.isDurable() ? CrowdPlan::inMemory : (copy) -> copy.beside(beside.peer)));
        }
    }

    /** The name of the side that the engine is compared with, null if there is none. */
    private String other()
    {
        return plan.isDurable() ? DurablePlan.MEMORY : beside.peer;
    }

    private void note(final String side, final List<CapacitySearch.Found> sizes)
    {
        note(String.format(Locale.ROOT, "%s: held %s players, the median is %,d; the limit was: %s",
            side, players(sizes), median(sizes).players(), median(sizes).limit()));
        if (CapacitySearch.NONE.equals(median(sizes).limit()))
        {
            note(side + ": the steps were used up, so the capacity is at least this; use more --steps");
        }
    }

    /** Players of the engine for each player of the peer. */
    private double ratio()
    {
        final int players = median(foundBeside).players();
        return 0 == players ? Double.NaN : (double)median(found).players() / players;
    }

    private String text(final ToDoubleFunction<CapacitySearch.Found> figure)
    {
        return ratios(figure).against(nullRatios(figure));
    }

    private Ratios ratios(final ToDoubleFunction<CapacitySearch.Found> figure)
    {
        return ratios(found, foundBeside, figure);
    }

    /** By how much the engine differs from itself. */
    private Ratios nullRatios(final ToDoubleFunction<CapacitySearch.Found> figure)
    {
        return ratios(foundNull, plan.isDurable() ? foundBeside : found, figure);
    }

    private static Ratios ratios(
        final List<CapacitySearch.Found> of,
        final List<CapacitySearch.Found> over,
        final ToDoubleFunction<CapacitySearch.Found> figure)
    {
        return Ratios.of(of.stream().mapToDouble(figure).boxed().toList(),
            over.stream().mapToDouble(figure).boxed().toList());
    }

    /** Whether a search found no limit of the server. */
    private static boolean isOpen(final List<CapacitySearch.Found> sizes)
    {
        return sizes.stream().map(CapacitySearch.Found::limit)
            .anyMatch((limit) -> CapacitySearch.NONE.equals(limit) || CapacitySearch.LOAD.equals(limit));
    }

    private int stepMs()
    {
        return shareMs(pairs() * steps);
    }

    private static List<Integer> players(final List<CapacitySearch.Found> sizes)
    {
        return sizes.stream().map(CapacitySearch.Found::players).toList();
    }

    /** The lower of the two in the middle, because it is a size that held. */
    private static CapacitySearch.Found median(final List<CapacitySearch.Found> sizes)
    {
        return sizes.isEmpty() ? CapacitySearch.Found.none(CapacitySearch.NONE) :
            sizes.stream().sorted(Comparator.comparingInt(CapacitySearch.Found::players)).toList()
                .get((sizes.size() - 1) / 2);
    }
}
