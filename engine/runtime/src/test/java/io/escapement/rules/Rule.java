package io.escapement.rules;

/** The rule of {@link RuledRoom}. */
final class Rule
{
    static final int VERSION = 1;

    private Rule()
    {
    }

    static long apply(final long number)
    {
        return number;
    }
}
