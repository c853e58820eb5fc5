package io.escapement.simulator;

import io.escapement.engine.spi.ReplicatedLog;
import java.util.ArrayList;
import java.util.SplittableRandom;

/** The log of a {@link Group}, for engines of a test. */
public final class SimulatedLog
{
    private final Group group;

    /** A log of nodes with loops. */
    public SimulatedLog(final int nodes, final int loops)
    {
        group = new Group(new SplittableRandom(1), new SimulatedClock(), nodes, loops, new ArrayList<>());
    }

    /** The log of a node. */
    public ReplicatedLog node(final int number)
    {
        return group.member(number);
    }

    /** Begin a term. */
    public void elect(final int node)
    {
        group.elect(node);
    }

    /** Have all nodes take a snapshot here. */
    public void appendSnapshot()
    {
        group.appendSnapshot();
    }

    /** Pass on to a node what is committed. */
    public void step(final int node, final Runnable engine)
    {
        group.member(node).step(engine, () -> true);
    }
}
