package io.escapement.accounts;

import java.security.SecureRandom;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The networks of accounts in a bounded table. */
class KnownPrefixesTest
{
    @Test
    void shouldKnowTheLastNetworksOfAnAccount()
    {
        final KnownPrefixes known = new KnownPrefixes(1_024, new SecureRandom());
        assertFalse(known.contains("ann", "10.0.0"));
        for (int i = 0; i < KnownPrefixes.OF_ACCOUNT; i++)
        {
            known.add("ann", "10.0." + i);
        }
        known.add("ann", "10.0.0");
        known.add("ann", "10.0.9");
        assertTrue(known.contains("ann", "10.0.0"), "used later than the others");
        assertTrue(known.contains("ann", "10.0.9"));
        assertFalse(known.contains("ann", "10.0.1"), "the least recently used one");
        assertFalse(known.contains("ben", "10.0.0"));
    }

    @Test
    void shouldNotLetAnAccountDisplaceTheNetworksOfOthers()
    {
        // One set: all accounts share it.
        final KnownPrefixes known = new KnownPrefixes(8, new SecureRandom());
        known.add("ann", "10.0.0");
        known.add("ben", "10.0.0");
        for (int i = 0; i < 1_000; i++)
        {
            known.add("mallory", "192.168." + i);
        }
        assertTrue(known.contains("ann", "10.0.0"));
        assertTrue(known.contains("ben", "10.0.0"));
        assertTrue(known.contains("mallory", "192.168.999"));
    }

    @Test
    void shouldForgetTheLeastRecentlyUsedNetworkWhenItIsFull()
    {
        final KnownPrefixes known = new KnownPrefixes(8, new SecureRandom());
        known.add("ann", "10.0.0");
        known.add("ben", "10.0.0");
        known.add("ann", "10.0.0");
        for (int i = 0; i < 7; i++)
        {
            known.add("other" + i, "10.0.0");
        }
        assertTrue(known.contains("ann", "10.0.0"));
        assertFalse(known.contains("ben", "10.0.0"));
    }
}
