package io.escapement.cluster;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The addresses of the members' names. Only these may send to a node. If a member moves, its address changes. Names are
 * therefore resolved periodically. One thread resolves, another tests.
 */
final class MemberAddresses implements Predicate<InetAddress>
{
    private final List<String> hosts;
    private final Map<String, List<InetAddress>> known = new HashMap<>();
    private volatile Set<InetAddress> addresses = Set.of();

    MemberAddresses(final List<String> hosts)
    {
        this.hosts = hosts;
        resolve();
    }

    @Override
    public boolean test(final InetAddress address)
    {
        return addresses.contains(address);
    }

    /** Look the names up, which may wait. A name that is unknown at the moment keeps its addresses. */
    void resolve()
    {
        final Set<InetAddress> found = new HashSet<>();
        for (final String host : hosts)
        {
            try
            {
                known.put(host, Arrays.asList(InetAddress.getAllByName(host)));
            }
            catch (final UnknownHostException ex)
            {
                // A member that has not started may have no name yet.
            }
            found.addAll(known.getOrDefault(host, List.of()));
        }
        addresses = found;
    }

    /** Whether all of them are this host's loopback addresses. */
    boolean areLoopback()
    {
        return known.keySet().containsAll(hosts) && addresses.stream().allMatch(InetAddress::isLoopbackAddress);
    }
}
