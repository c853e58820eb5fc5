package io.escapement.accounts;

/**
 * What came of a request that changes something.
 *
 * @param status 0 or a code.
 * @param value  what was made, when status is 0.
 */
record Result(int status, long value)
{
    static Result done(final long value)
    {
        return new Result(0, value);
    }

    static Result refused(final AccountCode code)
    {
        return new Result(code.value(), 0);
    }
}
