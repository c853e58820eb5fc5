package io.escapement.accounts;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Argon2id hashes, PHC strings and limits. */
class PasswordHasherTest
{
    private final PasswordHasher hasher = new PasswordHasher(new SecureRandom(), World.CHEAP);

    @Test
    void shouldMatchTheReferenceImplementation()
    {
        final PasswordHash known = PasswordHash.parse(
            "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4");
        assertEquals("9dfeb910e80bad0311fee20f9c0e2b12c17987b4cac90c2ef54d5b3021c68bfe",
            HexFormat.of().formatHex(known.hash()));
        assertTrue(hasher.verify(World.bytes("password"), known));
        assertFalse(hasher.verify(World.bytes("Password"), known));
        assertEquals("$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4",
            known.toPhc());
    }

    @Test
    void shouldSaltEachHash()
    {
        final String first = hasher.hash(World.bytes(World.PASSWORD));
        assertNotEquals(first, hasher.hash(World.bytes(World.PASSWORD)));
        assertTrue(hasher.verify(World.bytes(World.PASSWORD), PasswordHash.parse(first)));
        assertEquals(PasswordHash.SALT_LENGTH, PasswordHash.parse(first).salt().length);
    }

    @Test
    void shouldUseTheRecommendedCost()
    {
        assertEquals(new PasswordCost(19_456, 2, 1), PasswordCost.STANDARD);
        final PasswordHasher standard = new PasswordHasher(new SecureRandom(), PasswordCost.STANDARD);
        final String hash = standard.hash(World.bytes(World.PASSWORD));
        assertTrue(hash.startsWith("$argon2id$v=19$m=19456,t=2,p=1$"), "the hash contains its cost");
        assertTrue(standard.verify(World.bytes(World.PASSWORD), PasswordHash.parse(hash)));
        assertFalse(PasswordCost.STANDARD.isDemo());
        assertTrue(PasswordCost.DEMO.isDemo());
    }

    @Test
    void shouldLimitConcurrency() throws InterruptedException
    {
        final List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 12; i++)
        {
            threads.add(new Thread(() ->
            {
                for (int j = 0; j < 20; j++)
                {
                    hasher.hash(World.bytes(World.PASSWORD));
                }
            }));
        }
        threads.forEach(Thread::start);
        for (final Thread thread : threads)
        {
            thread.join();
        }
        assertEquals(240, hasher.hashes());
        assertTrue(hasher.maxConcurrent() > 1 && hasher.maxConcurrent() <= 4, "concurrent: " + hasher.maxConcurrent());
    }

    @Test
    void shouldReuseMemory()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long id = Thread.currentThread().getId();
        for (int i = 0; i < 2 * PasswordHasher.MAX_CONCURRENT; i++)
        {
            hasher.hash(World.bytes(World.PASSWORD));
        }
        final long before = threads.getThreadAllocatedBytes(id);
        hasher.hash(World.bytes(World.PASSWORD));
        final long allocated = threads.getThreadAllocatedBytes(id) - before;
        assertTrue(allocated < World.CHEAP.memoryKib() * 1_024L / 4, () -> "bytes per hash: " + allocated);
    }

    @Test
    void shouldRefuseOtherStringsWithoutQuotingThem()
    {
        for (final String bad : new String[]{"", "s3cret", "$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIP",
            "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$"})
        {
            final DatabaseException wrong = assertThrows(DatabaseException.class, () -> PasswordHash.parse(bad));
            assertEquals("a stored password hash is no Argon2id PHC string", wrong.getMessage());
        }
        assertThrows(IllegalArgumentException.class, () -> PasswordHash.parse(
            "$argon2id$v=19$m=9999999,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4"));
    }
}
