package io.escapement.client;

/** The keepalives of one connection: when to send the next, and whether the engine has fallen silent. */
final class Keepalive
{
    /** The engine answers each keepalive. Silence for this many intervals means that it is lost. */
    private static final int KEEPALIVES_UNTIL_LATE = 3;

    private final long intervalNs;
    private long lastActivityNs;
    private long lastSentNs;

    Keepalive(final long intervalNs, final long nowNs)
    {
        this.intervalNs = intervalNs;
        lastActivityNs = nowNs;
        // The first is due at once: it measures the round trip.
        lastSentNs = nowNs - intervalNs;
    }

    void onActivity(final long nowNs)
    {
        lastActivityNs = nowNs;
    }

    boolean isLate(final long nowNs)
    {
        return nowNs - lastActivityNs > KEEPALIVES_UNTIL_LATE * intervalNs;
    }

    /** Send one when half of the interval has passed, so that one delayed duty cycle does not make it late. */
    void advance(final TrunkProxy proxy, final long roundTripNs, final long nowNs)
    {
        if (nowNs - lastSentNs > intervalNs / 2 && proxy.keepalive(nowNs, roundTripNs))
        {
            lastSentNs = nowNs;
        }
    }
}
