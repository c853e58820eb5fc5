package io.escapement.engine.internal.loop;

import io.escapement.codecs.trunk.RoomMessage;
import io.escapement.engine.internal.queue.ByteFifo;
import io.escapement.engine.internal.queue.ChunkPool;

/**
 * The queues of a loop's messages to one trunk. Events are sent before states. States that waited too long are dropped.
 */
final class LinkEgress
{
    /** Bytes of Accepted that are queued at a time: some packets, and far less than a queue has. */
    private static final int ACCEPTED_LENGTH = 8 * 1_024;

    private static final long NO_TURN = -1;

    final int link;
    final LinkPublication publication;
    final ByteFifo events;
    final ByteFifo states;
    /** Null unless the client asked for Accepted. */
    final AcceptedSeats accepted;
    private final LinkQueues queues;
    /** Start of the time in which a blocked trunk has taken no data. */
    private long stuckSinceNs;
    /** Time at which the queues became non-empty. */
    private long dirtySinceNs;
    /** Whether the last send left messages queued. */
    private boolean isBlocked;
    private boolean hasLostStates;
    /** Its trunk is being closed. No more messages are queued, so that no event follows a lost event. */
    private boolean isSlow;
    private boolean isDirty;
    /** Bytes of states that were queued at {@link #oldSinceNs}. */
    private int oldStates;
    private long statesDropped;
    /** Turn of the last event, if the trunk receives a feed. */
    private long turn = NO_TURN;
    private long oldSinceNs;

    LinkEgress(
        final int link,
        final LinkPublication publication,
        final LinkQueues queues,
        final boolean isAcceptedWanted)
    {
        this.link = link;
        this.publication = publication;
        this.queues = queues;
        events = queues.events();
        states = queues.states();
        accepted = isAcceptedWanted ? queues.accepted() : null;
    }

    /** Take chunks from the loop's pool. */
    void pool(final ChunkPool pool, final int limit)
    {
        events.pool(pool, limit);
        states.pool(pool, limit);
    }

    /**
     * Report to the edge whether to read the trunk. The trunk's messages cause most of its events.
     *
     * @param share of the loop's memory, in bytes: it is not read above half of it.
     */
    void share(final int share)
    {
        queues.isCongested(events.size() > share / 2);
    }

    /** Whether the events that follow are the first of a turn. */
    boolean isNewTurn(final long newTurn)
    {
        return newTurn != turn;
    }

    void turn(final long newTurn)
    {
        turn = newTurn;
    }

    /** Number of queued bytes. */
    int size()
    {
        final int queued = events.size() + states.size();
        return null == accepted ? queued : queued + accepted.size() * AcceptedSeats.MESSAGE_LENGTH;
    }

    boolean isLessThanPacket()
    {
        return size() < publication.maxPayloadLength();
    }

    boolean isDirty()
    {
        return isDirty;
    }

    /** The queues have become non-empty. */
    void dirty(final long nowNs)
    {
        isDirty = true;
        dirtySinceNs = nowNs;
    }

    void clean()
    {
        isDirty = false;
    }

    long dirtySinceNs()
    {
        return dirtySinceNs;
    }

    boolean isSlow()
    {
        return isSlow;
    }

    /** Its trunk is closed: discard queued messages. */
    void close()
    {
        isSlow = true;
        clear();
    }

    boolean isBlocked()
    {
        return isBlocked;
    }

    /** Start of the time in which a blocked trunk has taken no data. */
    long stuckSinceNs()
    {
        return stuckSinceNs;
    }

    /** The last send left messages queued. */
    void blocked(final long nowNs, final boolean hasTaken)
    {
        if (!isBlocked || hasTaken)
        {
            isBlocked = true;
            stuckSinceNs = nowNs;
        }
    }

    /** Everything was sent. Returns whether states were dropped since the last time. */
    boolean sent()
    {
        final boolean hadLostStates = hasLostStates;
        isBlocked = false;
        isDirty = false;
        hasLostStates = false;
        return hadLostStates;
    }

    int trySend()
    {
        // The window decides. An empty queue does not, because its messages may have been dropped. Offering a packet in
        // each turn to a blocked trunk would cost time that an overloaded loop does not have.
        if (isBlocked && !isWritable())
        {
            return publication.isClosed() ? BatchSender.CLOSED : BatchSender.BLOCKED;
        }
        int status = sendEvents();
        if (BatchSender.SENT == status)
        {
            final int waited = states.size();
            status = BatchSender.trySend(publication, states, true);
            oldStates = Math.max(0, oldStates - (waited - states.size()));
        }
        return status;
    }

    /**
     * Events, then accepted sequences. If the trunk is blocked, the sequences stay in their table, with one entry per
     * seat.
     */
    private int sendEvents()
    {
        if (null == accepted || accepted.isEmpty())
        {
            return BatchSender.trySend(publication, events, true);
        }
        if (!isBlocked)
        {
            accepted.moveTo(events, events.size() + ACCEPTED_LENGTH);
        }
        int status = BatchSender.trySend(publication, events, true);
        while (BatchSender.SENT == status && !accepted.isEmpty())
        {
            accepted.moveTo(events, ACCEPTED_LENGTH);
            status = BatchSender.trySend(publication, events, true);
        }
        return status;
    }

    private boolean isWritable()
    {
        return publication.isConnected() && publication.availableWindow() > 0;
    }

    /**
     * Drop states that waited too long. Keep newer states, because they supersede the dropped states.
     *
     * @param nowNs      time of the turn.
     * @param patienceNs minimum wait of a dropped state. No state waits twice as long.
     * @return number of dropped states.
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

    /** A state did not even fit the queue. */
    void onStateDropped()
    {
        statesDropped++;
    }

    long statesDropped()
    {
        return statesDropped;
    }

    /** Drop all queued states. Returns their number. */
    int dropStates()
    {
        oldStates = 0;
        return dropStates(states.size());
    }

    void clear()
    {
        queues.isCongested(false);
        events.clear();
        states.clear();
        if (null != accepted)
        {
            accepted.clear();
        }
        oldStates = 0;
    }

    private int dropStates(final int length)
    {
        int count = 0;
        for (int left = length; left > 0; count++)
        {
            final int dropped = RoomMessage.entrySize(states.headBuffer(), states.head());
            states.drop(dropped);
            left -= dropped;
        }
        hasLostStates = true;
        statesDropped += count;
        return count;
    }
}
