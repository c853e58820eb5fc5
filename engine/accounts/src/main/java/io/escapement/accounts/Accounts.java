package io.escapement.accounts;

import io.escapement.engine.spi.AsyncService;
import io.escapement.engine.spi.LogInService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.agrona.CloseHelper;

/**
 * Accounts and characters for an engine.
 *
 * <pre>
 *   try (Accounts accounts = Accounts.launch(new AccountsContext().errorHandler(faults));
 *       Engine engine = Engine.launch(new EngineContext()
 *           .service(ACCOUNTS, "accounts", accounts.workers(), accounts::service)
 *           .trunks(new TrunkServerContext().logInService(accounts.logIn()) ...)))
 * </pre>
 *
 * <p>Close the engine before the accounts, because its workers write pending saves when they close. A server that
 * drains calls {@link #flush} after the engine has drained.
 */
public final class Accounts implements AutoCloseable
{
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final AccountsContext context;
    private final Database database;
    private final AccountLogIn logIn;
    private final RemovalWatch removals;
    private final AtomicInteger pendingSaveCount = new AtomicInteger();
    private final List<AccountService> services = new ArrayList<>();

    private Accounts(final AccountsContext context, final Database database)
    {
        this.context = context;
        this.database = database;
        logIn = new AccountLogIn(this, context);
        removals = null == context.bannedListener() ? null :
            new RemovalWatch(context, new RetryingDatabase(dataSource(), context));
        if (null != removals)
        {
            removals.start();
        }
    }

    /**
     * Open the database, migrate its tables and start the log-in workers.
     *
     * @param context which is frozen.
     * @return the accounts, which the caller closes.
     * @throws io.escapement.config.ConfigException if an option is wrong.
     * @throws DatabaseException if the database does not answer, or a file of H2 is open elsewhere.
     */
    public static Accounts launch(final AccountsContext context)
    {
        context.conclude();
        final Database database = Database.open(context);
        try
        {
            return new Accounts(context, database);
        }
        catch (final RuntimeException ex)
        {
            database.close();
            throw ex;
        }
    }

    /** Number of workers that the engine's service must have. */
    public int workers()
    {
        return context.serviceWorkers();
    }

    /** Factory of the engine's service. The engine calls it once per worker. */
    public AsyncService service()
    {
        final AccountService service = new AccountService(this, context);
        synchronized (services)
        {
            services.add(service);
        }
        return service;
    }

    /** Log-in service for the trunk server's options. */
    public LogInService logIn()
    {
        return logIn;
    }

    /**
     * Ban an account: its log-ins are refused with BANNED from now on. Within about a second each server on the
     * database passes the account to its {@link AccountsContext#bannedListener}, which removes a player who is in. May
     * be repeated. Blocking: do not call it in a thread of the engine.
     *
     * @param name    of the account, in any case.
     * @param untilMs epoch time in milliseconds, {@link Long#MAX_VALUE} for ever, 0 to lift a ban.
     * @return false if no account has this name.
     * @throws IllegalStateException if the database does not answer. The ban may have been made then.
     */
    public boolean ban(final String name, final long untilMs)
    {
        final String nameKey = Names.key(name);
        return administer("ban", (connection) ->
        {
            if (0 != untilMs)
            {
                Removals.add(connection, nameKey, context.epochClock().time());
            }
            return AccountRows.ban(connection, nameKey, untilMs);
        });
    }

    /**
     * Choose whether a log-in with the password closes the account's earlier sessions: their tokens are refused with
     * SESSION_ENDED. A player who is logged in plays on until the token expires or the trunk closes. Blocking: do not
     * call it in a thread of the engine.
     *
     * @param name  of the account, in any case.
     * @param isOne whether the account has one session, false for a new account.
     * @return false if no account has this name.
     * @throws IllegalStateException if the database does not answer. The choice may have been stored then.
     */
    public boolean oneSession(final String name, final boolean isOne)
    {
        return administer("choose one session", (connection) ->
            AccountRows.oneSession(connection, Names.key(name), isOne));
    }

