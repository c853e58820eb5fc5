package io.escapement.accounts;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.engine.spi.LogInService;
import io.escapement.ratelimit.AddressPrefix;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.NanoClock;

/**
 * Signs players up, logs them in and out. The edge thread passes {@link Credentials} to workers with bounded queues and
 * never blocks. The player id is the account id.
 *
 * <pre>
 *                 passwords, fair per network        workers, which hash
 *   edge thread ----------------------------------> 1 to 64 threads ------+
 *        |        session tokens, likewise           hash nothing         +--> database, reply
 *        +----------------------------------------> 1 thread -------------+
 *        |        refusals
 *        +----------------------------------------> 1 thread, reply
 * </pre>
 *
 * <p>Because hashing takes nearly all the time of a log-in, passwords and session tokens have separate queues. In each
 * queue the networks of players take turns: see {@link io.escapement.ratelimit.FairQueue}.
 *
 * <p>A password exists in one array, which the worker overwrites, and never in an exception message or a log. Attempts
 * are limited per account name, existing or not, and per player address as claimed by the gateway. They are not limited
 * per trunk, because a trunk may carry thousands of players. Networks from which an account was logged in to have a
 * separate limit for this account, so that the guesses of a stranger do not lock the owner out. An attempt with the
 * right password is refunded. A sign-up counts for its address. A wrong token counts only for its address, because
 * session tokens cannot be guessed.
 */
final class AccountLogIn implements LogInService, AutoCloseable
{
    /** Limit of queued refusals. The edge has fewer log-ins in progress for any number of trunks. */
    private static final int REFUSAL_LIMIT = 64 * 1_024;
    private static final long JOIN_MS = TimeUnit.SECONDS.toMillis(10);

    /** A log-in, or its refusal if it has a code. */
    private record Job(
        long trunkId, Credentials credentials, String prefix, boolean isFromKnownPrefix, int code, Reply reply)
    {
        @Override
        public String toString()
        {
            return "log-in from trunk " + trunkId;
        }
    }

    /** A status, and for 0 the account and credentials for the next log-in. */
    private record Answer(int status, long accountId, byte[] session)
    {
        static Answer refused(final int status)
        {
            return new Answer(status, 0, NO_SESSION);
        }

        static Answer refused(final AccountCode code)
        {
            return refused(code.value());
        }
    }

    private static final byte[] NO_SESSION = new byte[0];
    private static final Job STOP = new Job(0, null, "", false, 0, null);

    private final AccountsContext context;
    private final NanoClock clock;
    private final ErrorHandler errorHandler;
    private final PasswordHasher hasher;
    private final SecureRandom random;
    private final SessionTokens sessions;
    private final AttemptLimiter byAccount;
    private final AttemptLimiter byAddress;
    private final AttemptLimiter byKnownPrefix;
    private final KnownPrefixes knownPrefixes;
    private final LogInQueue<Job> passwords;
    private final LogInQueue<Job> tokens;
    private final BlockingQueue<Job> refusals = new ArrayBlockingQueue<>(REFUSAL_LIMIT);
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean isClosed;

    AccountLogIn(final Accounts accounts, final AccountsContext context)
    {
        this.context = context;
        clock = context.nanoClock();
        errorHandler = context.errorHandler();
        random = context.secureRandom();
        hasher = new PasswordHasher(random, context.passwordCost());
        sessions = context.newSessionTokens();
        byAccount = context.newAccountLimiter();
        byAddress = context.newAddressLimiter();
        byKnownPrefix = context.newAccountLimiter();
        knownPrefixes = context.newKnownPrefixes();
        passwords = new LogInQueue<>(context.logInQueueLimit());
        tokens = new LogInQueue<>(context.logInQueueLimit());
        for (int i = 0; i < context.logInWorkers(); i++)
        {
            addWorker("escapement-log-in-" + i, passwords, accounts);
        }
        addWorker("escapement-log-in-tokens", tokens, accounts);
        threads.add(context.newThread("escapement-log-in-refusals", this::refuseQueued));
        threads.forEach(Thread::start);
    }

