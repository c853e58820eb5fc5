package io.escapement.engine.internal.queue;

import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import com.lmax.disruptor.SequenceBarrier;
import com.lmax.disruptor.WaitStrategy;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/**
 * A reader parks while a producer publishes: the reader finds the command, or the producer finds the reader. The first
 * result is whether the reader found the command, the second whether the producer found the reader.
 */
@JCStressTest
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "The reader parks and is unparked.")
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "The reader does not park.")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "The reader does not park, and the signal is spare.")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "The wake-up is lost.")
@State
public class WakeupStress implements WaitStrategy
{
    private final Wakeup wakeup = new Wakeup();
    private final RingBuffer<Object> ring = RingBuffer.createSingleProducer(Object::new, 1, this);
    private boolean hasFoundReader;
    private volatile boolean isPublished;

    /** The reader. */
    @Actor
    public void park(final ZZ_Result result)
    {
        wakeup.park(0, () ->
        {
            final boolean isEmpty = ring.getCursor() < 0;
            result.r1 = !isEmpty;
            // A reader that parks stays visible to producers until it is unparked.
            while (!isPublished)
            {
                Thread.onSpinWait();
            }
            return isEmpty;
        });
    }

    /** The producer. */
    @Actor
    public void publish(final ZZ_Result result)
    {
        ring.publish(ring.next());
        result.r2 = hasFoundReader;
        isPublished = true;
    }

    /** Called by the ring after it has published. */
    @Override
    public void signalAllWhenBlocking()
    {
        hasFoundReader = wakeup.wakeUp();
    }

    /** Not used: the reader polls. */
    @Override
    public long waitFor(
        final long sequence, final Sequence cursor, final Sequence dependentSequence, final SequenceBarrier barrier)
    {
        throw new UnsupportedOperationException();
    }
}
