package io.escapement.perf.crowd;

import com.sun.management.ThreadMXBean;
import io.escapement.perf.rig.Control;
import io.escapement.perf.rig.Measurements;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.SocketFactory;
import javax.net.ssl.SSLContext;

/** Measures the only worker of a gateway. */
final class GatewayMeter
{
    private static final long READY_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final String WORKER = "gateway-0";
    private static final byte[] REQUEST =
        "GET /ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final CrowdPlan plan;
    private long worker;
    private long workerNs;
    private long bytes;

    GatewayMeter(final CrowdPlan plan)
    {
        this.plan = plan;
    }

    /** Wait until the gateway takes players, and follow the control lines until the end of input. */
    void follow(final Control control)
    {
        final long launchedNs = System.nanoTime();
        while (!isReady())
        {
            if (System.nanoTime() - launchedNs > READY_NS)
            {
                throw new IllegalStateException("the gateway has no trunk after " + READY_NS + " ns");
            }
            LockSupport.parkNanos(POLL_NS);
        }
        worker = Thread.getAllStackTraces().keySet().stream().filter((thread) -> thread.getName().endsWith(WORKER))
            .findFirst().orElseThrow().getId();
        control.send(Control.READY);
        control.serve(plan, this::begin, this::measurements);
    }

    private boolean isReady()
    {
        try (Socket socket = sockets().createSocket(InetAddress.getLoopbackAddress(), plan.gatewayPort()))
        {
            socket.getOutputStream().write(REQUEST);
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).contains(" 200 ");
        }
        catch (final IOException ex)
        {
            // It does not listen yet.
            return false;
        }
    }

    /** Every certificate is trusted, because the gateway is this run's own. */
    private SocketFactory sockets()
    {
        if (!plan.isTls())
        {
            return SocketFactory.getDefault();
        }
        try
        {
            final SSLContext tls = SSLContext.getInstance("TLSv1.3");
            tls.init(null, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
            return tls.getSocketFactory();
        }
        catch (final GeneralSecurityException ex)
        {
            throw new IllegalStateException("no TLS: " + ex.getMessage(), ex);
        }
    }

    private void begin()
    {
        workerNs = threads.getThreadCpuTime(worker);
        bytes = threads.getThreadAllocatedBytes(worker);
    }

    private Measurements measurements()
    {
        return new Measurements()
            .put(CrowdFigures.GATEWAY_WORKER_NS, threads.getThreadCpuTime(worker) - workerNs)
            .put(CrowdFigures.GATEWAY_BYTES, threads.getThreadAllocatedBytes(worker) - bytes);
    }
}
