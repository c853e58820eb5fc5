package io.escapement.console;

import io.escapement.config.ConfigException;
import io.escapement.http.HttpServer;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.util.LinkedHashSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A page that shows an engine at work and operates it.
 *
 * <pre>{@code
 *   final MonitorContext monitor = new MonitorContext();
 *   final ConsoleContext console = new ConsoleContext().observe(monitor);
 *   try (Engine engine = Engine.launch(new EngineContext().roomType(chat).monitor(monitor));
 *       Console open = Console.launch(console.engine(engine)))
 *   {
 *       System.out.println(open.url());
 *       barrier.await();
 *   }
 * }</pre>
 */
public final class Console implements AutoCloseable
{
    private static final System.Logger LOGGER = System.getLogger("io.escapement.console");
    private static final long SAMPLE_NS = TimeUnit.MILLISECONDS.toNanos(500);
    /** A report waits for up to two seconds for a loop that hangs, and other reports do not wait for it. */
    private static final int WORKERS = 16;
    private static final long CLOSE_MS = 1_000;

    private final ConsoleContext context;
    private final HttpServer server;
    private final EventStreams streams = new EventStreams();
    private final RoomCosts costs;
    private final PastRooms past;
    private final Thread sampling;
    private volatile boolean isClosed;

    private Console(final ConsoleContext context)
    {
        this.context = context.launch();
        costs = new RoomCosts(
            context.engine().operator()::runningRoom, context.engine().loops(), System.nanoTime());
        past = new PastRooms(context.engine().operator(),
            new RoomViews(context.views(), context.engine().operator()));
        final Requests requests = new Requests(context.engine(), context.history(),
            new Reports(context.engine(), context.history(), costs),
            new RequestGuard(context.tokens(), context.hosts()), streams,
            new Operations(context.engine().operator(), context.drain()),
            new Page(new LinkedHashSet<>(context.views().values())),
            past);
        try
        {
            server = HttpServer.launch("escapement-console-http",
                new InetSocketAddress(context.address(), context.port()), WORKERS, requests);
        }
        catch (final IOException ex)
        {
            throw new ConfigException("console.port", context.port(), "name a free port (" + ex.getMessage() + ")", ex);
        }
        if (!context.address().isLoopbackAddress())
        {
            LOGGER.log(System.Logger.Level.WARNING, "console.host: " + context.address().getHostAddress() +
                ": the console has no TLS: whoever reads the traffic of port " + port() + " has its tokens");
        }
        sampling = new Thread(this::sample, "escapement-console");
        sampling.setDaemon(true);
        sampling.start();
    }

    /**
     * Start a console.
     *
     * @param context its options, which are concluded and frozen here unless the application has done so.
     * @return the console, which listens.
     * @throws ConfigException if an option is wrong or the port cannot be bound.
     */
    public static Console launch(final ConsoleContext context)
    {
        return new Console(context);
    }

    /** The port that it listens on. */
    public int port()
    {
        return server.port();
    }

    /** The address of the page for operators. Its fragment is a token. Anyone with the token can stop the engine. */
    public String url()
    {
        return address() + context.tokens().operate();
    }

    /** The address of the page for viewers, who cannot operate the engine. */
    public String viewUrl()
    {
        return address() + context.tokens().view();
    }

    /** Close all connections and stop all threads. The engine keeps running. */
    @Override
    public void close()
    {
        if (isClosed)
        {
            return;
        }
        isClosed = true;
        LockSupport.unpark(sampling);
        try
        {
            sampling.join(CLOSE_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        server.close();
        past.close();
    }

    EventStreams streams()
    {
        return streams;
    }

    private String address()
    {
        final String host = context.address().getHostAddress();
        return "http://" + (context.address() instanceof Inet6Address ? "[" + host + "]" : host) + ":" + port() + "/#";
    }

    private void sample()
    {
        final Sampler sampler = new Sampler(context.engine(), context.history());
        long nextNs = System.nanoTime();
        while (!isClosed)
        {
            final long nowNs = System.nanoTime();
            if (nowNs - nextNs >= 0)
            {
                nextNs = nowNs + SAMPLE_NS;
                publish(sampler, nowNs);
            }
            // Without a page, costs are not needed.
            final long dueNs = streams.isEmpty() ? nextNs : earlier(nextNs, costs.sample(nowNs));
            LockSupport.parkNanos(Math.max(1, dueNs - System.nanoTime()));
        }
    }

    private static long earlier(final long aNs, final long bNs)
    {
        return aNs - bNs < 0 ? aNs : bNs;
    }

    private void publish(final Sampler sampler, final long nowNs)
    {
        try
        {
            if (!streams.isEmpty())
            {
                streams.publish(sampler.next(nowNs));
            }
        }
        catch (final RuntimeException ex)
        {
            LOGGER.log(System.Logger.Level.ERROR, "console", ex);
        }
    }
}
