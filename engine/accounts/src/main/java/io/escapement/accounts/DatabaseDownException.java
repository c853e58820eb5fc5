package io.escapement.accounts;

/** The database did not answer for as long as may be waited. */
final class DatabaseDownException extends Exception
{
    private static final long serialVersionUID = 1L;

    DatabaseDownException(final String what)
    {
        // It is a state, not a fault: nobody reads its trace.
        super(what, null, false, false);
    }
}
