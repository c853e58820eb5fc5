package io.escapement.accounts;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/**
 * Reads once per second which accounts an operator has banned or deleted, and passes them on. Each of them is passed on
 * for 30 s, because a log-in or a join may have been under way, and at the start for the last two hours: a journal has
 * kept seats, and tokens may be valid. One thread, besides {@link #close}.
 */
final class RemovalWatch implements AutoCloseable
{
    /** Polls in which an account is passed on. */
    static final int REPEATS = 30;
    /** Twice as long as a player token is valid. */
    static final long RETENTION_MS = TimeUnit.HOURS.toMillis(2);

    private static final long POLL_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int POLLS_PER_PRUNE = 600;
    private static final long JOIN_MS = TimeUnit.SECONDS.toMillis(10);

    private final AccountsContext context;
    private final RetryingDatabase database;
    private final Consumer<long[]> listener;
    private final Map<Long, Integer> repeatsByRowMap = new HashMap<>();
    private final Thread thread;
    private int polls;
    private volatile boolean isClosed;

    RemovalWatch(final AccountsContext context, final RetryingDatabase database)
    {
        this.context = context;
        this.database = database;
        listener = context.bannedListener();
        thread = context.newThread("escapement-accounts-removals", this::run);
    }

    void start()
    {
        thread.start();
    }

    /** Read the rows and pass their accounts on. */
    void poll()
    {
        try
        {
            final long nowMs = context.epochClock().time();
            if (0 == polls++ % POLLS_PER_PRUNE)
            {
                database.execute("prune removals", (connection) -> Removals.prune(connection, nowMs - RETENTION_MS));
            }
            pass(database.query("read removals", (connection) -> Removals.find(connection, nowMs)));
        }
        catch (final DatabaseDownException ex)
        {
            // It has reported the outage. The next poll finds what this one missed.
            return;
        }
    }

    private void pass(final Map<Long, Long> accountByRowMap)
    {
        repeatsByRowMap.keySet().retainAll(accountByRowMap.keySet());
        final long[] playerIds = accountByRowMap.entrySet().stream()
            .filter((row) -> mayRepeat(row.getKey())).mapToLong(Map.Entry::getValue).distinct().toArray();
        if (playerIds.length > 0)
        {
            listener.accept(playerIds);
        }
    }

    private boolean mayRepeat(final long row)
    {
        final int repeats = repeatsByRowMap.getOrDefault(row, 0);
        repeatsByRowMap.put(row, Math.min(REPEATS, repeats + 1));
        return repeats < REPEATS;
    }

    private void run()
    {
        while (!isClosed)
        {
            try
            {
                poll();
            }
            catch (final RuntimeException ex)
            {
                context.errorHandler().onError(ex);
            }
            LockSupport.parkNanos(POLL_NS);
        }
    }

    @Override
    public void close()
    {
        isClosed = true;
        LockSupport.unpark(thread);
        try
        {
            thread.join(JOIN_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }
}
