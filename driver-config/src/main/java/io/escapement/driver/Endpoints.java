package io.escapement.driver;

import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketException;

/** UDP endpoints in the form host:port. */
public final class Endpoints
{
    private Endpoints()
    {
    }

    /**
     * Parse an endpoint.
     *
     * @param endpoint host:port.
     * @throws IllegalArgumentException when the text has another form.
     */
    public static InetSocketAddress parse(final String endpoint)
    {
        final int colon = endpoint.lastIndexOf(':');
        if (colon < 0)
        {
            throw new IllegalArgumentException("expected HOST:PORT");
        }
        try
        {
            return new InetSocketAddress(
                endpoint.substring(0, colon), Integer.parseInt(endpoint.substring(colon + 1)));
        }
        catch (final IllegalArgumentException ex)
        {
            throw new IllegalArgumentException("expected HOST:PORT", ex);
        }
    }

    /**
     * Check that a local UDP port can be bound. Otherwise a port conflict would only show up in the driver's log.
     *
     * @param address on this host.
     * @throws SocketException when another socket is bound to it.
     */
    public static void requireFree(final InetSocketAddress address) throws SocketException
    {
        try (DatagramSocket socket = new DatagramSocket(null))
        {
            socket.setReuseAddress(false);
            socket.bind(address);
        }
    }
}
