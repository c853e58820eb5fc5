package io.escapement.tokens;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.engine.spi.LogInService;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ObjLongConsumer;

/**
 * Logs players in by JSON Web Tokens. The bytes of a token are the credentials of a log-in. A refusal has a
 * {@link TokenCode}.
 *
 * <pre>
 *   try (TokenLogIn logIn = TokenLogIn.launch(new TokenLogInContext()
 *           .keys("https://login.example.com/keys").issuer("https://login.example.com/").audience("my-game")
 *           .errorHandler(faults));
 *       Engine engine = Engine.launch(new EngineContext().trunks(new TrunkServerContext().logInService(logIn) ...)))
 * </pre>
 *
 * <p>Tokens are checked by {@link TokenLogInContext#workers workers}, which take them from a bounded queue. The service
 * keeps no token, and no message contains any part of a token.
 */
public final class TokenLogIn implements LogInService, AutoCloseable
{
    /** Log-ins that wait: as many as a few gateways may have open at once. */
    static final int QUEUE_LIMIT = 1_024;

    private static final long POLL_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long JOIN_MS = TimeUnit.SECONDS.toMillis(10);

    private record Job(byte[] token, Reply reply)
    {
        @Override
        public String toString()
        {
            return "log-in";
        }
    }

    private final TokenLogInContext context;
    private final TokenCounters counters = new TokenCounters();
    private final KeyRefresh keys;
    private final BanList bans;
    private final TokenVerifier verifier;
    private final BlockingQueue<Job> jobs = new ArrayBlockingQueue<>(QUEUE_LIMIT);
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean isClosed;

    private TokenLogIn(final TokenLogInContext context)
    {
        this.context = context;
        keys = context.newKeyRefresh(counters);
        bans = context.newBanList(counters);
        verifier = new TokenVerifier(context, keys, bans);
        threads.add(context.newThread("escapement-token-keys",
            () -> repeat(() -> keys.poll(context.epochClock().time()))));
        threads.add(context.newThread("escapement-token-bans", () -> repeat(bans::poll)));
        for (int i = 0; i < context.workers(); i++)
        {
            threads.add(context.newThread("escapement-token-log-in-" + i, this::work));
        }
        threads.forEach(Thread::start);
    }

    /**
     * Start the log-in. The keys of a URL are fetched from now on, and log-ins before are refused as NO_KEYS.
     *
     * @param context which is frozen.
     * @return the service, which the caller closes after the engine.
     * @throws io.escapement.config.ConfigException if an option is wrong.
     */
    public static TokenLogIn launch(final TokenLogInContext context)
    {
        context.conclude().launched();
        return new TokenLogIn(context);
    }

    @Override
    public void logIn(final long trunkId, final byte[] credentials, final Reply reply)
    {
        if (isClosed)
        {
            refuse(new Job(credentials, reply), TokenCode.STOPPING);
        }
        else if (!jobs.offer(new Job(credentials, reply)))
        {
            refuse(new Job(credentials, reply), TokenCode.LOG_IN_QUEUE_FULL);
        }
    }

    /**
     * Visit the counters of log-ins, of refusals per code, and of loads of the keys per result. Any thread.
     *
     * @param visitor of each name and count.
     */
    public void forEachCounter(final ObjLongConsumer<String> visitor)
    {
        counters.forEach(visitor);
    }

    /** Refuses waiting log-ins and stops the threads. Idempotent. */
    @Override
    public synchronized void close()
    {
        isClosed = true;
        threads.forEach(Thread::interrupt);
        for (final Thread thread : threads)
        {
            try
            {
                thread.join(JOIN_MS);
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
            }
        }
        for (Job job = jobs.poll(); null != job; job = jobs.poll())
        {
            refuse(job, TokenCode.STOPPING);
        }
    }

    private void work()
    {
        try
        {
            while (!isClosed)
            {
                process(jobs.take());
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private void process(final Job job)
    {
        try
        {
            final long playerId = verifier.verify(job.token);
            counters.increment(TokenCounter.LOG_INS);
            Arrays.fill(job.token, (byte)0);
            reply(job, 0, playerId);
        }
        catch (final TokenRefusal ex)
        {
            refuse(job, ex.code());
        }
        catch (final RuntimeException ex)
        {
            context.errorHandler().onError(ex);
            reply(job, RefusalCode.SERVICE_FAILED.value(), 0);
        }
    }

    private void refuse(final Job job, final TokenCode code)
    {
        Arrays.fill(job.token, (byte)0);
        counters.refused(code);
        reply(job, code.value(), 0);
    }

    private void reply(final Job job, final int status, final long playerId)
    {
        try
        {
            job.reply.onReply(status, playerId);
        }
        catch (final RuntimeException ex)
        {
            context.errorHandler().onError(ex);
        }
    }

    private void repeat(final Runnable task)
    {
        while (!isClosed)
        {
            try
            {
                task.run();
            }
            catch (final RuntimeException ex)
            {
                context.errorHandler().onError(ex);
            }
            LockSupport.parkNanos(POLL_NS);
        }
    }
}
