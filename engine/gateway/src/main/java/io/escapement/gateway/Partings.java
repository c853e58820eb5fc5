package io.escapement.gateway;

import java.util.ArrayDeque;

/**
 * Places of ended sessions. The engine may still refuse the last order of a place, and the seat would stay present
 * without a player. Each place is therefore kept until the order was answered, or until the time for an answer is over.
 */
final class Partings
{
    private record Parting(Place place, long dueNs)
    {
    }

    private final ArrayDeque<Parting> partings = new ArrayDeque<>();

    /** Keep a place. Returns false if no message for its seat can be refused any more. */
    boolean add(final Place place, final long nowNs)
    {
        return place.hasSent && nowNs - place.answerDueNs < 0 &&
            partings.add(new Parting(place, place.answerDueNs));
    }

    /** Take the next place without a refusal in time, or null. */
    Place poll(final long nowNs)
    {
        while (!partings.isEmpty() && nowNs - partings.peek().dueNs >= 0)
        {
            final Parting parting = partings.remove();
            final Place place = parting.place;
            // After a refusal of its order, a place has been re-added, or will be.
            if (place.hasSent && parting.dueNs == place.answerDueNs && !place.hasOrders())
            {
                return place;
            }
        }
        return null;
    }

    /** Take any place, or null. */
    Place poll()
    {
        return partings.isEmpty() ? null : partings.remove().place;
    }
}
