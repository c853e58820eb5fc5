package io.escapement.engine.internal.queue;

import com.lmax.disruptor.BusySpinWaitStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two producers share a queue of two slots, which is read afterwards. The results are the values in order. */
@JCStressTest
@Outcome(id = {"1, 2", "2, 1"}, expect = Expect.ACCEPTABLE, desc = "Each command came once.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A command was lost or overwritten.")
@State
public class ProducersStress
{
    private static final int SLOTS = 2;
    private static final UnsafeBuffer FIRST = bytes(1);
    private static final UnsafeBuffer SECOND = bytes(2);

    private final CommandQueue queue =
        CommandQueue.multiProducer(SLOTS, Integer.BYTES, new BusySpinWaitStrategy());

    /** The first producer. */
    @Actor
    public void offerFirst()
    {
        queue.offer(ControlSignal.REPLY, null, FIRST, 0, Integer.BYTES);
    }

    /** The second producer. */
    @Actor
    public void offerSecond()
    {
        queue.offer(ControlSignal.REPLY, null, SECOND, 0, Integer.BYTES);
    }

    /** The reader, after both. */
    @Arbiter
    public void poll(final II_Result result)
    {
        queue.poll((slot, sequence, isEndOfBatch) ->
        {
            final int value = queue.block().getInt(slot.offset);
            if (0 == sequence)
            {
                result.r1 = value;
            }
            else
            {
                result.r2 = value;
            }
            return true;
        });
    }

    private static UnsafeBuffer bytes(final int value)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[Integer.BYTES]);
        buffer.putInt(0, value);
        return buffer;
    }
}
