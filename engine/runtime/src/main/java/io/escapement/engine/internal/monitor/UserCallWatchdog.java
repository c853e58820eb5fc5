package io.escapement.engine.internal.monitor;

import io.escapement.engine.internal.loop.UserCall;
import org.agrona.ErrorHandler;

/** Reports a call of the application's code that does not return, once, with its stack. It cannot stop it. */
final class UserCallWatchdog
{
    private static final long NS_PER_MS = 1_000_000;

    private final UserCall call;
    private final ErrorHandler errorHandler;
    private long reportedSinceNs = UserCall.NONE;

    UserCallWatchdog(final UserCall call, final ErrorHandler errorHandler)
    {
        this.call = call;
        this.errorHandler = errorHandler;
    }

    int poll(final long nowNs)
    {
        final long sinceNs = call.sinceNs();
        if (UserCall.NONE == sinceNs || sinceNs == reportedSinceNs || nowNs - sinceNs < call.limitNs())
        {
            return 0;
        }
        final Thread thread = call.thread();
        final IllegalStateException report = new IllegalStateException(call.option() + " has not returned for " +
            (nowNs - sinceNs) / NS_PER_MS + " ms, and holds thread " + thread.getName());
        report.setStackTrace(thread.getStackTrace());
        if (call.sinceNs() != sinceNs)
        {
            // It returned during the check: the stack may be of something else.
            return 0;
        }
        reportedSinceNs = sinceNs;
        errorHandler.onError(report);
        return 1;
    }
}
