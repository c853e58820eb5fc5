package io.escapement.arena.common;

import java.nio.ByteOrder;
import org.agrona.MutableDirectBuffer;

/**
 * A token bucket in the data of a seat, as a virtual schedule: it keeps only the time at which the bucket will be full.
 * Zero, as a new player has it, is a full one.
 */
public final class RateLimit
{
    /** Bytes of a bucket. */
    public static final int LENGTH = Long.BYTES;

    private static final long NS_PER_SECOND = 1_000_000_000L;

    private final int offset;
    private final long periodNs;
    private final long burstNs;

    /**
     * @param offset of the bucket in the data of a seat.
     * @param burst  that a seat may take at once.
     */
    public RateLimit(final int offset, final int perSecond, final int burst)
    {
        this.offset = offset;
        periodNs = NS_PER_SECOND / perSecond;
        burstNs = burst * periodNs;
    }

    /** Take a token. False if the bucket is empty. */
    public boolean take(final MutableDirectBuffer data, final long nowNs)
    {
        final long fullAtNs = Math.max(nowNs, data.getLong(offset, ByteOrder.LITTLE_ENDIAN)) + periodNs;
        if (fullAtNs - nowNs > burstNs)
        {
            return false;
        }
        data.putLong(offset, fullAtNs, ByteOrder.LITTLE_ENDIAN);
        return true;
    }
}
