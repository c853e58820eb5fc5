package io.escapement.cluster;

import java.util.HashMap;
import java.util.Map;

/**
 * Counts how often an election meets the same error. It has its own lock, since parts that a node waits for while it
 * closes report errors.
 */
final class ElectionErrors
{
    /** Errors that are timeouts come every few seconds. */
    private static final int LIMIT = 3;

    private final Map<String, Integer> countByErrorMap = new HashMap<>();
    private String repeated;

    /** Count one. Any thread. */
    synchronized void add(final Throwable error)
    {
        // Numbers of sessions and correlations differ each time.
        final String text = String.valueOf(error.getMessage()).replaceAll("\\d+", "N");
        if (countByErrorMap.merge(text, 1, Integer::sum) >= LIMIT)
        {
            repeated = text;
        }
    }

    /** Begin again. Any thread. */
    synchronized void clear()
    {
        countByErrorMap.clear();
        repeated = null;
    }

    /** The error that has come often enough, or null. Any thread. */
    synchronized String repeated()
    {
        return repeated;
    }
}
