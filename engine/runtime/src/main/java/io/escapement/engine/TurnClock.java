package io.escapement.engine;

import org.agrona.concurrent.NanoClock;

/**
 * The clock of a driver that the engine's thread invokes: read once a turn. Each of the driver's agents would read it
 * each time, and reading it takes a good part of what an agent with nothing to do takes.
 */
final class TurnClock implements NanoClock
{
    private long nowNs;
    private boolean isInTurns;

    /** A turn begins. */
    void read()
    {
        nowNs = System.nanoTime();
        isInTurns = true;
    }

    /** No more turns: whoever starts or stops the driver waits by the time itself. */
    void stop()
    {
        isInTurns = false;
    }

    @Override
    public long nanoTime()
    {
        return isInTurns ? nowNs : System.nanoTime();
    }
}
