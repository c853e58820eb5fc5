package io.escapement.engine.internal.monitor;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.agrona.ErrorHandler;

/**
 * Reports a loop once each time its log has had no room for turns for a second. The loop's commands then wait in Aeron.
 */
final class LogWatchdog
{
    static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(1);

    private static final long NONE = -1;

    private final int loop;
    private final LongSupplier blockedSinceNs;
    private final ErrorHandler errorHandler;
    private long reportedSinceNs = NONE;

    /** The time since which the log has had no room is negative if it has. */
    LogWatchdog(final int loop, final LongSupplier blockedSinceNs, final ErrorHandler errorHandler)
    {
        this.loop = loop;
        this.blockedSinceNs = blockedSinceNs;
        this.errorHandler = errorHandler;
    }

    int poll(final long nowNs)
    {
        final long sinceNs = blockedSinceNs.getAsLong();
        if (sinceNs < 0 || sinceNs == reportedSinceNs || nowNs - sinceNs < LIMIT_NS)
        {
            return 0;
        }
        reportedSinceNs = sinceNs;
        errorHandler.onError(new IllegalStateException("the log of loop " + loop + " has had no room for turns for " +
            TimeUnit.NANOSECONDS.toMillis(nowNs - sinceNs) +
            " ms, so its commands wait: its disk or the other nodes do not keep up"));
        return 1;
    }
}
