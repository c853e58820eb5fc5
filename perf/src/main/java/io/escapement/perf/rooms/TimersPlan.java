package io.escapement.perf.rooms;

import io.escapement.perf.rig.RunPlan;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of {@code timers}, and the names of its measurements. */
public final class TimersPlan extends RunPlan
{
    /** The kinds of timers, ours first. */
    public static final List<String> KINDS =
        List.of("escapement", "agrona", "agronaWithMap", "netty", "jdk", "jobTimer");

    /** The operations. */
    public static final List<String> OPERATIONS = List.of("set", "cancel", "fire");
    private static final int LARGE_HEAP_MB = 2_048;

    @Option(names = "--outstanding", defaultValue = "1000000",
        description = "timers that are set (default: ${DEFAULT-VALUE})")
    public int outstanding;

    @Override
    public int heapMb()
    {
        return LARGE_HEAP_MB;
    }

    /** Name of a number: {@code operations}, {@code ns}, {@code bytes} or {@code lost} of one operation and round. */
    public static String key(final String kind, final String operation, final int round, final String figure)
    {
        return kind + "." + operation + "." + round + "." + figure;
    }

    /** Name of the series of an operation. */
    public static String series(final String kind, final String operation)
    {
        return kind + "-" + operation;
    }
}
