package io.escapement.http;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The connections of a server. When there are too many, the oldest that waits for its client makes room for the
 * newcomer. Therefore clients that send or read slowly never keep a health check out: its request would need to arrive
 * later than all the connections of an address. Used by the thread of the connections.
 */
final class HttpConnections
{
    /** The server's thread and memory carry more. Probes, a scraper and 32 pages with their requests need less. */
    static final int LIMIT = 128;
    /** One address may have all pages and all requests that wait for a worker, and others still connect. */
    static final int ADDRESS_LIMIT = 96;

    private static final int NETWORK_LENGTH = 8;

    private final Set<HttpConnection> connections = new LinkedHashSet<>();
    private final Map<ByteBuffer, Integer> countByAddressMap = new HashMap<>();

    /** Add a connection, and close another for it if need be. Returns false if no connection may be closed. */
    boolean admit(final HttpConnection newcomer)
    {
        final boolean isOwnFull = count(newcomer) >= ADDRESS_LIMIT;
        if (isOwnFull || connections.size() >= LIMIT)
        {
            final HttpConnection last = oldest(isOwnFull ? newcomer.source() : null);
            if (null == last)
            {
                return false;
            }
            remove(last);
            last.close();
        }
        connections.add(newcomer);
        countByAddressMap.merge(newcomer.source(), 1, Integer::sum);
        return true;
    }

    void remove(final HttpConnection connection)
    {
        if (connections.remove(connection))
        {
            countByAddressMap.computeIfPresent(connection.source(), (source, count) -> 1 == count ? null : count - 1);
        }
    }

    void closeAll()
    {
        List.copyOf(connections).forEach(HttpConnection::close);
    }

    int size()
    {
        return connections.size();
    }

    /** An address counts by its first 64 bits, because a household has that many. */
    static ByteBuffer sourceOf(final InetAddress address)
    {
        final byte[] bytes = address.getAddress();
        return ByteBuffer.wrap(bytes, 0, Math.min(NETWORK_LENGTH, bytes.length));
    }

    /** The oldest waiting connection of this source. Without one, the oldest of the source with most connections. */
    private HttpConnection oldest(final ByteBuffer source)
    {
        HttpConnection found = null;
        for (final HttpConnection next : connections)
        {
            if (next.isWaiting() && (null == source || source.equals(next.source())) &&
                (null == found || count(next) > count(found)))
            {
                found = next;
            }
        }
        return found;
    }

    private int count(final HttpConnection connection)
    {
        return countByAddressMap.getOrDefault(connection.source(), 0);
    }
}