    private void addWorker(final String name, final LogInQueue<Job> queue, final Accounts accounts)
    {
        final RetryingDatabase database = new RetryingDatabase(accounts.dataSource(), context);
        threads.add(context.newThread(name, () -> work(queue, database)));
    }

    /** Runs in the edge's thread, which must not wait for the reply's queue. Another thread sends refusals. */
    @Override
    public void logIn(final long trunkId, final byte[] credentials, final Reply reply)
    {
        final Credentials parsed = Credentials.parse(credentials);
        Arrays.fill(credentials, (byte)0);
        final String prefix = null == parsed ? "" : AddressPrefix.of(parsed.address());
        final boolean isFromKnownPrefix =
            null != parsed && parsed.isGuess() && knownPrefixes.contains(Names.key(parsed.name()), prefix);
        final Job job = new Job(trunkId, parsed, prefix, isFromKnownPrefix, 0, reply);
        final int code = isClosed ? AccountCode.STOPPING.value() : refusalBeforeQueue(job);
        if (0 != code)
        {
            refuse(job, code);
            return;
        }
        final Job displaced = (parsed.isByToken() ? tokens : passwords).offer(prefix, job);
        if (null != displaced)
        {
            refund(displaced);
            refuse(displaced, (isClosed ? AccountCode.STOPPING : AccountCode.LOG_IN_QUEUE_FULL).value());
        }
    }

