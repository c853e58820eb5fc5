package io.escapement.perf.crowd;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.escapement.client.TrunkContext;
import io.escapement.gateway.Gateway;
import io.escapement.gateway.GatewayContext;
import io.escapement.perf.rig.Control;
import io.escapement.perf.rig.Measurements;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.agrona.IoUtil;

/** The process of the gateway: one worker with one trunk. */
public final class GatewayServer
{
    private static final long READY_NS = TimeUnit.SECONDS.toNanos(20);
    private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final String WORKER = "gateway-0";
    /** Above all that one address does here. */
    private static final int NO_LIMIT = 1_000_000;

    private final OperatingSystemMXBean system =
        (OperatingSystemMXBean)ManagementFactory.getOperatingSystemMXBean();
    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final long worker;
    private long startNs;
    private long cpuNs;
    private long workerNs;
    private long bytes;

    private GatewayServer()
    {
        worker = Thread.getAllStackTraces().keySet().stream().filter((thread) -> thread.getName().endsWith(WORKER))
            .findFirst().orElseThrow().getId();
    }

    /** Run the process. */
    public static void run(final CrowdPlan plan, final Control control)
    {
        try
        {
            final Path directory = Files.createTempDirectory("escapement-perf-");
            try (Gateway gateway = Gateway.launch(context(plan, directory)))
            {
                final long launchedNs = System.nanoTime();
                while (!gateway.isReady())
                {
                    if (System.nanoTime() - launchedNs > READY_NS)
                    {
                        throw new IllegalStateException("the gateway has no trunk after " + READY_NS + " ns");
                    }
                    LockSupport.parkNanos(POLL_NS);
                }
                final GatewayServer server = new GatewayServer();
                control.send(Control.READY + " " + gateway.port());
                control.serve(plan, server::begin, server::measurements);
            }
            finally
            {
                IoUtil.delete(directory.toFile(), true);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static GatewayContext context(final CrowdPlan plan, final Path directory)
    {
        final GatewayContext context = new GatewayContext().secret(CrowdServer.SECRET)
            .feed(plan.isFed() ? TrunkContext.ANY_FEED_ENDPOINT : null);
        context.limits()
            .connectionLimit(2 * plan.players())
            .ungreetedLimit(2 * plan.players())
            .addressLimit(NO_LIMIT)
            .addressRate(NO_LIMIT)
            .logInRate(NO_LIMIT)
            .messageRate(NO_LIMIT)
            .byteRate(NO_LIMIT);
        if (CrowdPlan.TLS.equals(plan.gateway))
        {
            final WebCertificate certificate = WebCertificate.write(directory);
            context.certificate(certificate.chain(), certificate.key());
        }
        return plan.isIpc() ? context.ipc(plan.directory) :
            context.udp(plan.serverEndpoint(), plan.responseEndpoint());
    }

    private void begin()
    {
        startNs = System.nanoTime();
        cpuNs = system.getProcessCpuTime();
        workerNs = threads.getThreadCpuTime(worker);
        bytes = threads.getThreadAllocatedBytes(worker);
    }

    private Measurements measurements()
    {
        return new Measurements()
            .put(CrowdFigures.GATEWAY_NS, System.nanoTime() - startNs)
            .put(CrowdFigures.GATEWAY_CPU_NS, system.getProcessCpuTime() - cpuNs)
            .put(CrowdFigures.GATEWAY_WORKER_NS, threads.getThreadCpuTime(worker) - workerNs)
            .put(CrowdFigures.GATEWAY_BYTES, threads.getThreadAllocatedBytes(worker) - bytes);
    }
}
