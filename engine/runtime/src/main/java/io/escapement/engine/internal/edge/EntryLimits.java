package io.escapement.engine.internal.edge;

import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.ratelimit.TokenBuckets;

/**
 * The rates of one trunk on one loop. Seats are hashed into a table of fixed size, which a client cannot grow. Two
 * seats that collide share a bucket: a seat may be refused early, but never exceeds its rate.
 *
 * <p>As long as all entries of the trunk together are within the rate of one seat, each seat is. Seats are not counted
 * then, because counting would cost a cache miss per message. Once they are counted, each has another burst. The trunk
 * owes the entries of all seats, up to two bursts, and seats are counted until the debt is 0. A seat may therefore send
 * two bursts at once, and in the long run its rate.
 */
final class EntryLimits
{
    private static final int SEAT_BUCKETS = 4_096;
    private static final int SEAT_SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(SEAT_BUCKETS);
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

    /** If a player needs more than four snapshots per second, snapshots do not help it. */
    private static final int STATE_LOST_PER_SECOND = 4;

    /** A burst is a tenth of the per-second rate. */
    private static final int BURSTS_PER_SECOND = 10;

    private final TokenBuckets trunk;
    private final TokenBuckets seats;
    /** One bucket of the rate of a seat, from which all entries of the trunk are taken. */
    private final TokenBuckets allSeats;
    private boolean areSeatsCounted;
    private final TokenBuckets statesLost = TokenBuckets.ofRate(
        SEAT_BUCKETS, STATE_LOST_PER_SECOND, STATE_LOST_PER_SECOND);

    EntryLimits(final TrunkServerContext options)
    {
        trunk = buckets(1, options.trunkRate());
        seats = buckets(SEAT_BUCKETS, options.seatRate());
        allSeats = buckets(1, options.seatRate());
    }

    /** How many entries of a batch, counted from its first, are within the trunk's rate. */
    int take(final int entries, final long nowNs)
    {
        final boolean wasRegained = allSeats.isFull(0, nowNs);
        final boolean isWithinOneSeat = allSeats.owe(0, entries, nowNs);
        areSeatsCounted = !isWithinOneSeat || areSeatsCounted && !wasRegained;
        return trunk.take(0, entries, nowNs);
    }

    boolean tryTakeForSeat(final long roomId, final int seatIndex, final long nowNs)
    {
        return !areSeatsCounted || seats.tryTake(bucketOf(roomId, seatIndex), nowNs);
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
