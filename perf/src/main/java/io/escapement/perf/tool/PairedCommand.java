package io.escapement.perf.tool;

import picocli.CommandLine.Option;

/** What the commands have in common that compare: pairs of runs, side by side. */
abstract class PairedCommand extends MeasureCommand
{
    private static final int ENOUGH_PAIRS = 5;

    @Option(names = "--pairs", defaultValue = "5", description = {
        "pairs of runs (default: ${DEFAULT-VALUE});", "fewer are good for trying out and nothing else"})
    private int pairs;

    @Override
    final void checkOptions()
    {
        check(pairs > 0, "--pairs", pairs);
        checkOwnOptions();
    }

    @Override
    final String reservation()
    {
        return pairs >= ENOUGH_PAIRS ? null :
            "only " + pairs + " of the " + ENOUGH_PAIRS + " pairs that a comparison takes";
    }

    /** Throw by {@link #check} when an option is wrong. */
    abstract void checkOwnOptions();

    final int pairs()
    {
        return pairs;
    }
}
