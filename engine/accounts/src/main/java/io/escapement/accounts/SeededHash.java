package io.escapement.accounts;

import java.security.SecureRandom;

/** Hashes of names and addresses under a secret seed. Strangers then cannot choose keys that collide in a table. */
final class SeededHash
{
    private final long seed;

    SeededHash(final SecureRandom random)
    {
        seed = random.nextLong();
    }

    long of(final String key)
    {
        long hash = seed;
        for (int i = 0; i < key.length(); i++)
        {
            hash = (hash ^ key.charAt(i)) * 0x9E37_79B9_7F4A_7C15L;
            hash ^= hash >>> 29;
        }
        hash *= 0xBF58_476D_1CE4_E5B9L;
        return hash ^ hash >>> 32;
    }
}
