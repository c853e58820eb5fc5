package io.escapement.engine.internal.durable;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Journals of several loops that run at a time. */
class EachLoopTest
{
    private static final int LOOPS = 7;

    private final AtomicIntegerArray runs = new AtomicIntegerArray(LOOPS);

    @Test
    void shouldRunTwoLoopsAtATime()
    {
        assumeTrue(Runtime.getRuntime().availableProcessors() > 1, "one core runs one loop at a time");
        final CyclicBarrier barrier = new CyclicBarrier(2);
        EachLoop.run(2, (loop) ->
        {
            try
            {
                barrier.await();
            }
            catch (final InterruptedException | BrokenBarrierException ex)
            {
                throw new IllegalStateException(ex);
            }
        });
    }

    @Test
    void shouldRunEveryLoopOnceAndThrowTheFirstFailure()
    {
        final Error first = new OutOfMemoryError("planted");
        assertSame(first, assertThrows(OutOfMemoryError.class, () -> EachLoop.run(LOOPS, (loop) ->
        {
            runs.incrementAndGet(loop);
            if (2 == loop)
            {
                throw first;
            }
            if (4 == loop)
            {
                throw new IllegalArgumentException("planted");
            }
        })));
        for (int loop = 0; loop < LOOPS; loop++)
        {
            assertEquals(1, runs.get(loop), "loop " + loop);
        }
    }

    @Test
    void shouldEndAllLoopsOfAThreadThatIsInterrupted()
    {
        Thread.currentThread().interrupt();
        EachLoop.run(LOOPS, runs::incrementAndGet);
        assertTrue(Thread.interrupted(), "the interrupt is kept");
        for (int loop = 0; loop < LOOPS; loop++)
        {
            assertEquals(1, runs.get(loop), "loop " + loop);
        }
    }
}
