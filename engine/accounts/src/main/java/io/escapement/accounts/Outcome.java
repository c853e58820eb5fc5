package io.escapement.accounts;

/**
 * What came of a request that changes something.
 *
 * @param status 0 or a code.
 * @param value  what was made, when status is 0.
 */
record Outcome(int status, long value)
{
    static Outcome done(final long value)
    {
        return new Outcome(0, value);
    }

    static Outcome refused(final AccountCode code)
    {
        return new Outcome(code.value(), 0);
    }
}
