package io.escapement.engine.internal.loop;

/** The memory of a loop's queues to one trunk: one of events, one of states, and the newest accepted
 * sequences. Used again for another trunk. */
public final class LinkQueues
{
    private final ByteFifo events;
    private final ByteFifo states;
    private final AcceptedSeats accepted = new AcceptedSeats();

    /**
     * Allocate.
     *
     * @param length of each queue, in bytes.
     */
    public LinkQueues(final int length)
    {
        events = new ByteFifo(length);
        states = new ByteFifo(length);
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
