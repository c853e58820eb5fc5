package io.escapement.arena.client;

import java.util.ArrayList;
import java.util.List;

/** Messages of the server that break the rules. All are counted. The first are kept as text. */
final class Violations
{
    private static final int KEPT = 64;

    private final List<String> texts = new ArrayList<>();
    private long count;

    void add(final String text)
    {
        count++;
        if (texts.size() < KEPT)
        {
            texts.add(text);
        }
    }

    void add(final String text, final long subject, final long value)
    {
        count++;
        if (texts.size() < KEPT)
        {
            texts.add(text + ": " + subject + ", " + value);
        }
    }

    long count()
    {
        return count;
    }

    List<String> texts()
    {
        return texts;
    }
}
