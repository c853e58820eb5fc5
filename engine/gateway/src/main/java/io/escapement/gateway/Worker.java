package io.escapement.gateway;

import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.exceptions.AeronException;
import io.escapement.client.TrunkContext;
import io.escapement.driver.DriverDirectory;
import io.escapement.driver.internal.SteadyClocks;
import java.io.File;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;

/** One thread of a gateway: its sockets, its trunk, and the sessions between them. */
final class Worker implements Agent
{
    /** The driver reads one datagram of a socket each time. */
    private static final int DRIVER_INVOKES = 4;
    private static final long MIN_RECONNECT_NS = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long MAX_RECONNECT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final int SOCKET_BUFFER = 2 * 1_024 * 1_024;
    private static final int MTU = 8_192;

    private final SteadyClocks clocks = new SteadyClocks();
    private final GatewayContext context;
    private final int number;
    private final GatewayCounters counters = new GatewayCounters();
    private final AddressLimits addresses;
    private final Certificates certificates;
    private final StaticFiles files;
    private final WorkerGroup group;
    private final TrunkOutage outage;
    private Listener listener;
    private Sessions sessions;
    private Upstream upstream;
    private MediaDriver driver;
    private Aeron aeron;
    private volatile int port;
    private volatile long drainNs = -1;
    private volatile boolean isDrained;
    private volatile boolean isListening;
    private boolean isDraining;

    Worker(
        final GatewayContext context,
        final int number,
        final int port,
        final AddressLimits addresses,
        final Certificates certificates,
        final StaticFiles files,
        final WorkerGroup group)
    {
        this.context = context;
        this.number = number;
        outage = new TrunkOutage(roleName());
        this.port = port;
        this.addresses = addresses;
        this.certificates = certificates;
        this.files = files;
        this.group = group;
    }

    /** Once it listens, for another worker. */
    Listener listener()
    {
        return listener;
    }

    /** For its own thread. */
    Sessions sessions()
    {
        return sessions;
    }

    GatewayCounters counters()
    {
        return counters;
    }

    /** The port, once it listens. */
    int port()
    {
        return port;
    }

    boolean isListening()
    {
        return isListening;
    }

    /** Whether its trunk is up and it takes players. */
    boolean isReady()
    {
        return counters.isTrunkUp() && drainNs < 0;
    }

    /** Stop accepting, and close the connections spread over this time. */
    void drain(final long withinNs)
    {
        drainNs = withinNs;
    }

    boolean isDrained()
    {
        return isDrained;
    }

    @Override
    public void onStart()
    {
        try
        {
            listener = new Listener(context, counters, addresses, certificates, files);
            sessions = new Sessions(context, counters, addresses, listener.sharedMessage(), group.tokens(),
                group.of(number));
            final String identity = context.identity() + "-" + number;
            final TrunkContext trunkContext = new TrunkContext().aeronSupplier(this::connect).identity(identity)
                .secret(context.secret()).applicationVersion(context.applicationVersion()).clock(context.clock())
                .reconnect(MIN_RECONNECT_NS, MAX_RECONNECT_NS);
            if (null == context.driverDirectory())
            {
                driver = launchDriver();
            }
            context.addEnginesTo(trunkContext);
            upstream = new AeronUpstream(trunkContext, sessions);
            sessions.upstream(upstream);
            port = listener.listen(sessions, port);
            group.onStart(number, this);
            isListening = true;
        }
        catch (final RuntimeException ex)
        {
            onClose();
            throw ex;
        }
    }

    private MediaDriver launchDriver()
    {
        return MediaDriver.launch(clocks.applyTo(new MediaDriver.Context())
            .aeronDirectoryName(DriverDirectory.temporary())
            .threadingMode(ThreadingMode.INVOKER)
            .socketRcvbufLength(SOCKET_BUFFER)
            .socketSndbufLength(SOCKET_BUFFER)
            .publicationTermBufferLength(TrunkContext.TERM_LENGTH_DEFAULT)
            .termBufferSparseFile(true)
            .mtuLength(MTU)
            .dirDeleteOnShutdown(true));
    }

    /** Aeron would wait for a missing driver, and its own error handler exits the process with the driver. */
    private Aeron connect()
    {
        CloseHelper.quietClose(aeron);
        final Aeron.Context client = clocks.applyTo(new Aeron.Context()).useConductorAgentInvoker(true)
            .errorHandler(context.errorHandler());
        if (null != driver)
        {
            aeron = Aeron.connect(client.aeronDirectoryName(driver.aeronDirectoryName())
                .driverAgentInvoker(driver.sharedAgentInvoker()));
            return aeron;
        }
        if (!CommonContext.isDriverActive(
            new File(context.driverDirectory()), CommonContext.DEFAULT_DRIVER_TIMEOUT_MS, (text) -> { }))
        {
            throw new AeronException("no media driver is active in " + context.driverDirectory());
        }
        aeron = Aeron.connect(client.aeronDirectoryName(context.driverDirectory()));
        return aeron;
    }

    @Override
    public int doWork()
    {
        sessions.beginTurn();
        int work = listener.poll();
        for (int i = 0; null != driver && i < DRIVER_INVOKES; i++)
        {
            final int done = driver.sharedAgentInvoker().invoke();
            work += done;
            if (0 == done)
            {
                break;
            }
        }
        if (null != aeron && !aeron.isClosed())
        {
            work += aeron.conductorAgentInvoker().invoke();
        }
        final long pollNs = context.clock().nanoTime();
        work += upstream.poll();
        outage.poll(pollNs, upstream);
        work += sessions.endTurn();
        if (drainNs >= 0)
        {
            drain();
        }
        if (work > 0)
        {
            final long endNs = context.clock().nanoTime();
            counters.turns().onBusy(endNs - sessions.nowNs());
            if (sessions.hasFlushed())
            {
                counters.turns().onFlush(endNs - pollNs);
            }
        }
        return work;
    }

    private void drain()
    {
        if (!isDraining)
        {
            isDraining = true;
            listener.stopAccepting();
            sessions.drain(drainNs);
        }
        if (0 == sessions.connections().size() && !isDrained)
        {
            isDrained = true;
        }
    }

    /** Wait for a socket, for at most this long. */
    void await(final long ns)
    {
        if (null != listener)
        {
            listener.await(ns);
        }
    }

    @Override
    public void onClose()
    {
        if (null != upstream)
        {
            upstream.close();
            if (null != aeron && !aeron.isClosed() && null != driver)
            {
                driver.sharedAgentInvoker().invoke();
            }
        }
        CloseHelper.quietCloseAll(listener, aeron, driver);
    }

    @Override
    public String roleName()
    {
        return "gateway-" + number;
    }
}
