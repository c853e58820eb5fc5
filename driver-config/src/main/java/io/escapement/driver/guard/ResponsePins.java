package io.escapement.driver.guard;

import java.net.InetAddress;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which host may have which response session. The receiver writes it when it tells a client the session of its
 * response, which is before the client can ask for that session; the sender reads it at the first such request.
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
