package io.escapement.gateway;

import java.util.ArrayDeque;

/**
 * Places of sessions that are over. The engine may still refuse their last order, and the seat would stay present for
 * nobody: so each is kept until that has been answered, or would have been.
 */
final class Partings
{
    private record Parting(Place place, long dueNs)
    {
    }

    private final ArrayDeque<Parting> partings = new ArrayDeque<>();

    /** Keep a place; false if nothing that was sent for its seat can be refused any more. */
    boolean add(final Place place, final long nowNs)
    {
        return place.hasSent && nowNs - place.answerDueNs < 0 &&
            partings.add(new Parting(place, place.answerDueNs));
    }

    /** Take the next place for which no refusal has come in time, or null. */
    Place poll(final long nowNs)
    {
        while (!partings.isEmpty() && nowNs - partings.peek().dueNs >= 0)
        {
            final Parting parting = partings.remove();
            final Place place = parting.place;
            // A place whose order was refused has been added again, or will be.
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
