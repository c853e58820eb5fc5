package io.escapement.engine.loop;

import io.aeron.ExclusivePublication;

/**
 * What a loop sends to one trunk: events, which wait, before states, which are dropped when they have waited for too
 * long.
 */
final class LinkEgress
{
    static final long NOT_BLOCKED = -1;

    final int link;
    final ExclusivePublication publication;
    final ByteFifo events;
    final ByteFifo states;
    /** Since when the trunk has not taken all that there is. */
    long blockedSinceNs = NOT_BLOCKED;
    /** Since when it has taken nothing, while it is blocked. */
    long stuckSinceNs;
    /** Since when something waits. */
    long dirtySinceNs;
    boolean hasLostStates;
    boolean isSlowTold;
    boolean isDirty;
    boolean isDetached;

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
        int status = FrameSender.trySend(publication, events);
        if (FrameSender.SENT == status)
        {
            status = FrameSender.trySend(publication, states);
        }
        if (FrameSender.SENT == status && NOT_BLOCKED != blockedSinceNs)
        {
            // What was in the way may have been dropped, and not sent: only a window says that the trunk takes again.
            return isWritable() ? FrameSender.SENT : publication.isClosed() ? FrameSender.CLOSED : FrameSender.BLOCKED;
        }
        return status;
    }

    private boolean isWritable()
    {
        return publication.isConnected() && publication.availableWindow() > 0;
    }

    /**
     * Give up the states that wait, whole.
     *
     * @return how many.
     */
    int dropStates()
    {
        int count = 0;
        int at = states.head();
        while (at < states.tail())
        {
            at += FrameSender.messageLength(states.buffer(), at);
            count++;
        }
        states.clear();
        hasLostStates = true;
        return count;
    }

    void clear()
    {
        events.clear();
        states.clear();
    }
}
