package io.escapement.tokens;

import java.util.concurrent.TimeUnit;

/**
 * Loads the keys: at the start, each interval, when their file has changed, and when a token names an unknown key,
 * which strangers can invent. Between two loads is at least the retry time, however often tokens ask. Keys stay in use
 * until other keys are loaded. One thread calls {@link #poll}, and any thread the other methods.
 */
final class KeyRefresh
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.tokens");

    private final KeySource source;
    private final String name;
    private final TokenCounters counters;
    private final long intervalMs;
    private final long retryMs;
    private volatile KeySet keys;
    private volatile boolean isRequested;
    private boolean isStarted;
    private long triedMs;
    private long dueMs;
    private long failuresInRow;

    /** Of keys that are loaded later, or of the first keys of a file. */
    KeyRefresh(
        final TokenLogInContext context, final KeySource source, final KeySet first, final TokenCounters counters)
    {
        this.source = source;
        this.counters = counters;
        name = context.keys();
        intervalMs = TimeUnit.NANOSECONDS.toMillis(context.refreshNs());
        retryMs = TimeUnit.NANOSECONDS.toMillis(context.retryNs());
        keys = first;
    }

    /** The keys in use, or null before the first. */
    KeySet keys()
    {
        return keys;
    }

    /** A token names a key that is not in use. */
    void onUnknownKey()
    {
        counters.increment(TokenCounter.KEY_REQUESTS);
        isRequested = true;
    }

    /** Load the keys if that is due. Returns whether it tried to. */
    boolean poll(final long nowMs)
    {
        final boolean isWanted = nowMs - dueMs >= 0 || isRequested || source.hasChanged();
        if (isStarted && (!isWanted || nowMs - triedMs < retryMs))
        {
            return false;
        }
        isStarted = true;
        isRequested = false;
        triedMs = nowMs;
        try
        {
            keys = source.load();
            dueMs = nowMs + intervalMs;
            counters.increment(TokenCounter.KEY_LOADS);
            if (failuresInRow > 0)
            {
                LOGGER.log(System.Logger.Level.INFO, "keys loaded: " + name + ": " + keys.size() + " keys");
            }
            failuresInRow = 0;
        }
        catch (final KeyFailure ex)
        {
            dueMs = nowMs + retryMs;
            failuresInRow++;
            counters.increment(ex.kind().counter());
            LOGGER.log(System.Logger.Level.WARNING, "keys not loaded: " + name + ": " + ex.getMessage() + " (failure " +
                failuresInRow + ", next attempt in " + retryMs + " ms; " + (null == keys ?
                "log-ins are refused as NO_KEYS until then)" : keys.size() + " keys stay in use)"));
        }
        return true;
    }
}
