package io.escapement.engine.internal.edge;

import java.util.concurrent.TimeUnit;

/**
 * A token bucket a seat, for the seats of one trunk on one loop. Seats are found by a hash in a table of fixed size;
 * two that fall on one place share its bucket, so a seat may be refused a little early but never let through too often.
 */
final class SeatBuckets
{
    private static final long MIX = 0x9E37_79B9_7F4A_7C15L;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    private final long[] fullNs;
    private final int shift;
    private final long nsPerToken;
    private final long burstNs;

    SeatBuckets(final int places, final int ratePerSecond, final int burst)
    {
        fullNs = new long[places];
        shift = Long.SIZE - Integer.numberOfTrailingZeros(places);
        nsPerToken = Math.max(1, SECOND_NS / ratePerSecond);
        burstNs = burst * nsPerToken;
    }

    boolean tryTake(final long roomId, final int seatIndex, final long nowNs)
    {
        final int place = (int)(((roomId * 31 + seatIndex) * MIX) >>> shift);
        final long next = Math.max(fullNs[place], nowNs) + nsPerToken;
        if (next - nowNs > burstNs)
        {
            return false;
        }
        fullNs[place] = next;
        return true;
    }
}
