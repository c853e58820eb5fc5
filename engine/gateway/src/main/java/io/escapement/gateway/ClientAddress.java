package io.escapement.gateway;

import io.netty.channel.Channel;
import java.net.InetAddress;
import org.agrona.concurrent.NanoClock;

/** The address that the limits of a connection count for: its own, or the one that a configured proxy names. */
final class ClientAddress
{
    private final Channel channel;
    private final AddressLimits limits;
    private final GatewayCounters counters;
    private final NanoClock clock;
    private final InetAddress proxy;
    private String value;

    /**
     * The address of a connection, not counted yet.
     *
     * @param channel  of the connection.
     * @param limits   that count it.
     * @param counters of the worker.
     * @param clock    for rates.
     * @param proxy    that names the client in each request, or null.
     */
    ClientAddress(
        final Channel channel,
        final AddressLimits limits,
        final GatewayCounters counters,
        final NanoClock clock,
        final InetAddress proxy)
    {
        this.channel = channel;
        this.limits = limits;
        this.counters = counters;
        this.clock = clock;
        this.proxy = proxy;
    }

    /** The proxy that names the client in each request, or null. */
    InetAddress proxy()
    {
        return proxy;
    }

    /** Count the connection until it closes; false if its address has as many as it may. */
    boolean count(final InetAddress address)
    {
        final String digits = address.getHostAddress();
        if (!limits.tryOpen(digits, clock.nanoTime()))
        {
            counters.increment(GatewayCounter.CONNECTIONS_OVER_ADDRESS_LIMIT);
            return false;
        }
        value = digits;
        channel.closeFuture().addListener((future) -> limits.close(digits));
        return true;
    }

    String value()
    {
        return value;
    }
}
