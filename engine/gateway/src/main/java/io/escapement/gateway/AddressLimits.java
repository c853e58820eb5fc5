package io.escapement.gateway;

import io.escapement.ratelimit.TokenBuckets;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Connections and log-ins of each address, shared by all workers. An address of version 6 counts by its first 64 bits,
 * since a household has that many. Its callers come for each connection and log-in, not for messages, so it is locked.
 */
final class AddressLimits
{
    private static final long SWEEP_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long IDLE_NS = TimeUnit.MINUTES.toNanos(2);

    private static final class Entry
    {
        private final TokenBuckets connections;
        private final TokenBuckets logIns;
        private int open;
        private long lastNs;

        Entry(final int connectionRate, final int logInsAMinute)
        {
            connections = TokenBuckets.ofRate(1, connectionRate, connectionRate * 5 / 2);
            logIns = TokenBuckets.ofInterval(1, TimeUnit.MINUTES.toNanos(1) / logInsAMinute, logInsAMinute);
        }
    }

    private final Map<String, Entry> entryByAddressMap = new HashMap<>();
    private final int openLimit;
    private final int connectionRate;
    private final int logInsAMinute;
    private final int addressLimit;
    private boolean hasSwept;
    private long sweptNs;

    AddressLimits(final int openLimit, final int connectionRate, final int logInsAMinute, final int addressLimit)
    {
        this.openLimit = openLimit;
        this.connectionRate = connectionRate;
        this.logInsAMinute = logInsAMinute;
        this.addressLimit = addressLimit;
    }

    /** Take a connection, which {@link #close} gives back; false if the address has as many as it may. */
    synchronized boolean tryOpen(final String address, final long nowNs)
    {
        final Entry entry = entry(address, nowNs);
        if (null == entry || entry.open >= openLimit || !entry.connections.tryTake(0, nowNs))
        {
            return false;
        }
        entry.open++;
        return true;
    }

    synchronized void close(final String address)
    {
        final Entry entry = entryByAddressMap.get(keyOf(address));
        if (null != entry && entry.open > 0)
        {
            entry.open--;
        }
    }

    synchronized boolean tryLogIn(final String address, final long nowNs)
    {
        final Entry entry = entry(address, nowNs);
        return null != entry && entry.logIns.tryTake(0, nowNs);
    }

    synchronized int addresses()
    {
        return entryByAddressMap.size();
    }

    private Entry entry(final String address, final long nowNs)
    {
        if (!hasSwept || nowNs - sweptNs > SWEEP_NS)
        {
            sweep(nowNs);
        }
        final String key = keyOf(address);
        Entry entry = entryByAddressMap.get(key);
        if (null == entry)
        {
            if (entryByAddressMap.size() >= addressLimit)
            {
                return null;
            }
            entry = new Entry(connectionRate, logInsAMinute);
            entryByAddressMap.put(key, entry);
        }
        entry.lastNs = nowNs;
        return entry;
    }

    private void sweep(final long nowNs)
    {
        hasSwept = true;
        sweptNs = nowNs;
        final Iterator<Entry> entries = entryByAddressMap.values().iterator();
        while (entries.hasNext())
        {
            final Entry entry = entries.next();
            if (0 == entry.open && nowNs - entry.lastNs > IDLE_NS)
            {
                entries.remove();
            }
        }
    }

    /** The first four groups of an address of version 6, as Java writes it, or the whole of version 4. */
    private static String keyOf(final String address)
    {
        int at = -1;
        for (int i = 0; i < 4; i++)
        {
            at = address.indexOf(':', at + 1);
            if (at < 0)
            {
                return address;
            }
        }
        return address.substring(0, at);
    }
}
