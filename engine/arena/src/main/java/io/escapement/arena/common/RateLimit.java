package io.escapement.arena.common;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.Arrays;

/**
 * A token bucket for each seat, as a virtual schedule: it keeps only the time at which the seat's bucket will be full.
 */
public final class RateLimit
{
    private static final long NS_PER_SECOND = 1_000_000_000L;

    private final long periodNs;
    private final long burstNs;
    private final long[] fullAtNs;

    /** @param burst that a seat may take at once. */
    public RateLimit(final int seats, final int perSecond, final int burst)
    {
        periodNs = NS_PER_SECOND / perSecond;
        burstNs = burst * periodNs;
        fullAtNs = new long[seats];
        Arrays.fill(fullAtNs, Long.MIN_VALUE);
    }

    /** Take a token. False if the bucket is empty. */
    public boolean take(final int seat, final long nowNs)
    {
        final long full = Math.max(nowNs, fullAtNs[seat]) + periodNs;
        if (full - nowNs > burstNs)
        {
            return false;
        }
        fullAtNs[seat] = full;
        return true;
    }

    /** Fill the bucket, for another player on the seat. */
    public void reset(final int seat)
    {
        fullAtNs[seat] = Long.MIN_VALUE;
    }

    /** Write the state to a snapshot. */
    public void write(final StateWriter writer)
    {
        for (final long fullAt : fullAtNs)
        {
            writer.putLong(fullAt);
        }
    }

    /** Read the state from a snapshot. */
    public void read(final StateReader reader)
    {
        for (int i = 0; i < fullAtNs.length; i++)
        {
            fullAtNs[i] = reader.getLong();
        }
    }
}
