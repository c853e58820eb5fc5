package io.escapement.accounts;

/** The database was down until the timeout. */
final class DatabaseDownException extends Exception
{
    private static final long serialVersionUID = 1L;

    DatabaseDownException(final String operation)
    {
        // No stack trace, because an outage is a state and not a fault.
        super(operation, null, false, false);
    }
}
