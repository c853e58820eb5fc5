package io.escapement.gateway;

import io.escapement.ratelimit.KeyedBuckets;
import io.escapement.ratelimit.TokenBuckets;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;
import org.agrona.collections.Long2LongHashMap;

/**
 * Connections and log-ins of each address and, of version 6, of each network of 48 bits, shared by all workers. An
 * address of version 6 counts by its first 64 bits, because a household has the others. A lock is enough, because it is
 * called for connections and log-ins, and not for messages.
 */
final class AddressLimits
{
    /**
     * How much more than an address a network of 48 bits may have. A rented server has such a network, and 65,536
     * addresses. A provider gives each household 56 bits. 256 households then share a network. With the default of 64
     * connections per address each household has four, and a network has a tenth of a worker's connections.
     */
    static final int NETWORK_FACTOR = 16;
    private static final long NETWORK_MASK = -1L << 16;
    /** A hash of three multiplications, as of SplittableRandom. */
    private static final long MIX_1 = 0xBF58_476D_1CE4_E5B9L;
    private static final long MIX_2 = 0x94D0_49BB_1331_11EBL;

    /** Limits of each address, or of each network. */
    private static final class Scope
    {
        /** There are no more of them than connections. */
        private final Long2LongHashMap openByKeyMap = new Long2LongHashMap(0);
        private final int openLimit;
        private final KeyedBuckets connections;
        private final KeyedBuckets logIns;

        Scope(final int openLimit, final int connectionRate, final int logInsAMinute, final int entries)
        {
            this.openLimit = openLimit;
            connections = new KeyedBuckets(
                entries, (count) -> TokenBuckets.ofRate(count, connectionRate, connectionRate * 5 / 2));
            logIns = new KeyedBuckets(entries, (count) ->
                TokenBuckets.ofInterval(count, TimeUnit.MINUTES.toNanos(1) / logInsAMinute, logInsAMinute));
        }

        private boolean tryConnect(final long key, final long nowNs)
        {
            return openByKeyMap.get(key) < openLimit && connections.tryTake(key, nowNs);
        }

        private void open(final long key)
        {
            openByKeyMap.put(key, openByKeyMap.get(key) + 1);
        }

        private void close(final long key)
        {
            final long left = openByKeyMap.remove(key) - 1;
            if (left > 0)
            {
                openByKeyMap.put(key, left);
            }
        }
    }

    private final Scope addresses;
    private final Scope networks;
    private final long seed;

    /**
     * Limits that workers share.
     *
     * @param openLimit      connections of an address.
     * @param connectionRate new connections of an address per second. Two and a half times as many at once.
     * @param logInsAMinute  log-ins of an address.
     * @param entries        number of addresses with remembered rates.
     * @param random         for a secret.
     */
    AddressLimits(
        final int openLimit,
        final int connectionRate,
        final int logInsAMinute,
        final int entries,
        final SecureRandom random)
    {
        addresses = new Scope(openLimit, connectionRate, logInsAMinute, entries);
        networks = new Scope(timesFactor(openLimit), timesFactor(connectionRate), timesFactor(logInsAMinute),
            entries / 8);
        seed = random.nextLong();
    }

    /** A limit near the largest number means no limit. */
    private static int timesFactor(final int limit)
    {
        return (int)Math.min(Integer.MAX_VALUE / 5L, (long)limit * NETWORK_FACTOR);
    }

    /**
     * Take a connection, which {@link #close} gives back. Returns false if its address or network has as many as it
     * may.
     */
    synchronized boolean tryOpen(final InetAddress address, final long nowNs)
    {
        final long bits = AddressBits.of(address);
        final long key = keyOf(bits);
        if (!addresses.tryConnect(key, nowNs))
        {
            return false;
        }
        if (!AddressBits.is4(bits))
        {
            final long network = keyOf(bits & NETWORK_MASK);
            if (!networks.tryConnect(network, nowNs))
            {
                addresses.connections.giveBack(key);
                return false;
            }
            networks.open(network);
        }
        addresses.open(key);
        return true;
    }

    synchronized void close(final InetAddress address)
    {
        final long bits = AddressBits.of(address);
        addresses.close(keyOf(bits));
        if (!AddressBits.is4(bits))
        {
            networks.close(keyOf(bits & NETWORK_MASK));
        }
    }

    /** Take a log-in of an address in digits. Returns false if the address or its network has as many as it may. */
    synchronized boolean tryLogIn(final String address, final long nowNs)
    {
        final long bits = AddressBits.of(address);
        final long key = keyOf(bits);
        if (!addresses.logIns.tryTake(key, nowNs))
        {
            return false;
        }
        if (AddressBits.is4(bits) || networks.logIns.tryTake(keyOf(bits & NETWORK_MASK), nowNs))
        {
            return true;
        }
        addresses.logIns.giveBack(key);
        return false;
    }

    private long keyOf(final long bits)
    {
        long hash = (bits ^ seed) * MIX_1;
        hash = (hash ^ hash >>> 31 ^ seed) * MIX_2;
        hash = (hash ^ hash >>> 27) * MIX_1;
        return hash ^ hash >>> 31;
    }
}
