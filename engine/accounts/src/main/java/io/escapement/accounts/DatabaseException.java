package io.escapement.accounts;

import java.sql.SQLException;

/**
 * A fault of the database, or of what was said about where it is. The message is one line. It has the database's error
 * code, never its text, as that may quote values: a name, a hash, an address with a password in it.
 */
public final class DatabaseException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    DatabaseException(final String message)
    {
        super(message);
    }

    /** Tells where it was thrown, and keeps nothing else of the cause. */
    static DatabaseException of(final String what, final SQLException cause)
    {
        final DatabaseException exception = new DatabaseException(
            what + ": SQLSTATE " + cause.getSQLState() + ", error " + cause.getErrorCode());
        exception.setStackTrace(cause.getStackTrace());
        return exception;
    }
}
