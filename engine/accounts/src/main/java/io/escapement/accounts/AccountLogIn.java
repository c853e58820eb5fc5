package io.escapement.accounts;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.engine.spi.LogInService;
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
 * Signs players up, logs them in and out. The edge's thread hands {@link Credentials} in and goes on at once; workers
 * with bounded queues do the rest, an account always with the same worker. The player's id is the account's.
 *
 * <p>A password lives in one array from the edge to the worker and is overwritten there. It is in no message of an
 * exception and in no log. Attempts are counted for each account name, whether there is such an account or not, and for
 * each address that a gateway claims for a player, never for a trunk, which may carry thousands of players; an attempt
 * with the right password is given back, a sign-up counts for its address.
 */
public final class AccountLogIn implements LogInService, AutoCloseable
{
    /** Refusals that wait at most; the edge has less log-ins under way than this, whatever the number of trunks. */
    private static final int REFUSAL_LIMIT = 64 * 1_024;
    private static final long JOIN_MS = TimeUnit.SECONDS.toMillis(10);

    private record Job(long trunkId, Credentials credentials, int code, Reply reply)
    {
        @Override
        public String toString()
        {
            return "log-in by trunk " + trunkId;
        }
    }

    private static final Job STOP = new Job(0, null, 0, null);

    private final AccountsContext context;
    private final NanoClock clock;
    private final ErrorHandler errorHandler;
    private final PasswordHasher hasher;
    private final SecureRandom random;
    private final AttemptLimiter byAccount;
    private final AttemptLimiter byAddress;
    private final List<BlockingQueue<Job>> queues = new ArrayList<>();
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
        byAccount = new AttemptLimiter(
            context.accountBurst(), context.accountNsPerAttempt(), context.limiterEntries(), random);
        byAddress = new AttemptLimiter(
            context.addressBurst(), context.addressNsPerAttempt(), context.limiterEntries(), random);
        for (int i = 0; i < context.logInWorkers(); i++)
        {
            final BlockingQueue<Job> queue = new ArrayBlockingQueue<>(context.logInQueueLimit());
            final RetryingDatabase lane = new RetryingDatabase(accounts.dataSource(), context);
            queues.add(queue);
            threads.add(thread("escapement-log-in-" + i, () -> work(queue, lane)));
        }
        threads.add(thread("escapement-log-in-refusals", () -> work(refusals, null)));
        threads.forEach(Thread::start);
    }

    /** In the edge's thread, which must not even wait for room for an answer: a refusal goes out by another thread. */
    @Override
    public void logIn(final long trunkId, final byte[] credentials, final Reply reply)
    {
        final Credentials parsed = Credentials.parse(credentials);
        Arrays.fill(credentials, (byte)0);
        final int code = isClosed ? AccountCode.STOPPING.value() : codeBefore(parsed);
        if (0 != code)
        {
            refuse(trunkId, parsed, code, reply);
            return;
        }
        final String nameKey = Names.key(parsed.name());
        final BlockingQueue<Job> queue = queues.get(Math.floorMod(nameKey.hashCode(), queues.size()));
        if (!queue.offer(new Job(trunkId, parsed, 0, reply)))
        {
            giveBack(parsed);
            refuse(trunkId, parsed, AccountCode.LOG_IN_QUEUE_FULL.value(), reply);
        }
        else if (isClosed)
        {
            // The worker may have gone between the question and the offer.
            refuseAll(queue);
        }
    }

    /** Refuses what still waits and ends the workers. */
    @Override
    public synchronized void close()
    {
        if (isClosed)
        {
            return;
        }
        isClosed = true;
        queues.forEach(this::refuseAll);
        queues.forEach((queue) -> queue.offer(STOP));
        final boolean isInterrupted = join(threads.subList(0, threads.size() - 1));
        queues.forEach(this::refuseAll);
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

    private int codeBefore(final Credentials parsed)
    {
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
        if (!byAddress.tryTake(parsed.address(), nowNs) ||
            Credentials.SIGN_UP != parsed.kind() && !byAccount.tryTake(Names.key(parsed.name()), nowNs))
        {
            return AccountCode.TOO_MANY_ATTEMPTS.value();
        }
        return 0;
    }

    private void giveBack(final Credentials credentials)
    {
        byAddress.giveBack(credentials.address());
        if (Credentials.SIGN_UP != credentials.kind())
        {
            byAccount.giveBack(Names.key(credentials.name()));
        }
    }

    private void refuse(final long trunkId, final Credentials parsed, final int code, final Reply reply)
    {
        if (null != parsed)
        {
            parsed.clear();
        }
        if (!refusals.offer(new Job(trunkId, parsed, code, reply)))
        {
            errorHandler.onError(new IllegalStateException("more than " + REFUSAL_LIMIT + " refused log-ins wait"));
        }
    }

    private void refuseAll(final BlockingQueue<Job> queue)
    {
        boolean isToStop = false;
        for (Job job = queue.poll(); null != job; job = queue.poll())
        {
            if (STOP == job)
            {
                isToStop = true;
            }
            else
            {
                refuse(job.trunkId, job.credentials, AccountCode.STOPPING.value(), job.reply);
            }
        }
        if (isToStop)
        {
            queue.offer(STOP);
        }
    }

    private void work(final BlockingQueue<Job> queue, final RetryingDatabase lane)
    {
        try
        {
            for (Job job = queue.take(); STOP != job; job = queue.take())
            {
                if (0 != job.code)
                {
                    answer(job, job.code, 0);
                }
                else
                {
                    run(job, lane);
                }
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void run(final Job job, final RetryingDatabase lane)
    {
        Result outcome = new Result(RefusalCode.SERVICE_FAILED.value(), 0);
        try
        {
            outcome = outcome(job, lane);
        }
        catch (final DatabaseDownException ex)
        {
            giveBack(job.credentials);
            outcome = Result.refused(AccountCode.DATABASE_DOWN);
        }
        catch (final RuntimeException ex)
        {
            errorHandler.onError(ex);
        }
        finally
        {
            job.credentials.clear();
        }
        answer(job, outcome.status(), outcome.value());
    }

    private void answer(final Job job, final int status, final long playerId)
    {
        try
        {
            job.reply.onReply(status, playerId);
        }
        catch (final RuntimeException ex)
        {
            errorHandler.onError(ex);
        }
    }

    private Result outcome(final Job job, final RetryingDatabase lane) throws DatabaseDownException
    {
        final Credentials credentials = job.credentials;
        if (Credentials.SIGN_UP == credentials.kind())
        {
            return signUp(job, lane);
        }
        final AccountRows.Stored stored = lane.perform(
            "find an account", (connection) -> AccountRows.find(connection, Names.key(credentials.name())));
        final int refusal = refusal(credentials, stored);
        if (0 != refusal)
        {
            return new Result(refusal, 0);
        }
        giveBack(credentials);
        return Credentials.LOG_IN == credentials.kind() ? begin(job, lane, stored) : end(lane, stored);
    }

    private Result signUp(final Job job, final RetryingDatabase lane) throws DatabaseDownException
    {
        final Credentials credentials = job.credentials;
        final String nameKey = Names.key(credentials.name());
        if (null != lane.perform("look for a name", (connection) -> AccountRows.find(connection, nameKey)))
        {
            // Everybody may know which names are taken; it costs no hash to say so.
            return Result.refused(AccountCode.NAME_TAKEN);
        }
        final String hash = hasher.hash(credentials.password());
        final long keyHigh = random.nextLong();
        final long keyLow = random.nextLong();
        return lane.perform("sign up", (connection) -> AccountRows.signUp(
            connection, credentials.name(), hash, keyHigh, keyLow, context.epochClock().time()));
    }

    /** Whether the password is wrong, at the same cost whatever there is. */
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
            // The demo's hash alone would be quicker than any other, and so tell which accounts are such.
            hasher.verifyDummy(credentials.password());
        }
        if (!hasher.verify(credentials.password(), hash))
        {
            return AccountCode.WRONG_CREDENTIALS.value();
        }
        return isRefusedDemo ? AccountCode.DEMO_ACCOUNT_REFUSED.value() : 0;
    }

    private Result begin(final Job job, final RetryingDatabase lane, final AccountRows.Stored stored)
        throws DatabaseDownException
    {
        if (!lane.perform("log in", (connection) -> AccountRows.logIn(connection, stored.accountId())))
        {
            return Result.refused(AccountCode.WRONG_CREDENTIALS);
        }
        rehashIfWeak(job.credentials, lane, stored);
        return Result.done(stored.accountId());
    }

    private Result end(final RetryingDatabase lane, final AccountRows.Stored stored) throws DatabaseDownException
    {
        final long key = random.nextLong();
        return Result.refused(
            lane.perform("log out", (connection) -> AccountRows.logOut(connection, stored.accountId(), key)) ?
            AccountCode.LOGGED_OUT : AccountCode.NOT_LOGGED_IN);
    }

    private void rehashIfWeak(
        final Credentials credentials, final RetryingDatabase lane, final AccountRows.Stored stored)
    {
        final PasswordCost cost = PasswordHash.parse(stored.passwordHash()).cost();
        // A demo's account stays one: were its hash made strong, its password, that everybody knows, would open it
        // where such accounts are refused.
        if (cost.isDemo() || !cost.isWeakerThan(hasher.cost()))
        {
            return;
        }
        final String hash = hasher.hash(credentials.password());
        try
        {
            lane.performNow("rehash", (connection) -> AccountRows.rehash(connection, stored, hash));
        }
        catch (final DatabaseDownException | DatabaseException ex)
        {
            // The next log-in does it.
            errorHandler.onError(ex);
        }
    }

    private Thread thread(final String name, final Runnable work)
    {
        final Thread thread = context.threadFactory().newThread(work);
        thread.setName(name);
        return thread;
    }

    private static boolean join(final List<Thread> ending)
    {
        boolean isInterrupted = false;
        for (final Thread thread : ending)
        {
            try
            {
                thread.join(JOIN_MS);
                // It may be waiting for an edge that is not there any more.
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
