package io.escapement.accounts;

import io.escapement.config.ConfigException;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * Options of {@link Accounts}. {@link Accounts#launch} validates and freezes them: a wrong value is a
 * {@link ConfigException}, and a setter call after launch an {@link IllegalStateException}.
 */
public final class AccountsContext
{
    /** An H2 database in a file, which needs no installation and serves one server at a time. */
    public static final String DATABASE_URL_DEFAULT = "jdbc:h2:file:./escapement-accounts";
    /** See {@link #serviceWorkers(int)}. */
    public static final int SERVICE_WORKERS_DEFAULT = 2;
    /** See {@link #logInWorkers(int)}. */
    public static final int LOG_IN_WORKERS_DEFAULT = 2;
    /** See {@link #logInQueueLimit(int)}. */
    public static final int LOG_IN_QUEUE_LIMIT_DEFAULT = 512;
    /** See {@link #databaseTimeoutNs(long)}. */
    public static final long DATABASE_TIMEOUT_DEFAULT_NS = TimeUnit.SECONDS.toNanos(5);
    /** See {@link #minRetryNs(long)}. */
    public static final long MIN_RETRY_DEFAULT_NS = TimeUnit.MILLISECONDS.toNanos(20);
    /** See {@link #maxRetryNs(long)}. */
    public static final long MAX_RETRY_DEFAULT_NS = TimeUnit.SECONDS.toNanos(1);
    /** See {@link #connectTimeoutMs(long)}. */
    public static final long CONNECT_TIMEOUT_DEFAULT_MS = 1_000;
    /** See {@link #responseTimeoutMs(long)}. */
    public static final long RESPONSE_TIMEOUT_DEFAULT_MS = 5_000;
    /** See {@link #pendingSaveLimit(int)}. */
    public static final int PENDING_SAVE_LIMIT_DEFAULT = 4_096;
    /** See {@link #keyRetentionNs(long)}. */
    public static final long KEY_RETENTION_DEFAULT_NS = TimeUnit.DAYS.toNanos(1);
    /** See {@link #sessionNs(long)}. */
    public static final long SESSION_DEFAULT_NS = TimeUnit.HOURS.toNanos(24);
    /** See {@link #limiterEntries(int)}. */
    public static final int LIMITER_ENTRIES_DEFAULT = 32 * 1_024;

    private static final int MAX_WORKERS = 64;
    private static final long MIN_CONNECT_MS = 250;
    private static final long MIN_RESPONSE_MS = 1_000;
    private static final int MIN_LIMITER_ENTRIES = 8;
    private static final int SESSION_KEY_LENGTH = 32;
    private static final int MAX_SESSION_KEYS = 2;

    private boolean isConcluded;
    private String databaseUrl = DATABASE_URL_DEFAULT;
    private String databaseUser;
    private String databasePassword;
    private int serviceWorkers = SERVICE_WORKERS_DEFAULT;
    private int logInWorkers = LOG_IN_WORKERS_DEFAULT;
    private int logInQueueLimit = LOG_IN_QUEUE_LIMIT_DEFAULT;
    private long databaseTimeoutNs = DATABASE_TIMEOUT_DEFAULT_NS;
    private long minRetryNs = MIN_RETRY_DEFAULT_NS;
    private long maxRetryNs = MAX_RETRY_DEFAULT_NS;
    private long connectTimeoutMs = CONNECT_TIMEOUT_DEFAULT_MS;
    private long responseTimeoutMs = RESPONSE_TIMEOUT_DEFAULT_MS;
    private int pendingSaveLimit = PENDING_SAVE_LIMIT_DEFAULT;
    private long keyRetentionNs = KEY_RETENTION_DEFAULT_NS;
    private long sessionNs = SESSION_DEFAULT_NS;
    private List<byte[]> sessionKeys = List.of();
    private PasswordCost passwordCost = PasswordCost.STANDARD;
    private boolean forceCommits = true;
    private boolean demoAccounts;
    private int limiterEntries = LIMITER_ENTRIES_DEFAULT;
    private Consumer<long[]> bannedListener;
    private ErrorHandler errorHandler;
    private ThreadFactory threadFactory = AccountsContext::newDaemon;
    private NanoClock nanoClock = SystemNanoClock.INSTANCE;
    private EpochClock epochClock = SystemEpochClock.INSTANCE;
    private SecureRandom secureRandom = new SecureRandom();
    private int accountBurst = 5;
    private long accountNsPerAttempt = TimeUnit.SECONDS.toNanos(10);
    private int addressBurst = 30;
    private long addressNsPerAttempt = TimeUnit.SECONDS.toNanos(2);
    private UnaryOperator<DataSource> dataSourceWrapper = UnaryOperator.identity();
    private RetryingDatabase.Pause pause = LockSupport::parkNanos;

    /** JDBC URL, {@code jdbc:h2:...} or {@code jdbc:postgresql:...}. User and password may be part of it. */
    public AccountsContext databaseUrl(final String jdbcUrl)
    {
        checkNotConcluded();
        databaseUrl = jdbcUrl;
        return this;
    }

    /** Database user. Overrides the URL's user. Defaults to the JDBC driver's. */
    public AccountsContext databaseUser(final String name)
    {
        checkNotConcluded();
        databaseUser = name;
        return this;
    }

    /** Database password. Overrides the URL's password. No message contains it. */
    public AccountsContext databasePassword(final String secret)
    {
        checkNotConcluded();
        databasePassword = secret;
        return this;
    }

    /** Workers for requests of rooms, 1 to 64, with a connection each. An account always uses the same worker. */
    public AccountsContext serviceWorkers(final int count)
    {
        checkNotConcluded();
        serviceWorkers = count;
        return this;
    }

    /**
     * Workers for log-ins with a password, 1 to 64, with a connection each. At most 4 passwords are hashed
     * concurrently. Log-ins by session token have a separate worker.
     */
    public AccountsContext logInWorkers(final int count)
    {
        checkNotConcluded();
        logInWorkers = count;
        return this;
    }

    /**
     * Queued log-ins with a password, and as many by session token. The networks of players, a /24 of version 4 or a
     * /48 of version 6, take turns. When a queue is full, the newest log-in of the network that has most is refused.
     * The default is a few seconds of hashing.
     */
    public AccountsContext logInQueueLimit(final int count)
    {
        checkNotConcluded();
        logInQueueLimit = count;
        return this;
    }

    /**
     * How long a request may wait in a database outage, counted from the start of the outage. With a longer timeout,
     * the engine's queue fills. With a shorter timeout, players notice a restart of the database.
     */
    public AccountsContext databaseTimeoutNs(final long ns)
    {
        checkNotConcluded();
        databaseTimeoutNs = ns;
        return this;
    }

    /**
     * First delay before a retry in an outage. Each further delay is twice as long, up to {@link #maxRetryNs(long)}.
     */
    public AccountsContext minRetryNs(final long ns)
    {
        checkNotConcluded();
        minRetryNs = ns;
        return this;
    }

    /** Longest delay before a retry in an outage. */
    public AccountsContext maxRetryNs(final long ns)
    {
        checkNotConcluded();
        maxRetryNs = ns;
        return this;
    }

    /** Timeout for opening a connection, at least 250 ms. */
    public AccountsContext connectTimeoutMs(final long ms)
    {
        checkNotConcluded();
        connectTimeoutMs = ms;
        return this;
    }

    /** Socket timeout of PostgreSQL, at least 1,000 ms and rounded down to seconds, after which a connection closes. */
    public AccountsContext responseTimeoutMs(final long ms)
    {
        checkNotConcluded();
        responseTimeoutMs = ms;
        return this;
    }

    /** Number of characters per worker with a buffered save in an outage. */
    public AccountsContext pendingSaveLimit(final int count)
    {
        checkNotConcluded();
        pendingSaveLimit = count;
        return this;
    }

    /** How long the database keeps idempotency keys. Must exceed the time in which any room retries a request. */
    public AccountsContext keyRetentionNs(final long ns)
    {
        checkNotConcluded();
        keyRetentionNs = ns;
        return this;
    }

    /**
     * How long a player may log in by session token after a log-in with the password. A log-out, a changed password
     * and, for an account with {@link Accounts#oneSession}, the next log-in with the password close a session earlier.
     */
    public AccountsContext sessionNs(final long ns)
    {
        checkNotConcluded();
        sessionNs = ns;
        return this;
    }

    /**
     * Keys of session tokens, one or two of at least 32 bytes: the first signs, both verify, so that a key can be
     * replaced. Anyone who knows a key can log in as any player. Default: a random key, with which sessions expire when
     * the process exits.
     */
    public AccountsContext sessionKeys(final List<byte[]> keys)
    {
        checkNotConcluded();
        sessionKeys = List.copyOf(keys);
        return this;
    }

    /** Cost of new password hashes. A weaker hash is replaced at the next log-in, except of demo accounts. */
    public AccountsContext passwordCost(final PasswordCost cost)
    {
        checkNotConcluded();
        passwordCost = cost;
        return this;
    }

    /** Whether demo accounts may log in. Their passwords are public. Default false. */
    public AccountsContext demoAccounts(final boolean isAllowed)
    {
        checkNotConcluded();
        demoAccounts = isAllowed;
        return this;
    }

    /** Number of tracked account names, and of tracked addresses and of known networks. At least 8. */
    public AccountsContext limiterEntries(final int count)
    {
        checkNotConcluded();
        limiterEntries = count;
        return this;
    }

    /** Receives errors from any thread, and each outage of the database once. Required. */
    public AccountsContext errorHandler(final ErrorHandler handler)
    {
        checkNotConcluded();
        errorHandler = handler;
        return this;
    }

    /** Creates the threads. Default daemon threads. */
    public AccountsContext threadFactory(final ThreadFactory factory)
    {
        checkNotConcluded();
        threadFactory = factory;
        return this;
    }

    /** Clock for timeouts and rate limits, read by any thread. */
    public AccountsContext nanoClock(final NanoClock clock)
    {
        checkNotConcluded();
        nanoClock = clock;
        return this;
    }

    /** Clock for timestamps in the database, read by any thread. */
    public AccountsContext epochClock(final EpochClock clock)
    {
        checkNotConcluded();
        epochClock = clock;
        return this;
    }

    /** Source of salts and idempotency keys, used by any thread. */
    public AccountsContext secureRandom(final SecureRandom random)
    {
        checkNotConcluded();
        secureRandom = random;
        return this;
    }

    /**
     * Rate limit of log-in attempts per account: by default a burst of 5 and one per 10 s. Attempts with the right
     * password do not count. Each of the last four networks from which the account was logged in to has this limit for
     * itself. All other addresses share one such limit. While someone guesses the password, the owner can therefore log
     * in from a known network. From another network the owner may need several attempts, or a session token. The
     * networks are known until the server stops, or until later log-ins displace them: see
     * {@link #limiterEntries(int)}.
     *
     * @param burst        attempts at once.
     * @param nsPerAttempt interval of sustained attempts.
     */
    public AccountsContext accountAttempts(final int burst, final long nsPerAttempt)
    {
        checkNotConcluded();
        accountBurst = burst;
        accountNsPerAttempt = nsPerAttempt;
        return this;
    }

    /**
     * Rate limit of sign-ups and log-in attempts per player address as claimed by the gateway: by default a burst of 30
     * and one per 2 s. A /64 of version 6 counts as one address. Log-ins with the right password do not count. Players
     * without an address share one limit.
     *
     * @param burst        attempts at once.
     * @param nsPerAttempt interval of sustained attempts.
     */
    public AccountsContext addressAttempts(final int burst, final long nsPerAttempt)
    {
        checkNotConcluded();
        addressBurst = burst;
        addressNsPerAttempt = nsPerAttempt;
        return this;
    }

    /** Wraps the connection pool, so that tests can inject failures. */
    AccountsContext dataSourceWrapper(final UnaryOperator<DataSource> wrapper)
    {
        checkNotConcluded();
        dataSourceWrapper = wrapper;
        return this;
    }

    /** Replaces the wait between retries, so that tests can control time. */
    AccountsContext pause(final RetryingDatabase.Pause value)
    {
        checkNotConcluded();
        pause = value;
        return this;
    }

    void conclude()
    {
        checkNotConcluded();
        require("databaseUrl", databaseUrl);
        require("errorHandler", errorHandler);
        require("passwordCost", passwordCost);
        require("threadFactory", threadFactory);
        checkRange("serviceWorkers", serviceWorkers, 1, MAX_WORKERS);
        checkRange("logInWorkers", logInWorkers, 1, MAX_WORKERS);
        checkMin("logInQueueLimit", logInQueueLimit, 1);
        checkMin("databaseTimeoutNs", databaseTimeoutNs, 0);
        checkMin("minRetryNs", minRetryNs, 1);
        checkMin("maxRetryNs", maxRetryNs, minRetryNs);
        checkMin("connectTimeoutMs", connectTimeoutMs, MIN_CONNECT_MS);
        checkMin("responseTimeoutMs", responseTimeoutMs, MIN_RESPONSE_MS);
        checkMin("pendingSaveLimit", pendingSaveLimit, 1);
        checkMin("keyRetentionNs", keyRetentionNs, 1);
        checkMin("sessionNs", sessionNs, TimeUnit.MILLISECONDS.toNanos(1));
        checkMin("limiterEntries", limiterEntries, MIN_LIMITER_ENTRIES);
        checkMin("accountAttempts", Math.min(accountBurst, accountNsPerAttempt), 1);
        checkMin("addressAttempts", Math.min(addressBurst, addressNsPerAttempt), 1);
        ConfigException.check(demoAccounts || !passwordCost.isDemo(), "passwordCost", passwordCost,
            "too weak, allow demoAccounts or raise the cost");
        sessionKeys = sessionKeys.isEmpty() ? List.of(randomKey()) : sessionKeys;
        ConfigException.check(sessionKeys.size() <= MAX_SESSION_KEYS &&
            sessionKeys.stream().allMatch((key) -> key.length >= SESSION_KEY_LENGTH), "sessionKeys",
            sessionKeys.size(), "one or two keys of at least " + SESSION_KEY_LENGTH + " bytes");
        isConcluded = true;
    }

    /**
     * Receives the player ids of accounts banned or deleted by an operator, even by a command in another process, so
     * that it removes players who are in. Each id arrives once per second for 30 s, because a log-in or a join may have
     * been under way. Default null: players who are in play on. Called in a separate thread.
     *
     * @param value that may block.
     */
    public AccountsContext bannedListener(final Consumer<long[]> value)
    {
        checkNotConcluded();
        bannedListener = value;
        return this;
    }

    Consumer<long[]> bannedListener()
    {
        return bannedListener;
    }

    /**
     * Whether each commit is forced to the disk before it is acknowledged, on H2; PostgreSQL does it by itself unless
     * its {@code synchronous_commit} is off. Default true. Without it an acknowledged change survives the end of the
     * process, but may be lost when the host loses power. Forcing needs a user with admin rights.
     *
     * @param value whether commits are forced.
     */
    public AccountsContext forceCommits(final boolean value)
    {
        checkNotConcluded();
        forceCommits = value;
        return this;
    }

    boolean isForcingCommits()
    {
        return forceCommits && DatabaseUrl.isOfH2(databaseUrl);
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

    /** Workers of the engine's service. */
    public int serviceWorkers()
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

    long databaseTimeoutNs()
    {
        return databaseTimeoutNs;
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

    long responseTimeoutMs()
    {
        return responseTimeoutMs;
    }

    int pendingSaveLimit()
    {
        return pendingSaveLimit;
    }

    long keyRetentionNs()
    {
        return keyRetentionNs;
    }

    PasswordCost passwordCost()
    {
        return passwordCost;
    }

    boolean demoAccounts()
    {
        return demoAccounts;
    }

    ErrorHandler errorHandler()
    {
        return errorHandler;
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

    UnaryOperator<DataSource> dataSourceWrapper()
    {
        return dataSourceWrapper;
    }

    RetryingDatabase.Pause pause()
    {
        return pause;
    }

    Thread newThread(final String name, final Runnable work)
    {
        final Thread thread = threadFactory.newThread(work);
        thread.setName(name);
        return thread;
    }

    long sessionMs()
    {
        return TimeUnit.NANOSECONDS.toMillis(sessionNs);
    }

    SessionTokens newSessionTokens()
    {
        return new SessionTokens(sessionKeys);
    }

    AttemptLimiter newAccountLimiter()
    {
        return new AttemptLimiter(accountBurst, accountNsPerAttempt, limiterEntries, secureRandom);
    }

    KnownPrefixes newKnownPrefixes()
    {
        return new KnownPrefixes(limiterEntries, secureRandom);
    }

    AttemptLimiter newAddressLimiter()
    {
        return new AttemptLimiter(addressBurst, addressNsPerAttempt, limiterEntries, secureRandom);
    }

    private byte[] randomKey()
    {
        final byte[] key = new byte[SESSION_KEY_LENGTH];
        secureRandom.nextBytes(key);
        return key;
    }

    private static Thread newDaemon(final Runnable work)
    {
        final Thread thread = new Thread(work);
        thread.setDaemon(true);
        return thread;
    }

    private static void require(final String option, final Object value)
    {
        ConfigException.check(null != value, option, value, "required");
    }

    private static void checkMin(final String option, final long value, final long min)
    {
        ConfigException.check(value >= min, option, value, "at least " + min);
    }

    private static void checkRange(final String option, final long value, final long min, final long max)
    {
        ConfigException.check(value >= min && value <= max, option, value, min + " to " + max);
    }

    private void checkNotConcluded()
    {
        if (isConcluded)
        {
            throw new IllegalStateException("the context is frozen: set options before launch, one context per launch");
        }
    }
}
