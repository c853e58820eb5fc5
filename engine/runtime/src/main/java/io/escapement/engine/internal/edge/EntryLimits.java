package io.escapement.engine.internal.edge;

import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.ratelimit.TokenBuckets;

/**
 * The rates of one trunk on one loop. Seats are hashed into a table of fixed size, so a client cannot make it grow. Two
 * seats that collide share a bucket: a seat may be refused early, but never exceeds its rate.
 */
final class EntryLimits
{
    private static final int SEAT_BUCKETS = 4_096;
    private static final int SEAT_SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(SEAT_BUCKETS);
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    /** A snapshot a quarter of a second is as good as none to a player that needs more. */
    private static final int STATE_LOST_PER_SECOND = 4;

    /** A burst is what the rate allows in a tenth of a second. */
    private static final int BURSTS_PER_SECOND = 10;

    private final TokenBuckets trunk;
    private final TokenBuckets seats;
    private final TokenBuckets statesLost = TokenBuckets.ofRate(
        SEAT_BUCKETS, STATE_LOST_PER_SECOND, STATE_LOST_PER_SECOND);

    EntryLimits(final TrunkServerContext options)
    {
        trunk = buckets(1, options.trunkRate());
        seats = buckets(SEAT_BUCKETS, options.seatRate());
    }

    /** How many entries of a batch, counted from its first, are within the trunk's rate. */
    int take(final int entries, final long nowNs)
    {
        return trunk.take(0, entries, nowNs);
    }

    boolean tryTakeForSeat(final long roomId, final int seatIndex, final long nowNs)
    {
        return seats.tryTake(bucketOf(roomId, seatIndex), nowNs);
    }

    boolean tryTakeStateLost(final long roomId, final int seatIndex, final long nowNs)
    {
        return statesLost.tryTake(bucketOf(roomId, seatIndex), nowNs);
    }

    private static TokenBuckets buckets(final int count, final int perSecond)
    {
        return TokenBuckets.ofRate(count, perSecond, Math.max(1, perSecond / BURSTS_PER_SECOND));
    }

    private static int bucketOf(final long roomId, final int seatIndex)
    {
        return (int)(((roomId * 31 + seatIndex) * MIX) >>> SEAT_SHIFT);
    }
}
