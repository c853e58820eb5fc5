package io.escapement.engine.internal.loop;

import io.aeron.ExclusivePublication;

/**
 * What a loop sends to one trunk: events, which wait, before states, which are dropped when they have waited for too
 * long.
 */
final class LinkEgress
{
    final int link;
    final ExclusivePublication publication;
    final ByteFifo events;
    final ByteFifo states;
    /** Since when the trunk has taken nothing, while it is blocked. */
    long stuckSinceNs;
    /** Since when something waits. */
    long dirtySinceNs;
    /** Whether it did not take all that there was. */
    boolean isBlocked;
    boolean hasLostStates;
    boolean isSlowTold;
    boolean isDirty;
    boolean isDetached;
    /** Bytes of states that waited at {@link #oldSinceNs} already. */
    private int oldStates;
    private long oldSinceNs;

    LinkEgress(
        final int link, final ExclusivePublication publication, final int eventCapacity, final int stateCapacity)
    {
        this.link = link;
        this.publication = publication;
        events = new ByteFifo(eventCapacity);
        states = new ByteFifo(stateCapacity);
    }

    /** Bytes that wait. */
    int size()
    {
        return events.size() + states.size();
    }

    boolean isLessThanPacket()
    {
        return size() < publication.maxPayloadLength();
    }

    int trySend()
    {
        // What was in the way may have been dropped, and not sent: only a window says that the trunk takes again. To
        // put a packet together in each turn for one that does not is work that a loop has no time for just then.
        if (isBlocked && !isWritable())
        {
            return publication.isClosed() ? BatchSender.CLOSED : BatchSender.BLOCKED;
        }
        int status = BatchSender.trySend(publication, events);
        if (BatchSender.SENT == status)
        {
            final int waited = states.size();
            status = BatchSender.trySend(publication, states);
            oldStates = Math.max(0, oldStates - (waited - states.size()));
        }
        return status;
    }

    private boolean isWritable()
    {
        return publication.isConnected() && publication.availableWindow() > 0;
    }

    /**
     * Give up states that have waited for too long. Newer ones are kept: they are what the others were superseded by.
     *
     * @param nowNs      time of the turn.
     * @param patienceNs how long each of them has waited at least; none has for twice as long.
     * @return how many.
     */
    int dropOldStates(final long nowNs, final long patienceNs)
    {
        int count = 0;
        if (0 != oldStates)
        {
            if (nowNs - oldSinceNs <= patienceNs)
            {
                return 0;
            }
            count = dropStates(oldStates);
        }
        oldStates = states.size();
        oldSinceNs = nowNs;
        return count;
    }

    /**
     * Give up all states that wait.
     *
     * @return how many.
     */
    int dropStates()
    {
        oldStates = 0;
        return dropStates(states.size());
    }

    void clear()
    {
        events.clear();
        states.clear();
        oldStates = 0;
    }

    private int dropStates(final int length)
    {
        int count = 0;
        for (int left = length; left > 0; count++)
        {
            final int dropped = BatchSender.messageLength(states.buffer(), states.head());
            states.drop(dropped);
            left -= dropped;
        }
        hasLostStates = true;
        return count;
    }
}
