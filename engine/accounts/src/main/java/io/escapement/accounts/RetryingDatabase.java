package io.escapement.accounts;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.NanoClock;

/**
 * Runs one worker's transactions. In an outage it retries with exponential backoff until the timeout, which counts from
 * the start of the outage and not of each request: after it, requests fail at once, except one probe per retry
 * interval. Confined to one thread at a time.
 */
final class RetryingDatabase
{
    /** A transaction. A rollback must undo all its effects, because it may be rerun. */
    @FunctionalInterface
    interface Transaction<T>
    {
        T run(Connection connection) throws SQLException;
    }

    /** A wait that ends early on interrupt. */
    @FunctionalInterface
    interface Pause
    {
        void pause(long ns);
    }

    /** H2 writes commits to its file, and leaves it to the operating system when they reach the disk. */
    static final String FORCE_H2 = "CHECKPOINT SYNC";

    /** Two concurrent transactions may insert one unique name or key. The rerun finds the other's row. */
    private static final int MAX_COLLISIONS = 4;

    /** SQLSTATE classes for an invalid statement, as opposed to an outage: data, constraints, syntax. */
    private static final Set<String> STATEMENT_ERROR_CLASSES = Set.of("22", "23", "42");
    private static final String UNIQUE_VIOLATION = "23505";

    private final DataSource dataSource;
    private final NanoClock clock;
    private final Pause pause;
    private final ErrorHandler errorHandler;
    private final long timeoutNs;
    private final long minPauseNs;
    private final long maxPauseNs;
    private final boolean isForcing;
    private boolean isDown;
    private long downSinceNs;
    private long nextAttemptNs;
    private long pauseNs;

    RetryingDatabase(final DataSource dataSource, final AccountsContext context)
    {
        this.dataSource = dataSource;
        clock = context.nanoClock();
        pause = context.pause();
        errorHandler = context.errorHandler();
        isForcing = context.isForcingCommits();
        timeoutNs = context.databaseTimeoutNs();
        minPauseNs = context.minRetryNs();
        maxPauseNs = context.maxRetryNs();
    }

    /**
     * Run a transaction, with retries during an outage. When this returns, its effects are on the disk.
     *
     * @throws DatabaseDownException after the timeout. The last attempt may have been committed.
     * @throws DatabaseException     when a statement is invalid.
     */
    <T> T execute(final String operation, final Transaction<T> transaction) throws DatabaseDownException
    {
        return execute(operation, transaction, isForcing);
    }

    /** Run a transaction that only reads, with retries during an outage. */
    <T> T query(final String operation, final Transaction<T> transaction) throws DatabaseDownException
    {
        return execute(operation, transaction, false);
    }

    private <T> T execute(final String operation, final Transaction<T> transaction, final boolean isForced)
        throws DatabaseDownException
    {
        while (true)
        {
            awaitNextAttempt(operation);
            try
            {
                return attempt(operation, transaction, isForced);
            }
            catch (final DatabaseDownException ex)
            {
                if (isTimedOut())
                {
                    throw ex;
                }
            }
        }
    }

    /** Run a transaction without waiting: fails at once in an outage, unless a probe is due. */
    <T> T tryExecute(final String operation, final Transaction<T> transaction) throws DatabaseDownException
    {
        if (nsToNextAttempt() > 0)
        {
            throw new DatabaseDownException(operation);
        }
        return attempt(operation, transaction, isForcing);
    }

    /** Time until the next attempt is due; 0 if no outage is known. */
    long nsToNextAttempt()
    {
        return isDown ? Math.max(0, nextAttemptNs - clock.nanoTime()) : 0;
    }

    private void awaitNextAttempt(final String operation) throws DatabaseDownException
    {
        for (long leftNs = nsToNextAttempt(); leftNs > 0; leftNs = nsToNextAttempt())
        {
            if (isTimedOut() || Thread.currentThread().isInterrupted())
            {
                throw new DatabaseDownException(operation);
            }
            pause.pause(leftNs);
        }
    }

    private boolean isTimedOut()
    {
        return nextAttemptNs - downSinceNs > timeoutNs;
    }

    private <T> T attempt(final String operation, final Transaction<T> transaction, final boolean isForced)
        throws DatabaseDownException
    {
        final long startNs = clock.nanoTime();
        for (int collisions = 0; ; collisions++)
        {
            try
            {
                final T result = commit(transaction, isForced);
                isDown = false;
                return result;
            }
            catch (final SQLException ex)
            {
                if (UNIQUE_VIOLATION.equals(ex.getSQLState()) && collisions < MAX_COLLISIONS)
                {
                    continue;
                }
                if (isStatementError(ex))
                {
                    throw DatabaseException.of(operation, ex);
                }
                onFailure(startNs, operation, ex);
                throw new DatabaseDownException(operation);
            }
        }
    }

    private <T> T commit(final Transaction<T> transaction, final boolean isForced) throws SQLException
    {
        // The pool rolls back an uncommitted transaction when the connection is closed.
        try (Connection connection = dataSource.getConnection())
        {
            final T result = transaction.run(connection);
            connection.commit();
            if (isForced)
            {
                // Transactions of several workers that were committed before are forced with this one.
                try (PreparedStatement statement = connection.prepareStatement(FORCE_H2))
                {
                    statement.execute();
                }
            }
            return result;
        }
    }

    private void onFailure(final long startNs, final String operation, final SQLException ex)
    {
        if (isDown)
        {
            pauseNs = Math.min(pauseNs * 2, maxPauseNs);
        }
        else
        {
            isDown = true;
            downSinceNs = startNs;
            pauseNs = minPauseNs;
            // Reported once per outage, because further failures add no information.
            errorHandler.onError(DatabaseException.of("the database is down: " + operation, ex));
        }
        nextAttemptNs = clock.nanoTime() + pauseNs;
    }

    private static boolean isStatementError(final SQLException ex)
    {
        final String state = ex.getSQLState();
        return null != state && state.length() >= 2 && STATEMENT_ERROR_CLASSES.contains(state.substring(0, 2));
    }
}
