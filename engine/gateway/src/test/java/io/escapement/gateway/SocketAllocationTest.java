package io.escapement.gateway;

import io.escapement.testsupport.Allocations;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import io.netty.handler.ssl.OpenSsl;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import javax.net.SocketFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A worker allocates little for a room's message to sixteen players, whose sockets are real ones. */
@RealTime("sockets of the kernel, for seconds")
class SocketAllocationTest
{
    private static final int ROUNDS = 100;
    private static final int MANY = 64;
    private static final double BYTES_A_MESSAGE = 1;
    /** Of a record, which each connection gets in a turn. */
    private static final int BYTES_OVER_TLS = OpenSsl.isAvailable() ? 350 : 1_750;

    @TempDir
    private Path directory;

    @Test
    void shouldAllocateLittleForAMessage() throws InterruptedException
    {
        WorkerThread.runUntracked(() -> measure(context(), SocketFactory.getDefault(), BYTES_A_MESSAGE));
    }

    @Test
    void shouldAllocateOverTlsWhatItsRecordsCost() throws Exception
    {
        final TestCertificate certificate = TestCertificate.write(directory, TestCertificate.FIRST);
        final GatewayContext context = context().certificate(certificate.chain(), certificate.key());
        WorkerThread.runUntracked(() ->
            measure(context, certificate.client().sslContext().getSocketFactory(), BYTES_OVER_TLS));
    }

    private static GatewayContext context()
    {
        final GatewayContext context = new GatewayContext();
        context.limits().addressRate(1_000);
        return context;
    }

    private static void measure(final GatewayContext context, final SocketFactory programs, final double limit)
    {
        try (ListenerBench bench =
            new ListenerBench(context, SocketAllocationTest.class.getClassLoader(), "test/page.html"))
        {
            for (int i = 0; i < Broadcast.PLAYERS; i++)
            {
                final Thread program = new Thread(() -> read(programs, bench.port), "program");
                program.setDaemon(true);
                program.start();
            }
            Tests.await(() ->
            {
                bench.turn();
                return Broadcast.PLAYERS == bench.sessions.connections().size();
            }, "all players");
            final Broadcast broadcast = new Broadcast(bench.sessions);
            assertLittle(bench, broadcast, 1, limit);
            assertLittle(bench, broadcast, MANY, Math.max(BYTES_A_MESSAGE, limit / MANY));
        }
    }

    private static void assertLittle(
        final ListenerBench bench, final Broadcast broadcast, final int messages, final double limit)
    {
        final long allocated = Allocations.least(8, () ->
        {
            for (int round = 0; round < ROUNDS; round++)
            {
                final long startNs = System.nanoTime();
                bench.sessions.beginTurn();
                bench.listener.poll();
                broadcast.send(messages);
                bench.sessions.endTurn();
                while (System.nanoTime() - startNs < TimeUnit.MICROSECONDS.toNanos(500))
                {
                    bench.turn();
                }
            }
        });
        final double each = allocated / (double)ROUNDS / Broadcast.PLAYERS / messages;
        System.out.printf(Locale.ROOT, "%s: %.2f B a message, %d a turn%n",
            null == bench.context.certificate() ? "plain" : "TLS", each, messages);
        assertTrue(each <= limit, () -> each + " B a message, " + messages + " a turn");
    }

    /** A player's client, which reads everything until the gateway closes. */
    private static void read(final SocketFactory factory, final int port)
    {
        try (Socket socket = factory.createSocket("localhost", port))
        {
            socket.getOutputStream().write(HostileBytesTest.UPGRADE.getBytes(StandardCharsets.US_ASCII));
            final byte[] input = new byte[64 * 1_024];
            while (socket.getInputStream().read(input) >= 0)
            {
                Thread.onSpinWait();
            }
        }
        catch (final IOException ex)
        {
            throw new AssertionError(ex);
        }
    }
}
