package io.escapement.accounts;

import java.security.SecureRandom;

/**
 * The networks from which each account was last logged in to, as hashes in a set-associative table of fixed size.
 *
 * <p>An account has at most {@value #OF_ACCOUNT} of them, so that the owner of one account cannot displace the networks
 * of others. If all ways of a set are taken, the least recently used way is evicted. In memory only: after a restart a
 * network is known again with the first log-in from it, for which a session token is enough. Thread safe.
 */
final class KnownPrefixes
{
    /** Home, work, a phone, and the network before. */
    static final int OF_ACCOUNT = 4;
    private static final int WAYS = 8;

    private final SeededHash hash;
    private final long[] accounts;
    private final long[] prefixes;
    /** Number of the last use, or 0 before the first use. */
    private final long[] uses;
    private long lastUse;

    KnownPrefixes(final int entries, final SecureRandom random)
    {
        hash = new SeededHash(random);
        final int ways = Math.max(1, entries / WAYS) * WAYS;
        accounts = new long[ways];
        prefixes = new long[ways];
        uses = new long[ways];
    }

    /** Whether the account was logged in to from this network. */
    synchronized boolean contains(final String account, final String prefix)
    {
        return slotOf(hash.of(account), hash.of(prefix)) >= 0;
    }

    /** The account was logged in to. */
    synchronized void add(final String account, final String prefix)
    {
        final long accountHash = hash.of(account);
        final long prefixHash = hash.of(prefix);
        final int known = slotOf(accountHash, prefixHash);
        final int slot = known >= 0 ? known : slotToReplace(accountHash);
        accounts[slot] = accountHash;
        prefixes[slot] = prefixHash;
        uses[slot] = ++lastUse;
    }

    private int slotOf(final long accountHash, final long prefixHash)
    {
        final int first = firstOf(accountHash);
        for (int i = first; i < first + WAYS; i++)
        {
            if (0 != uses[i] && accounts[i] == accountHash && prefixes[i] == prefixHash)
            {
                return i;
            }
        }
        return -1;
    }

    private int slotToReplace(final long accountHash)
    {
        final int first = firstOf(accountHash);
        int oldest = first;
        int oldestOwn = -1;
        int own = 0;
        for (int i = first; i < first + WAYS; i++)
        {
            oldest = uses[i] < uses[oldest] ? i : oldest;
            if (0 != uses[i] && accounts[i] == accountHash)
            {
                own++;
                oldestOwn = oldestOwn < 0 || uses[i] < uses[oldestOwn] ? i : oldestOwn;
            }
        }
        return own < OF_ACCOUNT ? oldest : oldestOwn;
    }

    private int firstOf(final long accountHash)
    {
        return (int)Long.remainderUnsigned(accountHash, accounts.length / WAYS) * WAYS;
    }
}
