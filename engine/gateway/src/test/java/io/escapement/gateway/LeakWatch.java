package io.escapement.gateway;

import io.escapement.testsupport.Tests;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Netty's leak detector at PARANOID in all tests of this module: one buffer that is collected before it was released
 * fails the test class. JUnit finds this class by META-INF/services, before any test loads Netty.
 */
public final class LeakWatch implements BeforeAllCallback, AfterAllCallback
{
    /** At levels below PARANOID too, where Netty takes samples and does not record each access. */
    private static final int EVERY_ONE = 1;
    private static final String SENTINEL = "sentinel of LeakWatch ";
    private static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();
    private static final AtomicInteger SENTINELS = new AtomicInteger();
    private static volatile boolean recordsAccesses = true;

    static
    {
        ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new CollectingFactory());
    }

    private static final class CollectingFactory extends ResourceLeakDetectorFactory
    {
        /** Netty's older form, which it still declares abstract. */
        @Override
        @SuppressWarnings("deprecation")
        public <T> ResourceLeakDetector<T> newResourceLeakDetector(
            final Class<T> resource, final int samplingInterval, final long maxActive)
        {
            return newResourceLeakDetector(resource, samplingInterval);
        }

        @Override
        public <T> ResourceLeakDetector<T> newResourceLeakDetector(
            final Class<T> resource, final int samplingInterval)
        {
            return new CollectingDetector<>(resource);
        }
    }

    /** Keeps reports in place of logging them. */
    private static final class CollectingDetector<T> extends ResourceLeakDetector<T>
    {
        CollectingDetector(final Class<T> resource)
        {
            super(resource, EVERY_ONE);
        }

        @Override
        public boolean isRecordEnabled()
        {
            return recordsAccesses && super.isRecordEnabled();
        }

        @Override
        protected boolean needReport()
        {
            return true;
        }

        @Override
        protected void reportTracedLeak(final String resourceType, final String records)
        {
            LEAKS.add(resourceType + records);
        }

        @Override
        protected void reportUntracedLeak(final String resourceType)
        {
            LEAKS.add(resourceType);
        }
    }

    @Override
    public void beforeAll(final ExtensionContext context)
    {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        recordsAccesses = true;
    }

    @Override
    public void afterAll(final ExtensionContext context)
    {
        final List<String> leaks = collect();
        if (!leaks.isEmpty())
        {
            throw new AssertionError(leaks.size() + " buffers leaked, the first:\n" + leaks.get(0));
        }
    }

    /**
     * Record where a buffer was made, but not each access to it, which takes ten times as long. The level stays
     * PARANOID, at which every buffer is tracked.
     */
    static void recordCreationOnly()
    {
        recordsAccesses = false;
    }

    /** Every leak until now, each reported once. */
    static List<String> collect()
    {
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        recordsAccesses = true;
        // References of one collection arrive in any order. The second collection's arrive behind all of the first.
        awaitSentinel();
        awaitSentinel();
        final List<String> leaks = new ArrayList<>(LEAKS);
        LEAKS.removeAll(leaks);
        return leaks;
    }

    /** Leak a buffer and wait until it is reported: this shows that the detector sees leaks. */
    private static void awaitSentinel()
    {
        // The detector reports records that differ only once.
        final String name = SENTINEL + SENTINELS.incrementAndGet();
        PooledByteBufAllocator.DEFAULT.buffer(1).touch(name);
        System.gc();
        Tests.await(() ->
        {
            // An allocation makes the detector look for leaks.
            PooledByteBufAllocator.DEFAULT.buffer(1).release();
            return LEAKS.removeIf((leak) -> leak.contains(name + "\n"));
        }, name);
    }
}
