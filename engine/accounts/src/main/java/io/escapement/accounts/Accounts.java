package io.escapement.accounts;

import io.escapement.engine.spi.AsyncService;
import io.escapement.engine.spi.LogInService;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

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
 * <p>The engine is closed before the accounts: its workers write what they hold when they end. A server that drains
 * calls {@link #flush} after the engine has drained.
 */
public final class Accounts implements AutoCloseable
{
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final AccountsContext context;
    private final Database database;
    private final AccountLogIn logIn;
    private final AtomicInteger heldByAll = new AtomicInteger();
    private final List<AccountService> services = new ArrayList<>();

    private Accounts(final AccountsContext context, final Database database)
    {
        this.context = context;
        this.database = database;
        logIn = new AccountLogIn(this, context);
    }

    /**
     * Open the database, bring its tables up to date, start the log-in's workers.
     *
     * @param context says where and how. It can be changed no more.
     * @return the accounts.
     * @throws DatabaseException        when the database cannot be used; one line that names the option.
     * @throws IllegalArgumentException when another option is wrong.
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

    /**
     * How many workers the engine's service must have: each has a connection.
     *
     * @return workers.
     */
    public int workers()
    {
        return context.serviceWorkers();
    }

    /**
     * Make what one of the engine's workers does its work with. For the engine, once a worker.
     *
     * @return a new one.
     */
    public AsyncService service()
    {
        final AccountService service = new AccountService(this, context);
        synchronized (services)
        {
            services.add(service);
        }
        return service;
    }

    /**
     * What players log in with.
     *
     * @return the service for the trunks' options.
     */
    public LogInService logIn()
    {
        return logIn;
    }

    /**
     * Saves that wait for the database. Any thread.
     *
     * @return how many characters have one.
     */
    public int heldSaves()
    {
        return heldByAll.get();
    }

    /**
     * Wait until no save waits for the database. Not for a thread that something else waits for.
     *
     * @param timeoutNs how long to wait at most.
     * @return whether none waits.
     */
    public boolean flush(final long timeoutNs)
    {
        final long deadlineNs = context.nanoClock().nanoTime() + timeoutNs;
        while (heldSaves() > 0 && context.nanoClock().nanoTime() - deadlineNs < 0 &&
            !Thread.currentThread().isInterrupted())
        {
            LockSupport.parkNanos(POLL_NS);
        }
        return 0 == heldSaves();
    }

    /** Ends the log-in, writes what is held, closes the database. Twice does no harm. */
    @Override
    public void close()
    {
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

    AtomicInteger heldByAll()
    {
        return heldByAll;
    }

    PasswordHasher hasher()
    {
        return logIn.hasher();
    }
}
