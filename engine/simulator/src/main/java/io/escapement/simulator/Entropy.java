package io.escapement.simulator;

import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.SecureRandomSpi;
import java.security.Security;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.agrona.UnsafeApi;

/**
 * Gives a thread random numbers from a seed, where code under test takes them from the JVM: tokens, nonces and room
 * seeds from {@link SecureRandom}, and Aeron's session ids from {@link ThreadLocalRandom}. Other threads keep theirs.
 */
final class Entropy implements AutoCloseable
{
    private static final String NAME = "SimulatedEntropy";
    private static final String ALGORITHM = "Simulated";
    private static final long SEED_OFFSET = UnsafeApi.objectFieldOffset(Thread.class, "threadLocalRandomSeed");
    private static final long ID_OFFSET = UnsafeApi.objectFieldOffset(Thread.class, "tid");
    private static final long THREAD_ID = 1L << Integer.SIZE;
    private static final ThreadLocal<SplittableRandom> RANDOM = new ThreadLocal<>();
    private static final SecureRandom REAL = newReal();

    /** Take over from the JVM's. */
    public Entropy()
    {
        Security.insertProviderAt(new SimulatedProvider(), 1);
    }

    /**
     * Run something with the numbers of a seed. The JDK adds a thread's id to each of them. Until this returns, the
     * calling thread has another id, the same for all callers of this method.
     *
     * @param seed of all numbers.
     * @param task to run.
     * @return its result.
     */
    public long run(final long seed, final LongSupplier task)
    {
        final Thread thread = Thread.currentThread();
        final long id = thread.getId();
        start(seed);
        UnsafeApi.putLong(thread, ID_OFFSET, THREAD_ID);
        try
        {
            return task.getAsLong();
        }
        finally
        {
            UnsafeApi.putLong(thread, ID_OFFSET, id);
        }
    }

    private static void start(final long seed)
    {
        RANDOM.set(new SplittableRandom(seed));
        // Initialises the thread's fields, or the first use would do so and lose the seed.
        ThreadLocalRandom.current();
        UnsafeApi.putLong(Thread.currentThread(), SEED_OFFSET, seed);
    }

    @Override
    public void close()
    {
        Security.removeProvider(NAME);
    }

    private static SecureRandom newReal()
    {
        try
        {
            return SecureRandom.getInstance("DRBG");
        }
        catch (final NoSuchAlgorithmException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private static final class SimulatedProvider extends Provider
    {
        private static final long serialVersionUID = 1L;

        SimulatedProvider()
        {
            super(NAME, "1", "random numbers from a seed");
            put("SecureRandom." + ALGORITHM, Spi.class.getName());
        }
    }

    /** Made by the JVM for each SecureRandom. */
    public static final class Spi extends SecureRandomSpi
    {
        private static final long serialVersionUID = 1L;

        @Override
        protected void engineSetSeed(final byte[] seed)
        {
            // The simulation's seed counts.
        }

        @Override
        protected void engineNextBytes(final byte[] bytes)
        {
            final SplittableRandom random = RANDOM.get();
            if (null == random)
            {
                REAL.nextBytes(bytes);
            }
            else
            {
                random.nextBytes(bytes);
            }
        }

        @Override
        protected byte[] engineGenerateSeed(final int length)
        {
            final byte[] seed = new byte[length];
            engineNextBytes(seed);
            return seed;
        }
    }
}
