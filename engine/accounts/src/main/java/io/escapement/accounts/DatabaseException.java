package io.escapement.accounts;

import java.sql.SQLException;

/**
 * A database error. The message contains the database's error code but never its text, which may quote values such as a
 * name, a hash or a URL with a password.
 */
public final class DatabaseException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    DatabaseException(final String message)
    {
        super(message);
    }

    /** Keeps only the stack trace of the cause. */
    static DatabaseException of(final String operation, final SQLException cause)
    {
        final DatabaseException exception = new DatabaseException(
            operation + ": SQLSTATE " + cause.getSQLState() + ", error " + cause.getErrorCode());
        exception.setStackTrace(cause.getStackTrace());
        return exception;
    }
}
