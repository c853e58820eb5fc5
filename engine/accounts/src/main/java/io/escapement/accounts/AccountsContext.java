package io.escapement.accounts;

import java.security.SecureRandom;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.SystemNanoClock;

/** The options of {@link Accounts}. What is wrong is refused at launch, by the option's name. */
public final class AccountsContext
{
    private static final int MAX_WORKERS = 64;
    private static final long MIN_CONNECT_MS = 250;
    private static final long MIN_ANSWER_MS = 1_000;
    private static final int MIN_LIMITER_ENTRIES = 8;

    private boolean isConcluded;
    private String databaseUrl = "jdbc:h2:file:./escapement-accounts";
    private String databaseUser;
    private String databasePassword;
    private int serviceWorkers = 2;
    private int logInWorkers = 2;
    private int logInQueueLimit = 256;
    private long waitForDatabaseNs = TimeUnit.SECONDS.toNanos(5);
    private long minRetryNs = TimeUnit.MILLISECONDS.toNanos(20);
    private long maxRetryNs = TimeUnit.SECONDS.toNanos(1);
    private long connectTimeoutMs = 1_000;
    private long answerTimeoutMs = 5_000;
    private int heldSaveLimit = 4_096;
    private long keepKeysNs = TimeUnit.DAYS.toNanos(1);
    private PasswordCost passwordCost = PasswordCost.STANDARD;
    private boolean demoAccounts;
    private int limiterEntries = 32 * 1_024;
    private ErrorHandler errorHandler;
    private ThreadFactory threadFactory;
    private NanoClock nanoClock = SystemNanoClock.INSTANCE;
    private EpochClock epochClock = SystemEpochClock.INSTANCE;
    private SecureRandom secureRandom = new SecureRandom();
    private int accountBurst = 5;
    private long accountNsPerAttempt = TimeUnit.SECONDS.toNanos(10);
    private int addressBurst = 30;
    private long addressNsPerAttempt = TimeUnit.SECONDS.toNanos(2);
    private UnaryOperator<DataSource> dataSourceWrapper = UnaryOperator.identity();
    private RetryingDatabase.Pause pause = LockSupport::parkNanos;

    /**
     * Where the accounts are: {@code jdbc:h2:...} or {@code jdbc:postgresql:...}. Unless set an H2 database in a file
     * in the working directory: nothing to install, and one server at a time.
     *
     * @param jdbcUrl a JDBC URL. A user and a password in it are taken out of it.
     * @return this.
     */
    public AccountsContext databaseUrl(final String jdbcUrl)
    {
        checkOpen();
        databaseUrl = jdbcUrl;
        return this;
    }

    /**
     * Who the server is to the database. Unless set what the URL says, and otherwise the driver's default.
     *
     * @param name a name.
     * @return this.
     */
    public AccountsContext databaseUser(final String name)
    {
        checkOpen();
        databaseUser = name;
        return this;
    }

    /**
     * The server's own password, from a file or the environment. Unless set what the URL says, and otherwise none.
     *
     * @param secret a password. No message has it.
     * @return this.
     */
    public AccountsContext databasePassword(final String secret)
    {
        checkOpen();
        databasePassword = secret;
        return this;
    }

    /**
     * Workers for the requests of rooms, 2 unless set. Each has a connection; an account is always with the same.
     *
     * @param count 1 to 64.
     * @return this.
     */
    public AccountsContext serviceWorkers(final int count)
    {
        checkOpen();
        serviceWorkers = count;
        return this;
    }

    /**
     * Workers for log-ins, 2 unless set. Each has a connection; at most 4 passwords are hashed at once.
     *
     * @param count 1 to 64.
     * @return this.
     */
    public AccountsContext logInWorkers(final int count)
    {
        checkOpen();
        logInWorkers = count;
        return this;
    }

    /**
     * Log-ins that wait for each worker, 256 unless set: some seconds' worth of hashes. More are refused.
     *
     * @param count from 1.
     * @return this.
     */
    public AccountsContext logInQueueLimit(final int count)
    {
        checkOpen();
        logInQueueLimit = count;
        return this;
    }

    /**
     * How long what cannot be held waits for a database that is away, 5 s unless set. More, and the engine's queue
     * fills; less, and a restart of the database is felt by players.
     *
     * @param ns nanoseconds from the beginning of the outage.
     * @return this.
     */
    public AccountsContext waitForDatabaseNs(final long ns)
    {
        checkOpen();
        waitForDatabaseNs = ns;
        return this;
    }

    /**
     * The first pause before the database is tried again, 20 ms unless set. Each is twice the one before.
     *
     * @param ns nanoseconds.
     * @return this.
     */
    public AccountsContext minRetryNs(final long ns)
    {
        checkOpen();
        minRetryNs = ns;
        return this;
    }

