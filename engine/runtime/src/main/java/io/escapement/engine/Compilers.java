package io.escapement.engine;

import java.util.function.LongSupplier;

/** Sees whether the JIT compilers rest, in windows of time. */
final class Compilers
{
    private final LongSupplier workedMs;
    private final long windowNs;
    private long startNs;
    private long startMs;
    private boolean isStarted;

    /** A compilation counts only when it completes: a window should outlast a long compilation. */
    Compilers(final long windowNs, final LongSupplier workedMs)
    {
        this.windowNs = windowNs;
        this.workedMs = workedMs;
    }

    /** Whether a window has just passed in which they rested. The first call starts the first window. */
    boolean rest(final long nowNs)
    {
        if (isStarted && nowNs - startNs < windowNs)
        {
            return false;
        }
        final long nowMs = workedMs.getAsLong();
        final boolean haveRested = isStarted && WarmUp.haveRested(nowMs - startMs, nowNs - startNs);
        isStarted = true;
        startNs = nowNs;
        startMs = nowMs;
        return haveRested;
    }
}
