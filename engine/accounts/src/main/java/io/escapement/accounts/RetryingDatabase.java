package io.escapement.accounts;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Set;
import javax.sql.DataSource;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.NanoClock;

/**
 * One worker's way to the database: runs transactions, tries again with pauses that grow when the database is away, and
 * gives up after a while. The while is counted from the beginning of an outage, not from each request: once it is over,
 * requests are refused at once, but for one try every so often. For one thread at a time.
 */
final class RetryingDatabase
{
    /** A transaction. It may be run again, so all that it does must be undone by a rollback. */
    @FunctionalInterface
    interface Work<T>
    {
        T run(Connection connection) throws SQLException;
    }

    /** A wait that an interrupt ends. */
    @FunctionalInterface
    interface Pause
    {
        void pause(long ns);
    }

    /** A name or a key that two write at one time: the second try sees what the first one met. */
    private static final int MAX_COLLISIONS = 4;

    /** Classes of SQLSTATE for which the statement is at fault, not the database: data, constraints, the SQL itself. */
    private static final Set<String> FAULT_CLASSES = Set.of("22", "23", "42");
    private static final String UNIQUE_VIOLATION = "23505";

    private final DataSource dataSource;
    private final NanoClock clock;
    private final Pause pause;
    private final ErrorHandler errorHandler;
    private final long waitNs;
    private final long minPauseNs;
    private final long maxPauseNs;
    private boolean isAway;
    private long awaySinceNs;
    private long nextTryNs;
    private long pauseNs;

    RetryingDatabase(final DataSource dataSource, final AccountsContext context)
    {
        this.dataSource = dataSource;
        clock = context.nanoClock();
        pause = context.pause();
        errorHandler = context.errorHandler();
        waitNs = context.waitForDatabaseNs();
        minPauseNs = context.minRetryNs();
        maxPauseNs = context.maxRetryNs();
    }

    /**
     * Run a transaction, and wait for the database if it is away.
     *
     * @throws DatabaseDownException when it was away for too long. Whether the last try took effect is not known.
     * @throws DatabaseException     when the transaction is at fault.
     */
    <T> T perform(final String what, final Work<T> work) throws DatabaseDownException
    {
        while (true)
        {
            waitForTry(what);
            try
            {
                return attempt(what, work);
            }
            catch (final DatabaseDownException ex)
            {
                if (nextTryNs - awaySinceNs > waitNs)
                {
                    throw ex;
                }
            }
        }
    }

    /** Run a transaction if the database is there, or if it is time to look whether it is there again. */
    <T> T performNow(final String what, final Work<T> work) throws DatabaseDownException
    {
        if (isAway && clock.nanoTime() - nextTryNs < 0)
        {
            throw new DatabaseDownException(what);
        }
        return attempt(what, work);
    }

    /** One or the other. */
    <T> T perform(final boolean isToWait, final String what, final Work<T> work) throws DatabaseDownException
    {
        return isToWait ? perform(what, work) : performNow(what, work);
    }

    /** How long until it makes sense to try again: 0 when the database is not known to be away. */
    long untilTryNs()
    {
        return isAway ? Math.max(0, nextTryNs - clock.nanoTime()) : 0;
    }

    private void waitForTry(final String what) throws DatabaseDownException
    {
        long leftNs = untilTryNs();
        while (leftNs > 0)
        {
            if (nextTryNs - awaySinceNs > waitNs || Thread.currentThread().isInterrupted())
            {
                throw new DatabaseDownException(what);
            }
            pause.pause(leftNs);
            leftNs = untilTryNs();
        }
    }

    private <T> T attempt(final String what, final Work<T> work) throws DatabaseDownException
    {
        final long startNs = clock.nanoTime();
        for (int collisions = 0; ; collisions++)
        {
            try
            {
                final T result = transaction(work);
                isAway = false;
                return result;
            }
            catch (final SQLException ex)
            {
                if (UNIQUE_VIOLATION.equals(ex.getSQLState()) && collisions < MAX_COLLISIONS)
                {
                    continue;
                }
                if (isFault(ex))
                {
                    throw DatabaseException.of(what, ex);
                }
                onAway(startNs, what, ex);
                throw new DatabaseDownException(what);
            }
        }
    }

    private <T> T transaction(final Work<T> work) throws SQLException
    {
        // What was not committed is rolled back when the pool takes the connection back.
        try (Connection connection = dataSource.getConnection())
        {
            final T result = work.run(connection);
            connection.commit();
            return result;
        }
    }

    private void onAway(final long startNs, final String what, final SQLException ex)
    {
        if (isAway)
        {
            pauseNs = Math.min(pauseNs * 2, maxPauseNs);
        }
        else
        {
            isAway = true;
            awaySinceNs = startNs;
            pauseNs = minPauseNs;
            // Once an outage: what it is like in between says nothing new.
            errorHandler.onError(DatabaseException.of("the database is away: " + what, ex));
        }
        nextTryNs = clock.nanoTime() + pauseNs;
    }

    private static boolean isFault(final SQLException ex)
    {
        final String state = ex.getSQLState();
        return null != state && state.length() >= 2 && FAULT_CLASSES.contains(state.substring(0, 2));
    }
}
