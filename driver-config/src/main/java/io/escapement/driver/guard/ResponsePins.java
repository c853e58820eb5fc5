package io.escapement.driver.guard;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The requesting address of each response session, and the established hosts. The receiver thread pins the address
 * before it sends the session id to the client. The sender thread reads the pin later, when the first request for that
 * session arrives.
 *
 * <p>A host is established while it has a response that has lasted, and for a while after it: an engine closes the
 * response of a client that does not authenticate in time.
 */
final class ResponsePins
{
    /** Longer than an engine waits for a handshake, its last replies and the linger of its publication. */
    static final long ESTABLISHED_NS = TimeUnit.SECONDS.toNanos(10);
    /** Longer than a lost trunk can be resumed. */
    private static final long REMEMBERED_NS = TimeUnit.MINUTES.toNanos(2);
    private static final int REMEMBERED_HOSTS = 1_024;

    private final Map<Integer, Pin> pinBySessionIdMap = new ConcurrentHashMap<>();
    private final Map<InetAddress, Long> lastEstablishedNsByHostMap = new ConcurrentHashMap<>();
    private final long establishedNs;

    ResponsePins(final long establishedNs)
    {
        this.establishedNs = establishedNs;
    }

    void pin(final int responseSessionId, final InetSocketAddress requester, final long nowNs)
    {
        pinBySessionIdMap.put(responseSessionId, new Pin(requester, nowNs));
    }

    /** The request or the response is gone. */
    void unpin(final int responseSessionId, final long nowNs)
    {
        final Pin pin = pinBySessionIdMap.remove(responseSessionId);
        if (null != pin && hasLasted(pin, nowNs))
        {
            lastEstablishedNsByHostMap.values().removeIf((lastNs) -> nowNs - lastNs > REMEMBERED_NS);
            if (lastEstablishedNsByHostMap.size() < REMEMBERED_HOSTS)
            {
                lastEstablishedNsByHostMap.put(pin.requester.getAddress(), nowNs);
            }
        }
    }

    boolean isPinnedTo(final int responseSessionId, final InetAddress host)
    {
        final Pin pin = pinBySessionIdMap.get(responseSessionId);
        return null != pin && host.equals(pin.requester.getAddress());
    }

    boolean isEstablished(final InetAddress host, final long nowNs)
    {
        final Long lastNs = lastEstablishedNsByHostMap.get(host);
        if (null != lastNs && nowNs - lastNs <= REMEMBERED_NS)
        {
            return true;
        }
        for (final Pin pin : pinBySessionIdMap.values())
        {
            if (host.equals(pin.requester.getAddress()) && hasLasted(pin, nowNs))
            {
                return true;
            }
        }
        return false;
    }

    private boolean hasLasted(final Pin pin, final long nowNs)
    {
        return nowNs - pin.sinceNs > establishedNs;
    }

    private record Pin(InetSocketAddress requester, long sinceNs)
    {
    }
}
