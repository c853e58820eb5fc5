package io.escapement.simulator;

import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.Callable;

/**
 * Runs a {@link LedgerGame}, in memory a {@link ChaosGame}, with browsers a {@link GatewayGame}, and returns what it
 * finds. Constructed from another class loader, by types of the JDK.
 */
public final class LedgerRun implements Callable<List<String>>
{
    private static final int CLIENTS = 3;
    private static final int LEDGER_MS = 1_500;
    private static final int CHAOS_MS = 3_000;

    private final long seed;
    private final Mode mode;
    private final LedgerGame.Kind kind;

    /** A run of a seed. */
    public LedgerRun(final long seed, final String mode, final String kind)
    {
        this.seed = seed;
        this.mode = Mode.valueOf(mode);
        this.kind = LedgerGame.Kind.valueOf(kind);
    }

    private Shape shape(final int longestMs)
    {
        return Shape.of(seed, EnumSet.of(mode), CLIENTS, longestMs);
    }

    @Override
    public List<String> call()
    {
        try (Entropy entropy = new Entropy(); Simulator.Schedules schedules = new Simulator.Schedules(entropy))
        {
            if (LedgerGame.Kind.BROWSERS == kind)
            {
                return schedules.run(seed, shape(LEDGER_MS), () -> new GatewayGame(EnumSet.of(mode))).violations();
            }
            return Mode.MEMORY == mode ?
                schedules.run(seed, shape(CHAOS_MS), () -> new ChaosGame(seed)).violations() :
                schedules.run(seed, shape(LEDGER_MS), () -> new LedgerGame(EnumSet.of(mode), kind)).violations();
        }
    }
}
