package io.escapement.driver;

import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketException;

/** Places on the network as they are given to a program, host:port. */
public final class Endpoints
{
    private Endpoints()
    {
    }

    /**
     * Read one.
     *
     * @param endpoint host:port.
     * @return the address.
     * @throws IllegalArgumentException when it is none.
     */
    public static InetSocketAddress parse(final String endpoint)
    {
        final int colon = endpoint.lastIndexOf(':');
        if (colon < 0)
        {
            throw new IllegalArgumentException("not HOST:PORT");
        }
        try
        {
            return new InetSocketAddress(
                endpoint.substring(0, colon), Integer.parseInt(endpoint.substring(colon + 1)));
        }
        catch (final IllegalArgumentException ex)
        {
            throw new IllegalArgumentException("not HOST:PORT", ex);
        }
    }

    /**
     * Look whether datagrams can be received there: a port that another has would come to light late.
     *
     * @param address on this host.
     * @throws SocketException when they cannot.
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
