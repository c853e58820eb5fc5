package io.escapement.driver.guard;

import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The host that may receive each response session. The receiver thread pins the host before it sends the session id to
 * the client; the sender thread reads the pin when the first request for that session arrives, which is later.
 */
final class ResponsePins
{
    private final ConcurrentHashMap<Integer, InetAddress> hostBySessionIdMap = new ConcurrentHashMap<>();

    void pin(final int responseSessionId, final InetAddress host)
    {
        hostBySessionIdMap.put(responseSessionId, host);
    }

    void unpin(final int responseSessionId, final InetAddress host)
    {
        hostBySessionIdMap.remove(responseSessionId, host);
    }

    boolean isPinnedTo(final int responseSessionId, final InetAddress host)
    {
        return host.equals(hostBySessionIdMap.get(responseSessionId));
    }
}
