package io.escapement.perf.players;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A tally for each loop, and whether what happens now counts. */
final class Tallies
{
    private final List<TurnTally> all = new CopyOnWriteArrayList<>();
    private final ThreadLocal<TurnTally> ofThread;
    private volatile boolean isCounted;

    Tallies(final DriverShare driver)
    {
        ofThread = ThreadLocal.withInitial(() ->
        {
            final TurnTally tally = new TurnTally(driver);
            all.add(tally);
            return tally;
        });
    }

    /** That of the loop whose thread calls. */
    TurnTally ofThisLoop()
    {
        return ofThread.get();
    }

    List<TurnTally> all()
    {
        return all;
    }

    boolean isCounted()
    {
        return isCounted;
    }

    void count(final boolean value)
    {
        isCounted = value;
    }
}
