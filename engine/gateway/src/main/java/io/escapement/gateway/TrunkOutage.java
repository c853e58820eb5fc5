package io.escapement.gateway;

import java.util.concurrent.TimeUnit;

/** Says why a worker has no trunk, once every ten seconds, and when it has one again. */
final class TrunkOutage
{
    static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(10);

    private static final System.Logger LOGGER = System.getLogger("io.escapement.gateway");

    private final String worker;
    private long sinceNs;
    private long dueNs;
    private boolean isOut;
    private boolean isReported;

    TrunkOutage(final String worker)
    {
        this.worker = worker;
    }

    /** Called in each turn of the worker. */
    void poll(final long nowNs, final Upstream upstream)
    {
        if (upstream.isUp() != isOut)
        {
            if (isOut && nowNs - dueNs >= 0)
            {
                dueNs += INTERVAL_NS;
                isReported = true;
                report(nowNs, upstream.failure());
            }
            return;
        }
        if (isReported)
        {
            LOGGER.log(System.Logger.Level.INFO, worker + ": the engine is reached again after " + seconds(nowNs));
        }
        isOut = !isOut;
        isReported = false;
        sinceNs = nowNs;
        dueNs = nowNs + INTERVAL_NS;
    }

    private void report(final long nowNs, final String failure)
    {
        LOGGER.log(System.Logger.Level.WARNING, worker + ": the engine is out of reach for " + seconds(nowNs) + ": " +
            (failure.isEmpty() ? "no attempt has ended yet" : failure));
    }

    private String seconds(final long nowNs)
    {
        return TimeUnit.NANOSECONDS.toSeconds(nowNs - sinceNs) + " s";
    }
}
