package io.escapement.tokens;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.ObjLongConsumer;

/** Counters of log-ins, refusals per code, and loads of keys. Any thread. */
final class TokenCounters
{
    private final AtomicLongArray counts = new AtomicLongArray(TokenCounter.values().length);
    private final AtomicLongArray refusals = new AtomicLongArray(TokenCode.values().length);

    void increment(final TokenCounter counter)
    {
        counts.incrementAndGet(counter.ordinal());
    }

    void refused(final TokenCode code)
    {
        refusals.incrementAndGet(code.ordinal());
    }

    long count(final TokenCounter counter)
    {
        return counts.get(counter.ordinal());
    }

    long count(final TokenCode code)
    {
        return refusals.get(code.ordinal());
    }

    void forEach(final ObjLongConsumer<String> visitor)
    {
        for (final TokenCounter counter : TokenCounter.values())
        {
            visitor.accept(counter.name().toLowerCase(Locale.ROOT), count(counter));
        }
        for (final TokenCode code : TokenCode.values())
        {
            visitor.accept("refused " + code, count(code));
        }
    }
}
