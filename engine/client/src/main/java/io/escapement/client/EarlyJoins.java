package io.escapement.client;

import io.escapement.codecs.TrunkMessages;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.IntHashSet;

/**
 * Joins that wait until the stream of their loop is attached. Then the joins of a loop are sent in their order. Each
 * waits for a limited time.
 */
final class EarlyJoins
{
    /** Most joins that wait at the same time. */
    static final int LIMIT = 1_024;

    /** Sends a join on the current connection. */
    interface Sender
    {
        SendStatus join(KeptJoin request);
    }

    /** Takes the joins that will not be sent. */
    interface Refusals
    {
        void onRefused(KeptJoin request, boolean isCancelled);
    }

    private final Sender sender;
    private final Refusals refusals;
    private final long timeoutNs;
    private final List<Waiting> joins = new ArrayList<>();
    private final IntHashSet blockedLoops = new IntHashSet();

    EarlyJoins(final long timeoutNs, final Sender sender, final Refusals refusals)
    {
        this.timeoutNs = timeoutNs;
        this.sender = sender;
        this.refusals = refusals;
    }

    boolean isEmpty()
    {
        return joins.isEmpty();
    }

    boolean has(final int loop)
    {
        for (final Waiting waiting : joins)
        {
            if (loop == waiting.loop())
            {
                return true;
            }
        }
        return false;
    }

    /** Returns false if as many wait as the limit allows. */
    boolean add(final KeptJoin request, final long nowNs)
    {
        return joins.size() < LIMIT && joins.add(new Waiting(request, nowNs + timeoutNs));
    }

    /** Returns whether the join waited. Its refusal follows in {@link #advance}. */
    boolean cancel(final long requestId)
    {
        for (final Waiting waiting : joins)
        {
            if (requestId == waiting.request.requestId() && !waiting.isCancelled)
            {
                waiting.isCancelled = true;
                return true;
            }
        }
        return false;
    }

    /** The trunk is lost. */
    void clear()
    {
        joins.clear();
    }

    /** Send all that can be sent, within the poll of the client. */
    void advance(final long nowNs)
    {
        blockedLoops.clear();
        int at = 0;
        // Callbacks of refusals may join, which adds to the end, or close the client.
        for (int left = joins.size(); left > 0 && at < joins.size(); left--)
        {
            final Waiting waiting = joins.get(at);
            if (waiting.isCancelled || nowNs - waiting.deadlineNs >= 0)
            {
                joins.remove(at);
                refusals.onRefused(waiting.request, waiting.isCancelled);
            }
            else if (blockedLoops.contains(waiting.loop()) || SendStatus.SENT != sender.join(waiting.request))
            {
                blockedLoops.add(waiting.loop());
                at++;
            }
            else
            {
                joins.remove(at);
            }
        }
    }

    private static final class Waiting
    {
        private final KeptJoin request;
        private final long deadlineNs;
        private boolean isCancelled;

        Waiting(final KeptJoin request, final long deadlineNs)
        {
            this.request = request;
            this.deadlineNs = deadlineNs;
        }

        int loop()
        {
            return TrunkMessages.loopOf(request.roomId());
        }
    }
}
