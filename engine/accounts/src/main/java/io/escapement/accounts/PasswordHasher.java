package io.escapement.accounts;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.bouncycastle.crypto.generators.Argon2BytesGenerator;
import org.bouncycastle.crypto.params.Argon2Parameters;

/**
 * Hashes passwords with Argon2id. A fixed pool of reused memory blocks limits both concurrency and memory, for any
 * number of log-ins.
 */
final class PasswordHasher
{
    /** A small server can spare four times 19 MiB. */
    static final int MAX_CONCURRENT = 4;

    private final SecureRandom random;
    private final PasswordCost cost;
    private final BlockingQueue<Argon2BytesGenerator.BlockPool> memories = new ArrayBlockingQueue<>(MAX_CONCURRENT);
    private final PasswordHash dummy;
    private final AtomicLong hashes = new AtomicLong();
    private final AtomicInteger concurrent = new AtomicInteger();
    private final AtomicInteger maxConcurrent = new AtomicInteger();

    PasswordHasher(final SecureRandom random, final PasswordCost cost)
    {
        this.random = random;
        this.cost = cost;
        final int blocksOfOneKib = Math.max(cost.memoryKib(), PasswordCost.STANDARD.memoryKib());
        for (int i = 0; i < MAX_CONCURRENT; i++)
        {
            memories.add(new Argon2BytesGenerator.FixedBlockPool(blocksOfOneKib));
        }
        final byte[] salt = new byte[PasswordHash.SALT_LENGTH];
        final byte[] hash = new byte[PasswordHash.HASH_LENGTH];
        random.nextBytes(salt);
        random.nextBytes(hash);
        dummy = new PasswordHash(cost, salt, hash);
    }

    PasswordCost cost()
    {
        return cost;
    }

    /** A PHC string with a new salt. */
    String hash(final byte[] password)
    {
        final byte[] salt = new byte[PasswordHash.SALT_LENGTH];
        random.nextBytes(salt);
        return new PasswordHash(cost, salt, argon2(password, cost, salt, PasswordHash.HASH_LENGTH)).toPhc();
    }

    boolean verify(final byte[] password, final PasswordHash stored)
    {
        return MessageDigest.isEqual(
            stored.hash(), argon2(password, stored.cost(), stored.salt(), stored.hash().length));
    }

    /** Takes as long as for an existing account. Timing then does not reveal which accounts exist. */
    void verifyDummy(final byte[] password)
    {
        verify(password, dummy);
    }

    /** Hashes computed so far. */
    long hashes()
    {
        return hashes.get();
    }

    int maxConcurrent()
    {
        return maxConcurrent.get();
    }

    private byte[] argon2(final byte[] password, final PasswordCost with, final byte[] salt, final int length)
    {
        final Argon2BytesGenerator.BlockPool memory;
        try
        {
            memory = memories.take();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for memory to hash a password");
        }
        try
        {
            maxConcurrent.accumulateAndGet(concurrent.incrementAndGet(), Math::max);
            hashes.incrementAndGet();
            final Argon2BytesGenerator argon2 = new Argon2BytesGenerator();
            argon2.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                .withMemoryAsKB(with.memoryKib())
                .withIterations(with.iterations())
                .withParallelism(with.lanes())
                .withSalt(salt)
                .withBlockPool(memory)
                .build());
            final byte[] out = new byte[length];
            argon2.generateBytes(password, out);
            return out;
        }
        finally
        {
            concurrent.decrementAndGet();
            memories.add(memory);
        }
    }
}
