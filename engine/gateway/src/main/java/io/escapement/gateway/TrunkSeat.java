package io.escapement.gateway;

/** A seat as its trunk holds it, and the place of the session that has it. */
abstract class TrunkSeat
{
    private Place place;

    abstract long roomId();

    abstract int index();

    abstract long playerId();

    /** Number of the last message sent. */
    abstract long sequence();

    abstract boolean isPresent();

    /** Leave out the next number: a message was refused before it was sent. */
    abstract void skipSequence();

    /** The place that has this seat, or null. */
    final Place place()
    {
        return place;
    }

    final void place(final Place value)
    {
        place = value;
    }
}
