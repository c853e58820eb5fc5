package io.escapement.driver;

import io.escapement.config.ConfigException;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.util.regex.Pattern;

/** Endpoints in the form host:port, and URLs. */
public final class Endpoints
{
    /** Digits, because a host name is not a group. */
    private static final Pattern GROUP = Pattern.compile("([0-9.]+|\\[[0-9a-fA-F:.]+]):\\d{1,5}");

    private static final int MAX_PORT = 65_535;
    private static final String URL = "use a URL such as http://127.0.0.1:4318/v1/metrics";
    private static final String NO_HOST = "no host has this name: correct it, or name an address";

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
     * @param endpoint address:port. The last number must be odd, because Aeron's receivers answer to the next address.
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
     * Refuse an endpoint if its host has no address.
     *
     * @param option   that names the endpoint.
     * @param endpoint host:port.
     * @return its address.
     */
    public static InetSocketAddress checkHost(final String option, final String endpoint)
    {
        try
        {
            final InetSocketAddress address = parse(endpoint);
            ConfigException.check(!address.isUnresolved(), option, endpoint, NO_HOST);
            return address;
        }
        catch (final IllegalArgumentException ex)
        {
            throw ex instanceof ConfigException ? ex : new ConfigException(option, endpoint, ex.getMessage(), ex);
        }
    }

    /**
     * Refuse a UDP endpoint that this host cannot bind now. Otherwise a port conflict would only show up in the
     * driver's log. The endpoint is not bound afterwards.
     *
     * @param option   that names the endpoint.
     * @param endpoint host:port.
     */
    public static void checkUdp(final String option, final String endpoint)
    {
        check(option, endpoint, option, endpoint, checkHost(option, endpoint), (address) ->
        {
            try (DatagramSocket socket = new DatagramSocket(null))
            {
                socket.setReuseAddress(false);
                socket.bind(address);
            }
        });
    }

    /**
     * Read the URL of a service that this process calls.
     *
     * @param option that names it.
     * @param url    with http or https and a host, without a user and a fragment.
     * @throws ConfigException when the text has another form.
     */
    public static URI parseUrl(final String option, final String url)
    {
        try
        {
            final URI uri = URI.create(url);
            ConfigException.check(null != uri.getHost() && uri.getPort() <= MAX_PORT && null == uri.getUserInfo() &&
                null == uri.getFragment() && ("http".equals(uri.getScheme()) || "https".equals(uri.getScheme())),
                option, url, URL);
            return uri;
        }
        catch (final IllegalArgumentException ex)
        {
            throw ex instanceof ConfigException refused ? refused : new ConfigException(option, url, URL, ex);
        }
    }

    /**
     * Refuse a TCP endpoint at which this host cannot listen now. The endpoint is free afterwards.
     *
     * @param hostOption that names the host.
     * @param portOption that names the port.
     * @param endpoint   with port 0 for any free port.
     */
    public static void checkTcp(final String hostOption, final String portOption, final InetSocketAddress endpoint)
    {
        final String host = endpoint.getHostString();
        ConfigException.check(!endpoint.isUnresolved(), hostOption, host, NO_HOST);
        check(hostOption, host, portOption, endpoint.getPort(), endpoint, (address) ->
        {
            // Unlike a server socket it never takes a connection.
            try (Socket socket = new Socket())
            {
                socket.setReuseAddress(true);
                socket.bind(address);
            }
        });
    }

    private static void check(
        final String hostOption,
        final String host,
        final String portOption,
        final Object port,
        final InetSocketAddress address,
        final Binding binding)
    {
        try
        {
            binding.bind(new InetSocketAddress(address.getAddress(), 0));
        }
        catch (final IOException ex)
        {
            throw new ConfigException(
                hostOption, host, "this host does not have the address (" + ex.getMessage() + "): name one of it", ex);
        }
        try
        {
            binding.bind(address);
        }
        catch (final IOException ex)
        {
            throw new ConfigException(portOption, port, "name a free port (" + ex.getMessage() + ")", ex);
        }
    }

    /** Binds a socket and closes it. */
    private interface Binding
    {
        void bind(InetSocketAddress address) throws IOException;
    }
}
