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
 * Hashes passwords with Argon2id. At most a few at once, each in a memory that is kept and used again: the memory that
 * all log-ins together take is bounded, however many there are.
 */
final class PasswordHasher
{
    /** Four times 19 MiB is what a small server can spare. */
    static final int MAX_AT_ONCE = 4;

    private final SecureRandom random;
    private final PasswordCost cost;
    private final BlockingQueue<Argon2BytesGenerator.BlockPool> memories = new ArrayBlockingQueue<>(MAX_AT_ONCE);
    private final PasswordHash dummy;
    private final AtomicLong hashes = new AtomicLong();
    private final AtomicInteger atOnce = new AtomicInteger();
    private final AtomicInteger mostAtOnce = new AtomicInteger();

    PasswordHasher(final SecureRandom random, final PasswordCost cost)
    {
        this.random = random;
        this.cost = cost;
        final int blocksOfOneKib = Math.max(cost.memoryKib(), PasswordCost.STANDARD.memoryKib());
        for (int i = 0; i < MAX_AT_ONCE; i++)
        {
            memories.add(new Argon2BytesGenerator.FixedBlockPool(blocksOfOneKib));
        }
        final byte[] salt = new byte[PasswordHash.SALT_LENGTH];
        final byte[] nothing = new byte[PasswordHash.HASH_LENGTH];
        random.nextBytes(salt);
        random.nextBytes(nothing);
        dummy = new PasswordHash(cost, salt, nothing);
    }

    PasswordCost cost()
    {
        return cost;
    }

    /** A new hash at the cost that new passwords have. */
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

    /** As much work as for a user that there is, so that the time does not tell which there are. */
    void verifyDummy(final byte[] password)
    {
        verify(password, dummy);
    }

    /** How many hashes were made. */
    long hashes()
    {
        return hashes.get();
    }

    int mostAtOnce()
    {
        return mostAtOnce.get();
    }

    private byte[] argon2(final byte[] password, final PasswordCost at, final byte[] salt, final int length)
    {
        final Argon2BytesGenerator.BlockPool memory;
        try
        {
            memory = memories.take();
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while other passwords were hashed");
        }
        try
        {
            mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            hashes.incrementAndGet();
            final Argon2BytesGenerator argon2 = new Argon2BytesGenerator();
            argon2.init(new Argon2Parameters.Builder(Argon2Parameters.ARGON2_id)
                .withVersion(Argon2Parameters.ARGON2_VERSION_13)
                .withMemoryAsKB(at.memoryKib())
                .withIterations(at.iterations())
                .withParallelism(at.lanes())
                .withSalt(salt)
                .withBlockPool(memory)
                .build());
            final byte[] out = new byte[length];
            argon2.generateBytes(password, out);
            return out;
        }
        finally
        {
            atOnce.decrementAndGet();
            memories.add(memory);
        }
    }
}