    /**
     * The longest pause before the database is tried again, 1 s unless set.
     *
     * @param ns nanoseconds.
     * @return this.
     */
    public AccountsContext maxRetryNs(final long ns)
    {
        checkOpen();
        maxRetryNs = ns;
        return this;
    }

    /**
     * How long a connection may take to open, 1 s unless set.
     *
     * @param ms milliseconds, from 250.
     * @return this.
     */
    public AccountsContext connectTimeoutMs(final long ms)
    {
        checkOpen();
        connectTimeoutMs = ms;
        return this;
    }

    /**
     * How long PostgreSQL may take to answer before its connection is given up, 5 s unless set. Whole seconds.
     *
     * @param ms milliseconds, from 1,000.
     * @return this.
     */
    public AccountsContext answerTimeoutMs(final long ms)
    {
        checkOpen();
        answerTimeoutMs = ms;
        return this;
    }

    /**
     * Characters with a save held in memory while the database is away, for each worker, 4,096 unless set.
     *
     * @param count from 1.
     * @return this.
     */
    public AccountsContext heldSaveLimit(final int count)
    {
        checkOpen();
        heldSaveLimit = count;
        return this;
    }

    /**
     * How long the database remembers by which key something was done, a day unless set.
     *
     * @param ns nanoseconds, longer than any room asks again.
     * @return this.
     */
    public AccountsContext keepKeysNs(final long ns)
    {
        checkOpen();
        keepKeysNs = ns;
        return this;
    }

    /**
     * What new hashes cost, {@link PasswordCost#STANDARD} unless set. Weaker ones are hashed anew at the next
     * log-in, those of demonstrations excepted.
     *
     * @param cost a cost.
     * @return this.
     */
    public AccountsContext passwordCost(final PasswordCost cost)
    {
        checkOpen();
        passwordCost = cost;
        return this;
    }

    /**
     * Whether accounts of demonstrations may log in, false unless set: everybody knows their passwords.
     *
     * @param isAllowed whether they may.
     * @return this.
     */
    public AccountsContext demoAccounts(final boolean isAllowed)
    {
        checkOpen();
        demoAccounts = isAllowed;
        return this;
    }

    /**
     * Account names, and as many addresses, whose attempts are remembered, 32,768 unless set.
     *
     * @param count from 8.
     * @return this.
     */
    public AccountsContext limiterEntries(final int count)
    {
        checkOpen();
        limiterEntries = count;
        return this;
    }

    /**
     * Told of faults; outages of the database among them, once each. Must be set.
     *
     * @param handler the handler, for any thread.
     * @return this.
     */
    public AccountsContext errorHandler(final ErrorHandler handler)
    {
        checkOpen();
        errorHandler = handler;
        return this;
    }

    /**
     * Makes the threads. Unless set they are daemons.
     *
     * @param factory a factory.
     * @return this.
     */
    public AccountsContext threadFactory(final ThreadFactory factory)
    {
        checkOpen();
        threadFactory = factory;
        return this;
    }

    /**
     * Tells how much time has passed.
     *
     * @param clock a clock, for any thread.
     * @return this.
     */
    public AccountsContext nanoClock(final NanoClock clock)
    {
        checkOpen();
        nanoClock = clock;
        return this;
    }

    /**
     * Tells what time it is.
     *
     * @param clock a clock, for any thread.
     * @return this.
     */
    public AccountsContext epochClock(final EpochClock clock)
    {
        checkOpen();
        epochClock = clock;
        return this;
    }

    /**
     * Where salts and keys come from.
     *
     * @param random a secure source, for any thread.
     * @return this.
     */
    public AccountsContext secureRandom(final SecureRandom random)
    {
        checkOpen();
        secureRandom = random;
        return this;
    }

    /**
     * Attempts to log in to one account, whoever makes them: 5 at once and one every 10 s unless set. An attempt with
     * the right password does not count. Somebody who guesses keeps the owner out while the guessing goes on.
     *
     * @param burst        at once.
     * @param nsPerAttempt nanoseconds until one more is allowed.
     * @return this.
     */
    public AccountsContext accountAttempts(final int burst, final long nsPerAttempt)
    {
        checkOpen();
        accountBurst = burst;
        accountNsPerAttempt = nsPerAttempt;
        return this;
    }

    /**
     * Attempts to log in and sign-ups from one address that a gateway claims: 30 at once and one every 2 s unless set.
     * A log-in with the right password does not count. Players without an address share one.
     *
     * @param burst        at once.
     * @param nsPerAttempt nanoseconds until one more is allowed.
     * @return this.
     */
    public AccountsContext addressAttempts(final int burst, final long nsPerAttempt)
    {
        checkOpen();
        addressBurst = burst;
        addressNsPerAttempt = nsPerAttempt;
        return this;
    }

