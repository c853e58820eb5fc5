package io.escapement.http;

import io.escapement.testsupport.HttpClients;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Hostile clients at a server whose probes are all answered, from the hostile address too. About 15 s. */
@RealTime("clients that send and read slowly")
class SlowClientsTest implements HttpHandler
{
    private static final String HOSTILE = "127.0.0.1";
    private static final String PROBE = "127.0.0.2";
    /** More than the kernel holds for a client that does not read. */
    private static final byte[] LARGE = new byte[1_024 * 1_024];

    private final HttpServer server;
    private final HttpClients clients;
    private final AtomicReference<Throwable> fault = new AtomicReference<>();
    private final AtomicInteger probes = new AtomicInteger();
    private final Thread probing = new Thread(this::probe, "probing");
    private volatile boolean isOver;

    SlowClientsTest() throws IOException
    {
        server = HttpServer.launch(
            "escapement-test-attacked", new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1, this);
        clients = new HttpClients(server.port());
        probing.start();
    }

    @AfterEach
    void close() throws Exception
    {
        isOver = true;
        probing.join();
        clients.close();
        server.close();
        assertNull(fault.get(), () -> "a probe failed: " + fault.get());
        assertTrue(probes.get() > 1);
    }

    @Override
    public HttpAnswer answerNow(final HttpRequest request)
    {
        return "/large".equals(request.path()) ? null : HttpAnswer.text(200, "yes");
    }

    @Override
    public HttpAnswer answer(final HttpRequest request)
    {
        return HttpAnswer.of("application/octet-stream", LARGE);
    }

    private void probe()
    {
        try (HttpClients probe = new HttpClients(server.port()))
        {
            while (!isOver)
            {
                assertEquals(200, probe.status(PROBE, "/health"));
                assertEquals(200, probe.status(HOSTILE, "/health"));
                probes.addAndGet(2);
            }
        }
        catch (final IOException | AssertionError ex)
        {
            fault.set(ex);
        }
    }

    /** Heads and bodies of which a byte arrives now and then, on a thousand connections of an address. */
    @Test
    void shouldCloseSlowSendersByTheirDeadline() throws IOException
    {
        final List<Socket> slow = new ArrayList<>();
        for (int i = 0; i < 1_000; i++)
        {
            slow.add(clients.send(HOSTILE, 0 == i % 2 ? "GET /health HTTP/1.1\r\nA: " :
                "POST /health HTTP/1.1\r\nContent-Length: 1000\r\n\r\n"));
        }
        Tests.await(() -> slow.removeIf(SlowClientsTest::isClosedAfterAByte) && slow.isEmpty(), "the deadlines");
    }

    private static boolean isClosedAfterAByte(final Socket socket)
    {
        try
        {
            socket.getOutputStream().write('a');
            return false;
        }
        catch (final IOException ex)
        {
            return true;
        }
    }

    /** Answers that their clients do not take fill the server's connections. */
    @Test
    void shouldAnswerProbesWhileClientsTakeNothing() throws IOException
    {
        final List<SocketChannel> slow = new ArrayList<>();
        try
        {
            for (int i = 0; i < 2 * HttpConnections.ADDRESS_LIMIT; i++)
            {
                final SocketChannel client = SocketChannel.open().bind(new InetSocketAddress(HOSTILE, 0));
                slow.add(client);
                client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
                client.write(ByteBuffer.wrap(
                    "GET /large HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.US_ASCII)));
                final int before = probes.get();
                Tests.await(() -> probes.get() > before, "a probe");
            }
        }
        finally
        {
            for (final SocketChannel client : slow)
            {
                client.close();
            }
        }
    }

    /** A client that connects as fast as it can. */
    @Test
    void shouldAnswerProbesDuringAFloodOfConnections() throws IOException
    {
        final long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < TimeUnit.SECONDS.toNanos(2))
        {
            try (HttpClients flood = new HttpClients(server.port()))
            {
                flood.sendHalf(1_000);
            }
        }
    }
}
