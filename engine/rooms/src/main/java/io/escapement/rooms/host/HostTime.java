package io.escapement.rooms.host;

/** The time of the turn. Every room of a host reads the same time throughout a turn. */
final class HostTime
{
    private long epochMs;
    private long nowNs;

    HostTime(final long epochMs)
    {
        this.epochMs = epochMs;
    }

    /** Move the wall-clock time of host time 0. */
    void epochMs(final long value)
    {
        epochMs = value;
    }

    /** Wall-clock time of host time 0. */
    long originMs()
    {
        return epochMs;
    }

    void nowNs(final long value)
    {
        nowNs = value;
    }

    long nowNs()
    {
        return nowNs;
    }

    long epochMs()
    {
        return epochMs + nowNs / 1_000_000;
    }

    /** Time after a delay, at most the end of time. */
    long deadlineIn(final long delayNs)
    {
        return delayNs > Long.MAX_VALUE - nowNs ? Long.MAX_VALUE : nowNs + delayNs;
    }
}
