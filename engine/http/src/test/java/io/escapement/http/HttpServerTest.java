package io.escapement.http;

import io.escapement.testsupport.HttpClients;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A server with sockets and threads. */
class HttpServerTest implements HttpHandler
{
    private static final String NAME = "escapement-test-http";
    private static final String SLOW = "GET /slow HTTP/1.0\r\n\r\n";
    private static final InetSocketAddress ANY_PORT = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private final HttpServer server;
    private final HttpClients clients;
    private volatile Thread worker;
    private volatile boolean isInterrupted;

    HttpServerTest() throws IOException
    {
        server = HttpServer.launch(NAME, ANY_PORT, 1, this);
        clients = new HttpClients(server.port());
    }

    @AfterEach
    void close() throws IOException
    {
        clients.close();
        server.close();
        Tests.await(() -> Thread.getAllStackTraces().keySet().stream()
            .noneMatch((thread) -> thread.getName().startsWith(NAME)), "the server's threads to exit");
    }

    @Override
    public HttpAnswer answerNow(final HttpRequest request)
    {
        return "/health".equals(request.path()) ? HttpAnswer.text(200, "yes") : null;
    }

    @Override
    public HttpAnswer answer(final HttpRequest request)
    {
        worker = Thread.currentThread();
        try
        {
            mayEnd.await();
            return HttpAnswer.text(200, "done");
        }
        catch (final InterruptedException ex)
        {
            isInterrupted = true;
            return HttpAnswer.text(503, "closing");
        }
    }

    @Test
    void shouldAnswerProbesOfAnyAddressWhileHalfSentRequestsAreHeld() throws IOException
    {
        clients.sendHalf(3 * HttpConnections.LIMIT);
        assertEquals(200, clients.status("127.0.0.1", "/health"));
        assertEquals(200, clients.status("127.0.0.2", "/health"));
    }

    @Test
    void shouldAnswerProbesWhileTheWorkerAndItsQueueAreFull() throws IOException
    {
        final List<Socket> waiting = new ArrayList<>();
        for (int i = 0; i <= HttpServer.QUEUE_LIMIT; i++)
        {
            waiting.add(clients.send("127.0.0.1", SLOW));
            // The server has read the request before this answer.
            assertEquals(200, clients.status("127.0.0.1", "/health"));
        }
        assertEquals(503, clients.status("127.0.0.1", "/slow"));
        mayEnd.countDown();
        for (final Socket socket : waiting)
        {
            final String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertTrue(answer.endsWith("done\n"), answer);
        }
    }

    @Test
    void shouldInterruptWorkAndCloseConnections() throws IOException
    {
        final Socket socket = clients.send("127.0.0.1", SLOW);
        Tests.await(() -> null != worker, "the worker");
        server.close();
        socket.getInputStream().readAllBytes();
        assertTrue(isInterrupted);
        assertThrows(IOException.class, () -> clients.status("127.0.0.1", "/health"));
    }

    @Test
    void shouldCloseInAnInterruptedThread()
    {
        Thread.currentThread().interrupt();
        server.close();
        assertTrue(Thread.interrupted());
        assertThrows(IOException.class, () -> clients.status("127.0.0.1", "/health"));
    }

    @Test
    void shouldNameAnAddressThatCannotBeBound()
    {
        final InetSocketAddress nowhere = InetSocketAddress.createUnresolved("nowhere", 0);
        assertEquals("no such host",
            assertThrows(IOException.class, () -> HttpServer.launch(NAME, nowhere, 1, this)).getMessage());
        final InetSocketAddress taken = new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
        assertEquals("Address already in use",
            assertThrows(IOException.class, () -> HttpServer.launch(NAME, taken, 1, this)).getMessage());
    }
}
