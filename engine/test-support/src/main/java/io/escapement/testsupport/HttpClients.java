package io.escapement.testsupport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Clients of an HTTP server of this host, which send bytes as they are. */
public final class HttpClients implements AutoCloseable
{
    private static final int ANSWER_MS = 10_000;
    private static final String HALF = "GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nA: ";

    private final List<Socket> sockets = new ArrayList<>();
    private final int port;

    /**
     * Clients of a server.
     *
     * @param port of the server.
     */
    public HttpClients(final int port)
    {
        this.port = port;
    }

    /**
     * Connect, and send text. The connection stays open until this is closed, or the server closes it.
     *
     * @param from address of the client: any of the loopback interface.
     * @param text to send.
     * @return the connection. Its reads fail after ten seconds.
     * @throws IOException if the server refuses the connection.
     */
    public Socket send(final String from, final String text) throws IOException
    {
        final Socket socket = new Socket();
        sockets.add(socket);
        socket.setSoTimeout(ANSWER_MS);
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), ANSWER_MS);
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /**
     * Send half-sent requests, and keep their connections.
     *
     * @param count of the requests.
     * @return these clients.
     * @throws IOException if the server refuses a connection.
     */
    public HttpClients sendHalf(final int count) throws IOException
    {
        for (int i = 0; i < count; i++)
        {
            send("127.0.0.1", HALF);
        }
        return this;
    }

    /**
     * Send a whole request on a new connection, and wait for at most ten seconds.
     *
     * @param from   address of the client: any of the loopback interface.
     * @param target of the request.
     * @return the status of the answer.
     * @throws IOException if there is no answer.
     */
    public int status(final String from, final String target) throws IOException
    {
        try (Socket socket = send(from,
            "GET " + target + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\nConnection: close\r\n\r\n"))
        {
            sockets.remove(socket);
            final String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            if (!answer.startsWith("HTTP/1.1 "))
            {
                throw new IOException("no answer, but '" + answer + "'");
            }
            return Integer.parseInt(answer.substring(9, 12));
        }
    }

    @Override
    public void close() throws IOException
    {
        for (final Socket socket : sockets)
        {
            socket.close();
        }
    }
}
