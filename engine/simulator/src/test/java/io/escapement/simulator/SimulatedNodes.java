package io.escapement.simulator;

import io.escapement.engine.Engine;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import org.agrona.DirectBuffer;

/** Nodes with ledger rooms and a log that a test fills, stepped by hand. */
public final class SimulatedNodes implements AutoCloseable
{
    /** Loops of each node. */
    public static final int LOOPS = Node.LOOPS;
    /** Most trunks of each node. */
    public static final int TRUNKS = Node.TRUNKS;
    private static final Shape SHAPE = new Shape(Mode.GROUP, 1, 1, EnumSet.noneOf(Fault.class), false);

    private final Simulation simulation;

    /** Nodes that have started, none of which leads. */
    public SimulatedNodes(final Path directory, final Path keys)
    {
        simulation = new Simulation(1, SHAPE, new LedgerGame(), directory, keys);
        simulation.nodes().forEach(Node::start);
    }

    /** Begin a term. */
    public void elect(final int node)
    {
        simulation.group().elect(node);
    }

    /** Commit a message that nobody has proposed. */
    public void append(final byte[] message)
    {
        simulation.group().append(message);
    }

    /** Have all nodes take a snapshot here. */
    public void appendSnapshot()
    {
        simulation.group().appendSnapshot();
    }

    /** The newest snapshot of a loop. */
    public DirectBuffer snapshot(final int loop)
    {
        return simulation.group().snapshot(loop);
    }

    /** Whether every node has run everything that is committed. */
    public boolean areCurrent()
    {
        return simulation.nodes().stream().allMatch((node) ->
            simulation.group().member(simulation.nodes().indexOf(node)).isCurrent());
    }

    /** A duty cycle of each node. */
    public boolean step()
    {
        simulation.run(Simulation.MS, Simulation.MS);
        return true;
    }

    /** The engine of a node. */
    public Engine engine(final int node)
    {
        return simulation.nodes().get(node).engine();
    }

    /** Faults that were found. */
    public List<String> violations()
    {
        return simulation.violations();
    }

    @Override
    public void close()
    {
        simulation.close();
    }
}
