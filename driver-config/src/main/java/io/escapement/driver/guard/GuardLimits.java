package io.escapement.driver.guard;

import io.aeron.logbuffer.LogBufferDescriptor;
import org.agrona.BitUtil;

/**
 * What a stranger may ask of a driver. Each limit stands for one endpoint, so a driver with n subscribed channels holds
 * at most n times as many sessions.
 *
 * @param maxTermLength in bytes, a power of two. A session maps three terms before it has shown that it is welcome.
 * @param minMtu        in bytes. A tiny one makes the receiver work for each byte.
 * @param maxMtu        in bytes.
 * @param setupRate     new sessions a second, in the long run.
 * @param setupBurst    new sessions at once, so that a restarted gateway is back quickly.
 * @param sessionLimit  sessions that may be alive.
 */
public record GuardLimits(int maxTermLength, int minMtu, int maxMtu, int setupRate, int setupBurst, int sessionLimit)
{
    /** Room for trunks with the terms that the profiles use, and for a few hundred sessions. */
    public static final GuardLimits DEFAULTS = new GuardLimits(1 << 20, 512, 8_192, 50, 64, 512);

    /** Refuses what cannot work, by the name of the limit. */
    public GuardLimits
    {
        if (!BitUtil.isPowerOfTwo(maxTermLength) || maxTermLength < LogBufferDescriptor.TERM_MIN_LENGTH)
        {
            throw new IllegalArgumentException("maxTermLength=" + maxTermLength +
                " is not a power of two from " + LogBufferDescriptor.TERM_MIN_LENGTH);
        }
        atLeast("minMtu", minMtu, 64);
        atLeast("maxMtu", maxMtu, minMtu);
        atLeast("setupRate", setupRate, 1);
        atLeast("setupBurst", setupBurst, 1);
        atLeast("sessionLimit", sessionLimit, 1);
    }

    private static void atLeast(final String name, final int value, final int least)
    {
        if (value < least)
        {
            throw new IllegalArgumentException(name + "=" + value + " is less than " + least);
        }
    }
}
