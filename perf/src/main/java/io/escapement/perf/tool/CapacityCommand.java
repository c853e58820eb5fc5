package io.escapement.perf.tool;

import io.escapement.perf.crowd.CrowdPlan;
import io.escapement.perf.report.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The number of players that an engine holds. */
@Command(
    name = "capacity",
    description = {
        "How many players an engine holds: starts with --rooms and adds a quarter at each step, until ping p99 exceeds",
        "40 ms, or more than 1 in 1,000 room-frames never ran or states did not arrive. Fresh processes for every",
        "step, three searches; the result is the median of the last sizes that held."})
final class CapacityCommand extends CrowdCommand
{
    @Option(names = "--runs", defaultValue = "3", description = "searches (default: ${DEFAULT-VALUE})")
    private int runs;

    @Option(names = "--steps", defaultValue = "16",
        description = "most steps of a search, which share the measured time (default: ${DEFAULT-VALUE})")
    private int steps;

    private final List<CapacitySearch.Found> found = new ArrayList<>();

    /** Ten seconds for each step: in a shorter one a single missed frame weighs more. */
    CapacityCommand()
    {
        super(Map.of("--seconds", "480", "--warm-up-ms", CrowdPlan.WARM_UP_MS));
    }

    @Override
    String title()
    {
        return String.format(Locale.ROOT, "from %,d rooms, %s; %d searches, each step %d ms after %d ms of warm-up",
            plan.rooms, conditions(), runs, stepMs(), plan.warmUpMs);
    }

    @Override
    void checkOptions()
    {
        super.checkOptions();
        checkRange("--runs", runs, 1, 25);
        checkRange("--steps", steps, 1, 64);
    }

    @Override
    void measure()
    {
        final CapacitySearch search = new CapacitySearch(this, steps, stepMs());
        for (int run = 1; run <= runs; run++)
        {
            found.add(search.run(run));
        }
        note(String.format(Locale.ROOT, "held %s players, the median is %,d; the limit was: %s",
            players(), median().players(), median().limit()));
        if (CapacitySearch.NONE.equals(median().limit()))
        {
            note("the steps were used up, so the capacity is at least this; start with more --rooms");
        }
    }

    @Override
    void putResult(final Json json)
    {
        json.put("channel", plan.channel)
            .put("idle", plan.idle)
            .put("placement", plan.placement)
            .put("players", median().players())
            .put("runs", players())
            .put("limit", median().limit())
            .put("pingP99Ms", median().pingP99Ms())
            .put("seats", plan.seats).put("hz", plan.hz).put("sends", plan.sends)
            .put("mtu", plan.mtu).put("stepMs", stepMs());
    }

    private int stepMs()
    {
        return shareMs(runs * steps);
    }

    private List<Integer> players()
    {
        return found.stream().map(CapacitySearch.Found::players).toList();
    }

    /** The lower of the two in the middle, because it is a size that held. */
    private CapacitySearch.Found median()
    {
        return found.isEmpty() ? new CapacitySearch.Found(0, Double.NaN, CapacitySearch.NONE) :
            found.stream().sorted(Comparator.comparingInt(CapacitySearch.Found::players)).toList()
                .get((found.size() - 1) / 2);
    }
}
