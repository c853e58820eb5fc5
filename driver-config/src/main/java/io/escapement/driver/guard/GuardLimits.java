package io.escapement.driver.guard;

import io.aeron.logbuffer.LogBufferDescriptor;
import io.escapement.config.ConfigException;
import org.agrona.BitUtil;

/**
 * Limits for unauthenticated peers. They apply to each receive endpoint: a driver with n subscribed channels may hold n
 * times as many sessions.
 *
 * @param maxTermLength in bytes, a power of two. The driver maps three terms for a session before it authenticates.
 * @param minMtu        in bytes. A tiny MTU makes the receiver work for each byte.
 * @param maxMtu        in bytes, at least {@link GuardedEndpoints#RESPONSE_MTU} where responses of an engine arrive.
 * @param setupRate     sustained new sessions per second.
 * @param setupBurst    new sessions at once, so that a restarted gateway reconnects all trunks without delay.
 * @param sessionLimit  live sessions. A quarter of them is for established hosts. A host that is not established may
 *                      take half of all, and less when others have taken some.
 */
public record GuardLimits(int maxTermLength, int minMtu, int maxMtu, int setupRate, int setupBurst, int sessionLimit)
{
    /** Fits the term lengths of the profiles and a few hundred sessions. */
    public static final GuardLimits DEFAULTS =
        new GuardLimits(1 << 20, 512, GuardedEndpoints.RESPONSE_MTU, 50, 64, 512);

    /** Validates the limits. */
    public GuardLimits
    {
        ConfigException.check(
            BitUtil.isPowerOfTwo(maxTermLength) && maxTermLength >= LogBufferDescriptor.TERM_MIN_LENGTH,
            "maxTermLength", maxTermLength, "a power of two, at least " + LogBufferDescriptor.TERM_MIN_LENGTH);
        atLeast("minMtu", minMtu, 64);
        atLeast("maxMtu", maxMtu, minMtu);
        atLeast("setupRate", setupRate, 1);
        atLeast("setupBurst", setupBurst, 1);
        atLeast("sessionLimit", sessionLimit, 1);
    }

    /**
     * Limits for an engine with this many sessions of trunks on a socket: as many set up at once, and twice as many
     * alive, because one host that is not established gets half of the places.
     *
     * @param sessions of all trunks.
     * @return these limits, raised where they would keep trunks out.
     */
    public GuardLimits forSessions(final int sessions)
    {
        return new GuardLimits(maxTermLength, minMtu, maxMtu, setupRate, Math.max(setupBurst, sessions), 2 * sessions);
    }

    /**
     * Limits that admit terms of at least this length.
     *
     * @param termLength in bytes. A length that no driver accepts is ignored here.
     * @return these limits, raised where they would keep such a session out.
     */
    public GuardLimits admitting(final int termLength)
    {
        return BitUtil.isPowerOfTwo(termLength) && termLength > maxTermLength ?
            new GuardLimits(termLength, minMtu, maxMtu, setupRate, setupBurst, sessionLimit) : this;
    }

    private static void atLeast(final String name, final int value, final int least)
    {
        ConfigException.check(value >= least, name, value, "at least " + least);
    }
}
