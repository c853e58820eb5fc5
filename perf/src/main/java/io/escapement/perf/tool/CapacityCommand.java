package io.escapement.perf.tool;

import io.escapement.perf.players.PlayersRun;
import io.escapement.perf.report.Json;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Command;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;

/** How many players an engine holds. */
@Command(
    name = "capacity",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    defaultValueProvider = CapacityCommand.EightMinutes.class,
    description = {
        "How many players an engine holds: from --rooms on, a quarter more at each step, until ping p99 is over 40 ms,",
        "or more than 1 in 1,000 room-frames never ran or states were not seen. Fresh processes for every step, three",
        "times; the median of the last sizes that held."})
final class CapacityCommand extends CrowdCommand
{
    /** Ten seconds for each of many steps: one frame that is dropped counts for more, the shorter a step is. */
    static final class EightMinutes implements IDefaultValueProvider
    {
        @Override
        public String defaultValue(final ArgSpec argument)
        {
            return argument instanceof OptionSpec option && "--seconds".equals(option.longestName()) ? "480" : null;
        }
    }

    private static final int MAX_RUNS = 25;
    private static final int MAX_STEPS = 64;

    @Option(names = "--runs", defaultValue = "3", description = "searches (default: ${DEFAULT-VALUE})")
    private int runs;

    @Option(names = "--steps", defaultValue = "16",
        description = "most steps of a search, among which the time is shared out (default: ${DEFAULT-VALUE})")
    private int steps;

    private final List<CapacitySearch.Found> found = new ArrayList<>();

    CapacityCommand()
    {
        this(PlayersRun::run);
    }

    CapacityCommand(final Runner runner)
    {
        super(runner);
    }

    @Override
    String title()
    {
        return String.format(Locale.ROOT, "from %,d rooms, %s; %d searches, each step %d ms after %d ms of warm-up",
            crowd().rooms(), conditions(), runs, stepMs(), warmUpMs());
    }

    @Override
    void checkOwnOptions()
    {
        check(runs >= 1 && runs <= MAX_RUNS, "--runs", runs);
        check(steps >= 1 && steps <= MAX_STEPS, "--steps", steps);
    }

    @Override
    void measure()
    {
        final CapacitySearch search = new CapacitySearch(this, steps, stepMs());
        for (int run = 1; run <= runs; run++)
        {
            found.add(search.run(run));
        }
        final CapacitySearch.Found median = median();
        note(String.format(Locale.ROOT, "held %s players, the median is %,d; the limit was: %s",
            found.stream().map(CapacitySearch.Found::players).toList(), median.players(), median.limit()));
        if (CapacitySearch.NONE.equals(median.limit()))
        {
            note("there were no more steps to take: it is at least this; begin with more --rooms");
        }
    }

    @Override
    Json result()
    {
        final CapacitySearch.Found median =
            found.isEmpty() ? new CapacitySearch.Found(0, Double.NaN, CapacitySearch.NONE) : median();
        return new Json().put("bench", "capacity").put("placement", placement())
            .put("players", median.players())
            .put("runs", found.stream().map(CapacitySearch.Found::players).toList())
            .put("limit", median.limit())
            .put("pingP99Ms", median.pingP99Ms())
            .put("seats", seats()).put("hz", hz()).put("sends", sends()).put("mtu", mtu()).put("stepMs", stepMs());
    }

    private int stepMs()
    {
        return shareMs(runs * steps);
    }

    /** Of an even number the lower: it is a size that held. */
    private CapacitySearch.Found median()
    {
        return found.stream().sorted(Comparator.comparingInt(CapacitySearch.Found::players))
            .toList().get((found.size() - 1) / 2);
    }
}
