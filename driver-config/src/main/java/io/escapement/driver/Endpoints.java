package io.escapement.driver;

import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.regex.Pattern;

/** UDP endpoints in the form host:port. */
public final class Endpoints
{
    /** Digits, because no name of a host stands for a group. */
    private static final Pattern GROUP = Pattern.compile("([0-9.]+|\\[[0-9a-fA-F:.]+]):\\d{1,5}");

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
     * Parse the endpoint of a multicast group.
     *
     * @param endpoint address:port. Aeron's receivers answer to the next address, so the last number must be odd.
     * @throws IllegalArgumentException when the text has another form, or is no such group.
     */
    public static InetSocketAddress parseGroup(final String endpoint)
    {
        if (GROUP.matcher(endpoint).matches())
        {
            final InetSocketAddress group = parse(endpoint);
            final byte[] address = group.isUnresolved() ? new byte[1] : group.getAddress().getAddress();
            if (0 != (address[address.length - 1] & 1) && group.getAddress().isMulticastAddress() &&
                group.getPort() > 0)
            {
                return group;
            }
        }
        throw new IllegalArgumentException(
            "expected ADDRESS:PORT of a multicast group whose last number is odd, such as 224.0.1.7:40500");
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
