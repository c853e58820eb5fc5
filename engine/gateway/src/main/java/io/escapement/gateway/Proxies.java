package io.escapement.gateway;

import io.escapement.config.ConfigException;
import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** The proxies that are trusted to name the addresses of their clients. */
final class Proxies
{
    private final List<IpSubnetFilterRule> rules = new ArrayList<>();

    /** Believe an address, or a network such as 10.0.0.0/8. */
    void add(final String network)
    {
        final int slash = network.indexOf('/');
        final InetAddress address = addressOf(slash < 0 ? network : network.substring(0, slash));
        ConfigException.check(null != address, "proxy", network, "use an address or a network such as 10.0.0.0/8");
        final int most = Byte.SIZE * address.getAddress().length;
        int bits = most;
        try
        {
            bits = slash < 0 ? most : Integer.parseInt(network.substring(slash + 1));
        }
        catch (final NumberFormatException ex)
        {
            bits = -1;
        }
        ConfigException.check(bits >= 0 && bits <= most, "proxy", network, "use 0 to " + most + " bits");
        rules.add(new IpSubnetFilterRule(address, bits, IpFilterRuleType.ACCEPT));
    }

    boolean isEmpty()
    {
        return rules.isEmpty();
    }

    boolean has(final InetAddress address)
    {
        final InetSocketAddress socket = new InetSocketAddress(address, 0);
        for (final IpSubnetFilterRule rule : rules)
        {
            if (rule.matches(socket))
            {
                return true;
            }
        }
        return false;
    }

    /**
     * The client of a request: the last address of X-Forwarded-For that is no proxy's. Each proxy appends the address
     * that it was reached from. The client wrote all addresses before its own.
     *
     * @param headers of this name, in their order.
     * @param proxy   that sent the request. It is the client if it does not name a client.
     * @return the client, or null if the proxy names something that is no address.
     */
    InetAddress clientOf(final List<String> headers, final InetAddress proxy)
    {
        InetAddress client = proxy;
        for (int i = headers.size() - 1; i >= 0; i--)
        {
            final String[] entries = headers.get(i).split(",", -1);
            for (int j = entries.length - 1; j >= 0; j--)
            {
                client = addressOf(withoutPort(entries[j].trim()));
                if (null == client || !has(client))
                {
                    return client;
                }
            }
        }
        return client;
    }

    /** Some proxies append the port, and then write IPv6 in brackets. */
    private static String withoutPort(final String entry)
    {
        if (entry.startsWith("["))
        {
            final int end = entry.indexOf(']');
            return end < 0 ? entry : entry.substring(1, end);
        }
        final int colon = entry.indexOf(':');
        return colon >= 0 && colon == entry.lastIndexOf(':') ? entry.substring(0, colon) : entry;
    }

    /** An address in digits, or null: names are not looked up. */
    static InetAddress addressOf(final String digits)
    {
        return NetUtil.createInetAddressFromIpAddressString(digits);
    }
}
