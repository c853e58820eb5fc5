package io.escapement.perf.loopback;

import io.escapement.perf.rig.DurablePlan;
import io.escapement.perf.rig.LoopbackGame;
import io.escapement.perf.rig.Program;
import java.util.List;
import picocli.CommandLine.Option;

/** The options of {@code echo}. */
public final class EchoPlan extends DurablePlan
{
    /** Least bytes of a message: planned time and sequence. */
    public static final int MIN_SIZE = 2 * Long.BYTES;
    /** Most bytes of a message that a room accepts. */
    public static final int MAX_SIZE = 512;

    @Option(names = "--rate", defaultValue = "10000", description = "messages per second (default: ${DEFAULT-VALUE})")
    public int rate;

    @Option(names = "--size", defaultValue = "64", description = "bytes per message (default: ${DEFAULT-VALUE})")
    public int size;

    @Option(names = "--mode", defaultValue = "solo", description = "solo, shared or dedicated (default: solo)")
    public String mode;

    @Option(names = "--idle", defaultValue = "busy", description = "busy, yield, backoff or park (default: busy)")
    public String idle;

    @Override
    public Program program(final String processRole)
    {
        if (!isEngine() || !SERVER.equals(processRole))
        {
            return Program.NONE;
        }
        durability = Echo.ENGINE.equals(subject) ? durability : MEMORY;
        return serve(true, LoopbackGame.options(mode, idle));
    }

    boolean isEngine()
    {
        return List.of(Echo.ENGINE, Echo.MEMORY, Echo.MEMORY_NULL).contains(subject);
    }
}
