package io.escapement.engine.internal.loop;

import java.util.List;
import java.util.concurrent.Callable;

/** Runs a {@link LedgerRig} and returns what it finds. Constructed from another class loader, by types of the JDK. */
public final class LedgerRun implements Callable<List<String>>
{
    private final LedgerRig rig;
    private final int steps;

    /** A run of a rig. */
    public LedgerRun(
        final long seed, final boolean isSynced, final boolean isJournal, final String kind, final int steps)
    {
        rig = new LedgerRig(seed, isSynced, isJournal, LedgerRig.Kind.valueOf(kind), false);
        this.steps = steps;
    }

    @Override
    public List<String> call()
    {
        rig.run(steps);
        return rig.finish();
    }
}
