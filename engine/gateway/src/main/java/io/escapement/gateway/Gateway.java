package io.escapement.gateway;

import io.escapement.config.ConfigException;
import io.escapement.driver.internal.UntilSignal;
import io.netty.util.concurrent.FastThreadLocalThread;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.agrona.CloseHelper;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.IdleStrategy;

/**
 * A gateway: players' WebSockets on one side, trunks to an engine on the other. Each worker is a thread with its own
 * listening socket and trunk.
 *
 * <pre>{@code
 *   final Gateway gateway = Gateway.launch(new GatewayContext()
 *       .ipc(engine.aeronDirectory()).secret(secret).port(Integer.getInteger("port", 8080)));
 * }</pre>
 */
public final class Gateway implements AutoCloseable
{
    /** How long an idle worker waits for a socket before it looks at its trunk: the price of a wake-up. */
    private static final long WAIT_NS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long START_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** Number of addresses with remembered rates: two megabytes. */
    private static final int ADDRESSES = 64 * 1_024;

    private final List<Worker> workers = new ArrayList<>();
    private final List<AutoCloseable> runners = new ArrayList<>();
    private final List<AgentInvoker> invokers = new ArrayList<>();
    private final ExecutorService reader = Executors.newSingleThreadExecutor(Gateway::readerThread);
    private GatewayMetrics metrics;

    private Gateway(final GatewayContext context, final boolean isInvoked)
    {
        final AddressLimits addresses = new AddressLimits(context.limits().addressLimit(),
            context.limits().addressRate(), context.limits().logInRate(), ADDRESSES, context.random());
        final Certificates certificates = context.certificates();
        final StaticFiles files = StaticFiles.of(context, reader);
        final WorkerGroup group = new WorkerGroup(context.workers());
        try
        {
            int port = context.port();
            for (int i = 0; i < context.workers(); i++)
            {
                final Worker worker = new Worker(context, i, port, addresses, certificates, files, group);
                workers.add(worker);
                if (isInvoked)
                {
                    final AgentInvoker invoker = new AgentInvoker(context.errorHandler(), null, worker);
                    invokers.add(invoker);
                    runners.add(invoker);
                    invoker.start();
                }
                else
                {
                    start(context, worker);
                }
                port = worker.port();
            }
            metrics = new GatewayMetrics(context, workers);
        }
        catch (final IOException ex)
        {
            close();
            throw new ConfigException(
                "gateway.metricsPort", context.metricsPort(), "name a free port (" + ex.getMessage() + ")", ex);
        }
        catch (final RuntimeException ex)
        {
            close();
            throw ex;
        }
    }

    /**
     * Launch a gateway. It listens when this returns. Its trunks connect while it runs.
     *
     * @param context of this gateway only. It is concluded and frozen by this call, unless the application has done so.
     */
    public static Gateway launch(final GatewayContext context)
    {
        return new Gateway(context.launch(), false);
    }

    /**
     * Run a gateway until SIGINT, SIGTERM or SIGHUP, then drain it and exit the process: with status 0, or with 1 if
     * connections were left.
     *
     * @param context of the gateway.
     * @param started is called with the gateway.
     * @param drainNs as of {@link #drain}.
     */
    public static void runUntilSignal(
        final GatewayContext context, final Consumer<Gateway> started, final long drainNs)
    {
        UntilSignal.run((until) ->
        {
            try (Gateway gateway = launch(context))
            {
                started.accept(gateway);
                until.await();
                return gateway.drain(drainNs) ? 0 : 1;
            }
        });
    }

    /** A gateway with workers that the caller runs, in the calling thread. */
    static Gateway invoked(final GatewayContext context)
    {
        return new Gateway(context.launch(), true);
    }

    private void start(final GatewayContext context, final Worker worker)
    {
        final Throwable[] failure = new Throwable[1];
        final AgentRunner runner = new AgentRunner(new WaitForSockets(worker), (ex) ->
        {
            failure[0] = ex;
            if (worker.isListening())
            {
                context.errorHandler().onError(ex);
            }
        }, null, worker);
        runners.add(runner);
        final Thread thread = AgentRunner.startOnThread(runner, (task) ->
        {
            final Thread made = new FastThreadLocalThread(task, "escapement-" + worker.roleName());
            made.setDaemon(true);
            return made;
        });
        final long deadlineNs = System.nanoTime() + START_NS;
        while (!worker.isListening() && thread.isAlive() && System.nanoTime() - deadlineNs < 0)
        {
            LockSupport.parkNanos(POLL_NS);
        }
        if (failure[0] instanceof ConfigException refused)
        {
            throw refused;
        }
        if (!worker.isListening())
        {
            throw new IllegalStateException(
                null == failure[0] ? "the gateway did not start in time" : failure[0].getMessage(), failure[0]);
        }
    }

    private static Thread readerThread(final Runnable task)
    {
        final Thread thread = new Thread(task, "escapement-gateway-files");
        thread.setDaemon(true);
        return thread;
    }

    /** The port it listens on. */
    public int port()
    {
        return workers.get(0).port();
    }

    /** The port of metrics, or -1 without metrics. */
    public int metricsPort()
    {
        return null == metrics ? -1 : metrics.port();
    }

    /** Whether every worker has its trunk and takes players. */
    public boolean isReady()
    {
        return workers.stream().allMatch(Worker::isReady);
    }

    /** Players who are connected. */
    public int connections()
    {
        return workers.stream().mapToInt((worker) -> worker.counters().connections()).sum();
    }

    int sessions()
    {
        return workers.stream().mapToInt((worker) -> worker.counters().sessions()).sum();
    }

    int detached()
    {
        return workers.stream().mapToInt((worker) -> worker.counters().detached()).sum();
    }

    int seats()
    {
        return workers.stream().mapToInt((worker) -> worker.counters().seats()).sum();
    }

    /** One turn of a gateway that the caller runs. */
    int invoke()
    {
        int work = 0;
        for (final AgentInvoker invoker : invokers)
        {
            work += invoker.invoke();
        }
        return work;
    }

    long counter(final GatewayCounter counter)
    {
        return workers.stream().mapToLong((worker) -> worker.counters().get(counter)).sum();
    }

    /**
     * Stop taking players, and disconnect the present players, spread over a time so that other gateways are not
     * overrun. Their seats are held. Blocks until they are gone, or for a second longer than that.
     *
     * @param withinNs time over which connections are closed.
     * @return whether all connections are closed.
     */
    public boolean drain(final long withinNs)
    {
        workers.forEach((worker) -> worker.drain(withinNs));
        final long deadlineNs = System.nanoTime() + withinNs + TimeUnit.SECONDS.toNanos(1);
        while (!workers.stream().allMatch(Worker::isDrained) && System.nanoTime() - deadlineNs < 0)
        {
            LockSupport.parkNanos(POLL_NS);
        }
        return workers.stream().allMatch(Worker::isDrained);
    }

    /** Close every socket and the trunks: the engine holds the players' seats. */
    @Override
    public void close()
    {
        CloseHelper.quietClose(metrics);
        CloseHelper.quietCloseAll(runners);
        reader.shutdown();
    }

    /** Waits in the kernel for sockets, so that a player's message wakes the worker at once. */
    private static final class WaitForSockets implements IdleStrategy
    {
        private final Worker worker;

        WaitForSockets(final Worker worker)
        {
            this.worker = worker;
        }

        @Override
        public void idle(final int workCount)
        {
            if (0 == workCount)
            {
                idle();
            }
        }

        @Override
        public void idle()
        {
            worker.await(WAIT_NS);
        }

        @Override
        public void reset()
        {
            // It keeps no state.
        }
    }
}