    /**
     * Delete an account and its characters, without its password, and remove its player as {@link #ban} does. Blocking:
     * do not call it in a thread of the engine.
     *
     * @param name of the account, in any case. It is free afterwards.
     * @return false if no account has this name.
     * @throws IllegalStateException if the database does not answer. The account may have been deleted then.
     */
    public boolean delete(final String name)
    {
        final AccountRows.Stored stored =
            administer("find an account", (connection) -> AccountRows.find(connection, Names.key(name)));
        final long keyHigh = context.secureRandom().nextLong();
        final long keyLow = context.secureRandom().nextLong();
        return null != stored && 0 == administer("delete an account", (connection) ->
        {
            Removals.add(connection, Names.key(name), context.epochClock().time());
            return AccountRows.delete(
                connection, stored.accountId(), keyHigh, keyLow, context.epochClock().time());
        }).status();
    }

    /**
     * An account in a list.
     *
     * @param id            of the account, which is the player id.
     * @param name          of the account.
     * @param createdMs     epoch time of the sign-up in milliseconds.
     * @param bannedUntilMs epoch time of the end of its ban, {@link Long#MAX_VALUE} for ever, 0 without a ban.
     */
    public record Listed(long id, String name, long createdMs, long bannedUntilMs)
    {
    }

    /**
     * List accounts by name. Blocking: do not call it in a thread of the engine.
     *
     * @param prefix of the names, in any case. Empty for all accounts.
     * @param after  name after which the list starts. Empty for the first page.
     * @param limit  most accounts in the list.
     * @return the accounts, without regard to case in the order of names.
     * @throws IllegalStateException if the database does not answer.
     */
    public List<Listed> list(final String prefix, final String after, final int limit)
    {
        return administer("list accounts", (connection) ->
            AccountRows.list(connection, Names.key(prefix), Names.key(after), limit));
    }

    /**
     * Replace a password that its owner has forgotten. Blocking: do not call it in a thread of the engine.
     *
     * @param name     of the account, in any case.
     * @param password the new one, which the caller clears.
     * @return false if no account has this name.
     * @throws IllegalArgumentException if the password is too short or too long.
     * @throws IllegalStateException if the database does not answer. The password may have been replaced then.
     */
    public boolean password(final String name, final byte[] password)
    {
        if (password.length < Credentials.MIN_PASSWORD_LENGTH || password.length > Credentials.MAX_PASSWORD_LENGTH)
        {
            throw new IllegalArgumentException("a password has " + Credentials.MIN_PASSWORD_LENGTH + " to " +
                Credentials.MAX_PASSWORD_LENGTH + " bytes");
        }
        final String hash = hasher().hash(password);
        final long keyHigh = context.secureRandom().nextLong();
        final long keyLow = context.secureRandom().nextLong();
        final AccountRows.Stored stored =
            administer("find an account", (connection) -> AccountRows.find(connection, Names.key(name)));
        return null != stored && 0 == administer("set a password", (connection) -> AccountRows.changePassword(
            connection, stored, hash, keyHigh, keyLow, context.epochClock().time())).status();
    }

    private <T> T administer(final String operation, final RetryingDatabase.Transaction<T> transaction)
    {
        try
        {
            return new RetryingDatabase(dataSource(), context).execute(operation, transaction);
        }
        catch (final DatabaseDownException ex)
        {
            throw new IllegalStateException("the database is down: " + operation, ex);
        }
    }

    /** Characters with a save that is not in the database yet. Thread safe. */
    public int pendingSaves()
    {
        return pendingSaveCount.get();
    }

    /**
     * Block until no save is pending. Do not call from a thread of the engine.
     *
     * @param timeoutNs for the wait.
     * @return false after the timeout.
     */
    public boolean flush(final long timeoutNs)
    {
        final long deadlineNs = context.nanoClock().nanoTime() + timeoutNs;
        while (pendingSaves() > 0 && context.nanoClock().nanoTime() - deadlineNs < 0 &&
            !Thread.currentThread().isInterrupted())
        {
            LockSupport.parkNanos(POLL_NS);
        }
        return 0 == pendingSaves();
    }

    /** Stops the log-in, writes pending saves and closes the database. Idempotent. */
    @Override
    public void close()
    {
        CloseHelper.close(removals);
        logIn.close();
        synchronized (services)
        {
            services.forEach(AccountService::close);
            services.clear();
        }
        database.close();
    }

    DataSource dataSource()
    {
        return database.dataSource();
    }

    AtomicInteger pendingSaveCount()
    {
        return pendingSaveCount;
    }

    PasswordHasher hasher()
    {
        return logIn.hasher();
    }
}
