package io.escapement.perf.rooms;

import io.escapement.perf.rig.RunPlan;
import picocli.CommandLine.Option;

/** The options of {@code timers}. */
public final class TimersPlan extends RunPlan
{
    private static final int LARGE_HEAP_MB = 2_048;

    @Option(names = "--outstanding", defaultValue = "1000000",
        description = "outstanding timers (default: ${DEFAULT-VALUE})")
    public int outstanding;

    @Override
    public int heapMb()
    {
        return LARGE_HEAP_MB;
    }
}
