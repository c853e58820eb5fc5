package io.escapement.accounts;

/**
 * The result of a request that changes data.
 *
 * @param status 0 or an {@link AccountCode}.
 * @param value  id of the affected row if status is 0.
 */
record Result(int status, long value)
{
    static Result success(final long value)
    {
        return new Result(0, value);
    }

    static Result refused(final AccountCode code)
    {
        return new Result(code.value(), 0);
    }
}