    /** Puts something between the workers and the pool: a test that wants the database to fail. */
    AccountsContext dataSourceWrapper(final UnaryOperator<DataSource> wrapper)
    {
        checkOpen();
        dataSourceWrapper = wrapper;
        return this;
    }

    /** How workers wait between two tries: a test has time that stands still. */
    AccountsContext pause(final RetryingDatabase.Pause value)
    {
        checkOpen();
        pause = value;
        return this;
    }

    void conclude()
    {
        checkOpen();
        check(null != databaseUrl, "databaseUrl", null);
        check(serviceWorkers > 0 && serviceWorkers <= MAX_WORKERS, "serviceWorkers", serviceWorkers);
        check(logInWorkers > 0 && logInWorkers <= MAX_WORKERS, "logInWorkers", logInWorkers);
        check(logInQueueLimit > 0, "logInQueueLimit", logInQueueLimit);
        check(waitForDatabaseNs >= 0, "waitForDatabaseNs", waitForDatabaseNs);
        check(minRetryNs > 0, "minRetryNs", minRetryNs);
        check(maxRetryNs >= minRetryNs, "maxRetryNs", maxRetryNs);
        check(connectTimeoutMs >= MIN_CONNECT_MS, "connectTimeoutMs", connectTimeoutMs);
        check(answerTimeoutMs >= MIN_ANSWER_MS, "answerTimeoutMs", answerTimeoutMs);
        check(heldSaveLimit > 0, "heldSaveLimit", heldSaveLimit);
        check(keepKeysNs > 0, "keepKeysNs", keepKeysNs);
        check(limiterEntries >= MIN_LIMITER_ENTRIES, "limiterEntries", limiterEntries);
        check(accountBurst > 0 && accountNsPerAttempt > 0, "accountAttempts", accountBurst);
        check(addressBurst > 0 && addressNsPerAttempt > 0, "addressAttempts", addressBurst);
        check(null != passwordCost, "passwordCost", null);
        check(demoAccounts || !passwordCost.isDemo(), "passwordCost", passwordCost + " without demoAccounts");
        check(null != errorHandler, "errorHandler", null);
        threadFactory = null == threadFactory ? AccountsContext::daemon : threadFactory;
        isConcluded = true;
    }

    String databaseUrl()
    {
        return databaseUrl;
    }

    String databaseUser()
    {
        return databaseUser;
    }

    String databasePassword()
    {
        return databasePassword;
    }

    int serviceWorkers()
    {
        return serviceWorkers;
    }

    int logInWorkers()
    {
        return logInWorkers;
    }

    int logInQueueLimit()
    {
        return logInQueueLimit;
    }

    long waitForDatabaseNs()
    {
        return waitForDatabaseNs;
    }

    long minRetryNs()
    {
        return minRetryNs;
    }

    long maxRetryNs()
    {
        return maxRetryNs;
    }

    long connectTimeoutMs()
    {
        return connectTimeoutMs;
    }

    long answerTimeoutMs()
    {
        return answerTimeoutMs;
    }

    int heldSaveLimit()
    {
        return heldSaveLimit;
    }

    long keepKeysNs()
    {
        return keepKeysNs;
    }

    PasswordCost passwordCost()
    {
        return passwordCost;
    }

    boolean demoAccounts()
    {
        return demoAccounts;
    }

    int limiterEntries()
    {
        return limiterEntries;
    }

    ErrorHandler errorHandler()
    {
        return errorHandler;
    }

    ThreadFactory threadFactory()
    {
        return threadFactory;
    }

    NanoClock nanoClock()
    {
        return nanoClock;
    }

    EpochClock epochClock()
    {
        return epochClock;
    }

    SecureRandom secureRandom()
    {
        return secureRandom;
    }

    int accountBurst()
    {
        return accountBurst;
    }

    long accountNsPerAttempt()
    {
        return accountNsPerAttempt;
    }

    int addressBurst()
    {
        return addressBurst;
    }

    long addressNsPerAttempt()
    {
        return addressNsPerAttempt;
    }

    UnaryOperator<DataSource> dataSourceWrapper()
    {
        return dataSourceWrapper;
    }

    RetryingDatabase.Pause pause()
    {
        return pause;
    }

    private static Thread daemon(final Runnable work)
    {
        final Thread thread = new Thread(work);
        thread.setDaemon(true);
        return thread;
    }

    private static void check(final boolean isGood, final String option, final Object value)
    {
        if (!isGood)
        {
            throw new IllegalArgumentException(option + ": " + value);
        }
    }

    private void checkOpen()
    {
        if (isConcluded)
        {
            throw new IllegalStateException("the context is in use and can be changed no more");
        }
    }
}
