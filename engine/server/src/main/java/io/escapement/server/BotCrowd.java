package io.escapement.server;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.ToLongFunction;
import org.agrona.CloseHelper;

/**
 * All bots of a process, one {@link BotHost} for each thread. The threads run only inside {@link #run(long)}. The
 * caller may read everything between two calls.
 */
final class BotCrowd implements AutoCloseable
{
    private static final long LEAVE_STEP_NS = 50_000_000;

    private final List<BotHost> hosts = new ArrayList<>();
    private final ExecutorService others;

    BotCrowd(final BotOptions options, final BotProvider provider, final int threads)
    {
        others = Executors.newFixedThreadPool(Math.max(1, threads - 1), (task) ->
        {
            final Thread thread = new Thread(task, "bots");
            thread.setDaemon(true);
            return thread;
        });
        try
        {
            for (int i = 0; i < threads; i++)
            {
                hosts.add(new BotHost(options, provider, i, threads));
            }
        }
        catch (final RuntimeException ex)
        {
            close();
            throw ex;
        }
    }

    /** Run all hosts for this time, the first in the calling thread. */
    void run(final long forNs)
    {
        final long untilNs = System.nanoTime() + forNs;
        final List<Future<?>> running = new ArrayList<>();
        for (final BotHost host : hosts.subList(1, hosts.size()))
        {
            running.add(others.submit(() -> host.turnUntil(untilNs)));
        }
        hosts.get(0).turnUntil(untilNs);
        for (final Future<?> host : running)
        {
            await(host);
        }
    }

    /** Leave all rooms, and return when every bot has left or after the timeout. */
    void leave(final long timeoutNs)
    {
        hosts.forEach(BotHost::stop);
        final long untilNs = System.nanoTime() + timeoutNs;
        while (seated() > 0 && System.nanoTime() < untilNs)
        {
            run(LEAVE_STEP_NS);
        }
    }

    BotProvider.Bot first()
    {
        return hosts.get(0).first();
    }

    /** Throw if a trunk is down that could not connect. */
    void checkConnections()
    {
        for (final BotHost host : hosts)
        {
            if (!host.failure().isEmpty())
            {
                throw new IllegalStateException(host.failure());
            }
        }
    }

    int playing()
    {
        return (int)sum(BotHost::playing);
    }

    int entered()
    {
        return (int)sum(BotHost::entered);
    }

    int seated()
    {
        return (int)sum(BotHost::seated);
    }

    long violations()
    {
        return sum(BotHost::violations);
    }

    List<String> violationTexts()
    {
        return hosts.stream().flatMap((host) -> host.violationTexts().stream()).toList();
    }

    /** The measurements since the last call. */
    BotStats takeStats()
    {
        final BotStats taken = new BotStats();
        for (final BotHost host : hosts)
        {
            taken.add(host.stats());
            host.stats().reset();
        }
        return taken;
    }

    @Override
    public void close()
    {
        others.shutdown();
        CloseHelper.closeAll(hosts);
    }

    private long sum(final ToLongFunction<BotHost> part)
    {
        return hosts.stream().mapToLong(part).sum();
    }

    private static void await(final Future<?> host)
    {
        try
        {
            host.get();
        }
        catch (final ExecutionException ex)
        {
            throw new IllegalStateException(ex.getCause());
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(ex);
        }
    }
}