    /** Refuses queued log-ins and stops the workers. */
    @Override
    public synchronized void close()
    {
        if (isClosed)
        {
            return;
        }
        isClosed = true;
        passwords.close((job) -> refuse(job, AccountCode.STOPPING.value()));
        tokens.close((job) -> refuse(job, AccountCode.STOPPING.value()));
        final boolean isInterrupted = join(threads.subList(0, threads.size() - 1));
        refusals.offer(STOP);
        if (join(threads.subList(threads.size() - 1, threads.size())) || isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
    }

    PasswordHasher hasher()
    {
        return hasher;
    }

    private int refusalBeforeQueue(final Job job)
    {
        final Credentials parsed = job.credentials;
        if (null == parsed)
        {
            return AccountCode.BAD_CREDENTIALS_FORM.value();
        }
        final int code = parsed.code();
        if (0 != code)
        {
            return code;
        }
        final long nowNs = clock.nanoTime();
        return byAddress.tryAcquire(AddressPrefix.householdOf(parsed.address()), nowNs) &&
            (!parsed.isGuess() || guesses(job).tryAcquire(guessKey(job), nowNs)) ?
            0 : AccountCode.TOO_MANY_ATTEMPTS.value();
    }

    private AttemptLimiter guesses(final Job job)
    {
        return job.isFromKnownPrefix ? byKnownPrefix : byAccount;
    }

    private static String guessKey(final Job job)
    {
        final String nameKey = Names.key(job.credentials.name());
        return job.isFromKnownPrefix ? nameKey + ' ' + job.prefix : nameKey;
    }

    private void refund(final Job job)
    {
        byAddress.refund(AddressPrefix.householdOf(job.credentials.address()));
        if (job.credentials.isGuess())
        {
            guesses(job).refund(guessKey(job));
        }
    }

    private void refuse(final Job job, final int code)
    {
        if (null != job.credentials)
        {
            job.credentials.clear();
        }
        if (!refusals.offer(new Job(job.trunkId, null, job.prefix, job.isFromKnownPrefix, code, job.reply)))
        {
            errorHandler.onError(new IllegalStateException("more than " + REFUSAL_LIMIT + " queued refusals"));
        }
    }

    private void refuseQueued()
    {
        try
        {
            for (Job job = refusals.take(); STOP != job; job = refusals.take())
            {
                reply(job, Answer.refused(job.code));
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void work(final LogInQueue<Job> queue, final RetryingDatabase database)
    {
        try
        {
            for (Job job = queue.take(); null != job; job = queue.take())
            {
                process(job, database);
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void process(final Job job, final RetryingDatabase database)
    {
        Answer answer = Answer.refused(RefusalCode.SERVICE_FAILED.value());
        try
        {
            answer = answer(job, database);
            if (0 == answer.status)
            {
                knownPrefixes.add(Names.key(job.credentials.name()), job.prefix);
            }
        }
        catch (final DatabaseDownException ex)
        {
            refund(job);
            answer = Answer.refused(AccountCode.DATABASE_DOWN);
        }
        catch (final RuntimeException ex)
        {
            errorHandler.onError(ex);
        }
        finally
        {
            job.credentials.clear();
        }
        reply(job, answer);
    }

    private void reply(final Job job, final Answer answer)
    {
        try
        {
            job.reply.onReply(answer.status, answer.accountId, answer.session);
        }
        catch (final RuntimeException ex)
        {
            errorHandler.onError(ex);
        }
    }

    private Answer answer(final Job job, final RetryingDatabase database) throws DatabaseDownException
    {
        final Credentials credentials = job.credentials;
        if (Credentials.SIGN_UP == credentials.kind())
        {
            return signUp(credentials, database);
        }
        final String nameKey = Names.key(credentials.name());
        if (credentials.isByToken() && !sessions.isAuthentic(credentials.password(), nameKey))
        {
            // An invented token costs no query.
            return Answer.refused(AccountCode.SESSION_ENDED);
        }
        final AccountRows.Stored stored =
            database.query("find an account", (connection) -> AccountRows.find(connection, nameKey));
        final long endMs = credentials.isByToken() ?
            sessions.endMs(credentials.password(), stored, context.epochClock().time()) : 0;
        final int refusal = !credentials.isByToken() ? refusal(credentials, stored) :
            0 == endMs ? AccountCode.SESSION_ENDED.value() : 0;
        if (0 != refusal)
        {
            return Answer.refused(refusal);
        }
        refund(job);
        if (Credentials.LOG_OUT != credentials.kind() && stored.isBanned(context.epochClock().time()))
        {
            // Only after the password, so that a stranger does not learn it. A new account of that name ends no ban.
            return Answer.refused(AccountCode.BANNED);
        }
        return switch (credentials.kind())
        {
            case Credentials.LOG_IN -> logIn(credentials, database, stored);
            case Credentials.LOG_IN_BY_TOKEN -> logInByToken(credentials, database, stored, endMs);
            case Credentials.LOG_OUT -> logOut(database, stored);
            case Credentials.CHANGE_PASSWORD -> changePassword(credentials, database, stored);
            default -> delete(database, stored);
        };
    }

    private Answer signUp(final Credentials credentials, final RetryingDatabase database) throws DatabaseDownException
    {
        final String nameKey = Names.key(credentials.name());
        if (null != database.query("find a name", (connection) -> AccountRows.find(connection, nameKey)))
        {
            // Taken names are public. A refusal therefore needs no hash of constant cost.
            return Answer.refused(AccountCode.NAME_TAKEN);
        }
        final String hash = hasher.hash(credentials.password());
        final long keyHigh = random.nextLong();
        final long keyLow = random.nextLong();
        final Result result = database.execute("sign up", (connection) -> AccountRows.signUp(
            connection, credentials.name(), hash, keyHigh, keyLow, context.epochClock().time()));
        return 0 == result.status() ?
            loggedIn(credentials, result.value(), 0, context.epochClock().time() + context.sessionMs()) :
            Answer.refused(result.status());
    }

    /** Verifies the password, at equal cost for existing and missing accounts. */
    private int refusal(final Credentials credentials, final AccountRows.Stored stored)
    {
        if (null == stored)
        {
            hasher.verifyDummy(credentials.password());
            return AccountCode.WRONG_CREDENTIALS.value();
        }
        final PasswordHash hash = PasswordHash.parse(stored.passwordHash());
        final boolean isRefusedDemo = hash.cost().isDemo() && !context.demoAccounts();
        if (isRefusedDemo)
        {
            // A demo hash by itself would be faster than others and reveal which accounts are demo accounts.
            hasher.verifyDummy(credentials.password());
        }
        if (!hasher.verify(credentials.password(), hash))
        {
            return AccountCode.WRONG_CREDENTIALS.value();
        }
        return isRefusedDemo ? AccountCode.DEMO_ACCOUNT_REFUSED.value() : 0;
    }

    private Answer logIn(
        final Credentials credentials, final RetryingDatabase database, final AccountRows.Stored stored)
        throws DatabaseDownException
    {
        final long sessionEpoch = database.execute(
            "log in", (connection) -> AccountRows.logInByPassword(connection, stored.accountId()));
        if (sessionEpoch < 0)
        {
            return Answer.refused(AccountCode.WRONG_CREDENTIALS);
        }
        rehashIfWeak(credentials, database, stored);
        return loggedIn(credentials, stored.accountId(), sessionEpoch,
            context.epochClock().time() + context.sessionMs());
    }

    /** The session expires when its first token would have expired: the password is needed once in that time. */
    private Answer logInByToken(
        final Credentials credentials,
        final RetryingDatabase database,
        final AccountRows.Stored stored,
        final long endMs) throws DatabaseDownException
    {
        return database.execute("log in", (connection) -> AccountRows.logIn(connection, stored.accountId())) ?
            loggedIn(credentials, stored.accountId(), stored.sessionEpoch(), endMs) :
            Answer.refused(AccountCode.SESSION_ENDED);
    }

    private Answer loggedIn(
        final Credentials credentials, final long accountId, final long sessionEpoch, final long endMs)
    {
        final byte[] token = sessions.issue(Names.key(credentials.name()), accountId, sessionEpoch, endMs);
        return new Answer(0, accountId, Credentials.logInByToken(credentials.name(), token));
    }

    private Answer logOut(final RetryingDatabase database, final AccountRows.Stored stored) throws DatabaseDownException
    {
        final long key = random.nextLong();
        return Answer.refused(
            database.execute("log out", (connection) -> AccountRows.logOut(connection, stored.accountId(), key)) ?
            AccountCode.LOGGED_OUT : AccountCode.NOT_LOGGED_IN);
    }

    private Answer changePassword(
        final Credentials credentials, final RetryingDatabase database, final AccountRows.Stored stored)
        throws DatabaseDownException
    {
        // A demo account stays one, as with a rehash.
        final PasswordCost cost = PasswordHash.parse(stored.passwordHash()).cost();
        final String hash = cost.isDemo() ?
            new PasswordHasher(random, cost).hash(credentials.newPassword()) : hasher.hash(credentials.newPassword());
        final long keyHigh = random.nextLong();
        final long keyLow = random.nextLong();
        final Result result = database.execute("change a password", (connection) -> AccountRows.changePassword(
            connection, stored, hash, keyHigh, keyLow, context.epochClock().time()));
        return Answer.refused(0 == result.status() ? AccountCode.PASSWORD_CHANGED.value() : result.status());
    }

    private Answer delete(final RetryingDatabase database, final AccountRows.Stored stored) throws DatabaseDownException
    {
        final long keyHigh = random.nextLong();
        final long keyLow = random.nextLong();
        final Result result = database.execute("delete an account", (connection) -> AccountRows.delete(
            connection, stored.accountId(), keyHigh, keyLow, context.epochClock().time()));
        return Answer.refused(0 == result.status() ? AccountCode.ACCOUNT_DELETED.value() : result.status());
    }

    private void rehashIfWeak(
        final Credentials credentials, final RetryingDatabase database, final AccountRows.Stored stored)
    {
        final PasswordCost cost = PasswordHash.parse(stored.passwordHash()).cost();
        // A demo account stays one. With a strong hash, its public password would open it where demos are refused.
        if (cost.isDemo() || !cost.isWeakerThan(hasher.cost()))
        {
            return;
        }
        final String hash = hasher.hash(credentials.password());
        try
        {
            database.tryExecute("rehash", (connection) -> AccountRows.rehash(connection, stored, hash));
        }
        catch (final DatabaseDownException | DatabaseException ex)
        {
            // The next log-in retries.
            errorHandler.onError(ex);
        }
    }

    private static boolean join(final List<Thread> ending)
    {
        boolean isInterrupted = false;
        for (final Thread thread : ending)
        {
            try
            {
                thread.join(JOIN_MS);
                // It may be blocked on the queue of a stopped edge.
                thread.interrupt();
            }
            catch (final InterruptedException ex)
            {
                isInterrupted = true;
            }
        }
        return isInterrupted;
    }
}
