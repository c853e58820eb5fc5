package io.escapement.arena;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.Arrays;

/**
 * How often each seat may do something: so many a second, and so many at once. It keeps one time a seat, at which the
 * seat's debt would be paid off.
 */
final class RateLimit
{
    private static final long NS_PER_SECOND = 1_000_000_000L;

    private final long periodNs;
    private final long burstNs;
    private final long[] paidAtNs;

    RateLimit(final int seats, final int perSecond, final int burst)
    {
        periodNs = NS_PER_SECOND / perSecond;
        burstNs = burst * periodNs;
        paidAtNs = new long[seats];
        Arrays.fill(paidAtNs, Long.MIN_VALUE);
    }

    /** Take one, if there is one. */
    boolean take(final int seat, final long nowNs)
    {
        final long paid = Math.max(nowNs, paidAtNs[seat]) + periodNs;
        if (paid - nowNs > burstNs)
        {
            return false;
        }
        paidAtNs[seat] = paid;
        return true;
    }

    /** Another player has the seat. */
    void reset(final int seat)
    {
        paidAtNs[seat] = Long.MIN_VALUE;
    }

    void write(final StateWriter writer)
    {
        for (final long paidAt : paidAtNs)
        {
            writer.putLong(paidAt);
        }
    }

    void read(final StateReader reader)
    {
        for (int i = 0; i < paidAtNs.length; i++)
        {
            paidAtNs[i] = reader.getLong();
        }
    }
}
