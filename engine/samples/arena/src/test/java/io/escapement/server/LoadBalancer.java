package io.escapement.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;

/** Passes TCP connections on to one of several gateways, and new ones to another from each switch on. */
final class LoadBalancer implements AutoCloseable
{
    private final ServerSocket server;
    private volatile int port;

    LoadBalancer(final String gateway)
    {
        sendTo(gateway);
        try
        {
            server = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        start(this::accept);
    }

    String url()
    {
        return "http://127.0.0.1:" + server.getLocalPort() + "/";
    }

    void sendTo(final String gateway)
    {
        port = URI.create(gateway).getPort();
    }

    @Override
    public void close()
    {
        try
        {
            server.close();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private void accept()
    {
        while (!server.isClosed())
        {
            try
            {
                final Socket client = server.accept();
                start(() -> connect(client));
            }
            catch (final IOException ex)
            {
                // Closed.
                return;
            }
        }
    }

    /** Both sockets end when one does. */
    private void connect(final Socket client)
    {
        try (client; Socket gateway = new Socket(InetAddress.getLoopbackAddress(), port))
        {
            start(() -> pass(gateway, client));
            pass(client, gateway);
        }
        catch (final IOException ex)
        {
            // No gateway listens there: the client's connection ends, as that of the gateway's would.
        }
    }

    private static void pass(final Socket from, final Socket to)
    {
        try (from; to)
        {
            from.getInputStream().transferTo(to.getOutputStream());
        }
        catch (final IOException ex)
        {
            // One of them ended.
        }
    }

    private static void start(final Runnable task)
    {
        final Thread thread = new Thread(task, "load-balancer");
        thread.setDaemon(true);
        thread.start();
    }
}
