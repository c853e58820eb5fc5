package io.escapement.perf.crowd;

import io.escapement.perf.rig.DurablePlan;
import io.escapement.perf.rig.RunPlan;
import java.nio.file.Path;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The options of {@code replay}. */
public final class ReplayPlan extends RunPlan
{
    /** Measured: host time of the log in nanoseconds, its bytes, and the commands in it. */
    public static final String LOG_NS = "logNs";
    public static final String LOG_BYTES = "logBytes";
    public static final String COMMANDS = "commands";
    /** Measured: the first replay of the process, in nanoseconds. */
    public static final String FIRST_NS = "firstNs";
    /** Measured: whether every replay reached the last state of the log. */
    public static final String DIFFERENT = "different";
    /** Series: duration of each replay. */
    public static final String REPLAYS = "replays";

    private static final int LARGE_HEAP_MB = 1_024;

    @Option(names = "--rooms", defaultValue = "512", description = "rooms (default: ${DEFAULT-VALUE})")
    public int rooms;

    @Option(names = "--loops", defaultValue = "1",
        description = "loops, each with its share of the rooms (default: ${DEFAULT-VALUE})")
    public int loops;

    @Option(names = "--seats", defaultValue = "16", description = "seats per room (default: ${DEFAULT-VALUE})")
    public int seats;

    @Option(names = "--hz", defaultValue = "60",
        description = "frames and states per room per second (default: ${DEFAULT-VALUE})")
    public int hz;

    @Option(names = "--trunks", defaultValue = "16",
        description = "trunks of the players, over which each room is spread (default: ${DEFAULT-VALUE})")
    public int trunks;

    @Option(names = "--sends", defaultValue = "10",
        description = "moves per player per second (default: ${DEFAULT-VALUE})")
    public int sends;

    @Option(names = "--state", paramLabel = "BYTES", defaultValue = "200",
        description = "bytes of a state (default: ${DEFAULT-VALUE})")
    public int state;

    @Option(names = "--turns", defaultValue = "240",
        description = "turns per second (default: ${DEFAULT-VALUE})")
    public int turns;

    @Option(names = "--log-seconds", paramLabel = "SECONDS", defaultValue = "20",
        description = "time that the log holds (default: ${DEFAULT-VALUE})")
    public int logSeconds;

    @Option(names = "--journal", paramLabel = "DIR", defaultValue = "${sys:java.io.tmpdir}",
        description = "directory of the journal during a run (default: ${DEFAULT-VALUE})")
    public Path journal;

    @Override
    public int heapMb()
    {
        return LARGE_HEAP_MB;
    }

    /** Players, one per seat. */
    public int players()
    {
        return rooms * seats;
    }

    /** Least bytes of a state that holds the last move of every seat. */
    public int minState()
    {
        return crowd().minState();
    }

    /** The same rooms and players. */
    CrowdPlan crowd()
    {
        return CommandLine.populateCommand(new CrowdPlan(), "--rooms=" + rooms, "--seats=" + seats, "--hz=" + hz,
            "--trunks=" + trunks, "--sends=" + sends, "--state=" + state,
            "--durability=" + DurablePlan.RECORDED);
    }
}
