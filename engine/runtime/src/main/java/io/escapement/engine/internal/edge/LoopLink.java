package io.escapement.engine.internal.edge;

import io.aeron.ExclusivePublication;
import io.aeron.Image;

/** A connection on the stream of a loop, and the trunk that it was attached to, if it was. */
final class LoopLink
{
    enum State
    {
        /** Nothing but Attach is taken. */
        UNBOUND,
        /** The way back is being made. */
        CONNECTING,
        /** The way back was given to the loop. */
        OFFERED,
        /** Entries are taken. */
        ATTACHED,
        /** The connection is gone, the loop has not yet let go of the way back. */
        DETACHING
    }

    static final long NO_REGISTRATION = -1;

    final int loop;
    final Image image;
    final TrunkChannels.Port port;
    final long sinceNs;
    State state = State.UNBOUND;
    Trunk trunk;
    TokenBucket trunkBucket;
    SeatBuckets seatBuckets;
    long registrationId = NO_REGISTRATION;
    ExclusivePublication publication;
    boolean isDetachTold;
    /** How many slots the frame needs that Aeron keeps because the ring was full, 0 when there is none. */
    int waitingEntries;

    LoopLink(final int loop, final Image image, final TrunkChannels.Port port, final long sinceNs)
    {
        this.loop = loop;
        this.image = image;
        this.port = port;
        this.sinceNs = sinceNs;
    }
}
