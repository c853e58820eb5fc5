package io.escapement.engine.internal.loop;

import io.escapement.engine.internal.queue.ByteFifo;

/**
 * The queues of a loop to one trunk: events, states, and the newest accepted sequences. They have room for a few
 * packets, and take the loop's chunks for more. Reused for another trunk.
 */
public final class LinkQueues
{
    /** Bytes of each queue's own memory. */
    public static final int LENGTH = 8 * 1_024;

    private final ByteFifo events = new ByteFifo(LENGTH);
    private final ByteFifo states = new ByteFifo(LENGTH);
    private final AcceptedSeats accepted = new AcceptedSeats();
    private volatile boolean isCongested;

    /** Whether the trunk takes its events so slowly that its messages should not be read. The loop writes it. */
    public boolean isCongested()
    {
        return isCongested;
    }

    void isCongested(final boolean value)
    {
        if (value != isCongested)
        {
            isCongested = value;
        }
    }

    ByteFifo events()
    {
        return events;
    }

    ByteFifo states()
    {
        return states;
    }

    AcceptedSeats accepted()
    {
        return accepted;
    }
}
