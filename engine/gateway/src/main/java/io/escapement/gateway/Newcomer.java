package io.escapement.gateway;

import io.netty.channel.Channel;
import java.net.InetAddress;
import org.agrona.concurrent.NanoClock;

/**
 * A connection until its Hello: the address for its limits, which is its own or named by a configured proxy, and its
 * place among the connections without a Hello.
 */
final class Newcomer
{
    private final Channel channel;
    private final Admission admission;
    private final AddressLimits limits;
    private final GatewayCounters counters;
    private final NanoClock clock;
    private final InetAddress proxy;
    private String address;
    /** Null unless the connection counts as one without a Hello. */
    private Ungreeted.Place place;
    /** The session of the token it has shown, or null. */
    private PlayerSession session;

    /**
     * A connection that is not counted yet.
     *
     * @param channel   of the connection.
     * @param admission of its worker.
     * @param limits    of addresses.
     * @param counters  of the worker.
     * @param clock     for rates.
     * @param proxy     that names the client in each request, or null.
     */
    Newcomer(
        final Channel channel,
        final Admission admission,
        final AddressLimits limits,
        final GatewayCounters counters,
        final NanoClock clock,
        final InetAddress proxy)
    {
        this.channel = channel;
        this.admission = admission;
        this.limits = limits;
        this.counters = counters;
        this.clock = clock;
        this.proxy = proxy;
    }

    /** Take a place among the connections without a Hello, until Hello or the end. */
    void enter(final InetAddress from)
    {
        place = admission.enter(this, AddressBits.of(from));
        channel.closeFuture().addListener((future) -> leave());
    }

    /** The proxy that names the client in each request, or null. */
    InetAddress proxy()
    {
        return proxy;
    }

    /** Count the connection for an address until it closes. Returns false if the address has as many as it may. */
    boolean count(final InetAddress client)
    {
        if (!limits.tryOpen(client, clock.nanoTime()))
        {
            counters.increment(GatewayCounter.CONNECTIONS_OVER_ADDRESS_LIMIT);
            return false;
        }
        address = client.getHostAddress();
        channel.closeFuture().addListener((future) -> limits.close(client));
        if (null != place)
        {
            admission.rename(place, isReturning(), AddressBits.of(client));
        }
        return true;
    }

    /** The client's address in digits. */
    String address()
    {
        return address;
    }

    /** It has shown the token of a session, so that strangers do not take its place. */
    void welcomeBack(final PlayerSession returned)
    {
        if (null != place && null == session)
        {
            session = returned;
            admission.welcomeBack(this, place, returned);
        }
    }

    boolean isReturning()
    {
        return null != session;
    }

    /** Whether the worker has no place for it. */
    boolean isOverLimit()
    {
        return isOverLimit(isReturning());
    }

    private boolean isOverLimit(final boolean hasReserve)
    {
        final boolean isOver = admission.isFull(isReturning(), hasReserve);
        if (isOver)
        {
            counters.increment(GatewayCounter.CONNECTIONS_OVER_LIMIT);
        }
        return isOver;
    }

    /** Its Hello arrived, from a player who returns or not. Returns false if the worker has no place for it. */
    boolean greet(final boolean hasSession)
    {
        // A connection that another worker handed over has no place, and was checked when it arrived.
        if (null != place && isOverLimit(hasSession))
        {
            return false;
        }
        leave();
        return true;
    }

    /** Give the place up: the connection has sent its Hello, or is gone. */
    void leave()
    {
        if (null != place)
        {
            admission.leave(place, session);
            place = null;
        }
    }

    /** Another connection gets its place. No farewell of TLS is sent, because it might wait. */
    void displace()
    {
        counters.increment(GatewayCounter.CONNECTIONS_DISPLACED);
        leave();
        channel.unsafe().close(channel.voidPromise());
    }
}
