package io.escapement.simulator;

import io.escapement.engine.Engine;
import io.escapement.engine.EngineContext;
import io.escapement.engine.SteppedEngine;
import java.util.List;
import java.util.Set;

/** The rooms and clients of one schedule, and the conditions that must hold. */
abstract class SimulatedGame
{
    /** Of a replay, which runs the turns of a node again. */
    static final int REPLAY = -1;

    /** Modes in which it plays. */
    abstract Set<Mode> modes();

    /**
     * Add room types, services and options, for a start of a node or a replay.
     *
     * @param context that gets them.
     * @param node    its number, or {@link #REPLAY}: then the work of its rooms is not of this game.
     */
    abstract void configure(EngineContext context, int node);

    /** The schedule starts. */
    void begin(final Simulation simulation)
    {
    }

    /** Open rooms, once a node leads. */
    abstract void open(Engine engine, Simulation simulation);

    abstract List<? extends Client> newClients(Simulation simulation);

    /** Whether the clients are ready to play. */
    boolean hasBegun(final Simulation simulation)
    {
        return true;
    }

    /** Play, between two steps. */
    abstract void act(Simulation simulation);

    /** A node has run a duty cycle. */
    void afterStep(final SteppedEngine engine)
    {
    }

    /** Whether everything that is under way has arrived. */
    abstract boolean isSettled(Simulation simulation);

    /** Look for what must not be, once everything has arrived. */
    abstract void check(Simulation simulation);

    /** Play without faults before the drain. */
    void end(final Simulation simulation)
    {
    }

    /** Whether the game uses the reports of an engine. */
    boolean isWanted(final Throwable ex)
    {
        return false;
    }
}
