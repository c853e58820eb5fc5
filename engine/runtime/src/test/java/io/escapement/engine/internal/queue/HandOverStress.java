package io.escapement.engine.internal.queue;

import com.lmax.disruptor.BusySpinWaitStrategy;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A producer publishes two commands at once while the reader polls. The results are the values read, 0 for none, and
 * {@link #TORN} for a command of which not everything was visible.
 */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "Nothing was published yet.")
@Outcome(id = "1, 2", expect = Expect.ACCEPTABLE, desc = "Both were published.")
@Outcome(expect = Expect.FORBIDDEN, desc = "A command was torn, or one of the two came without the other.")
@State
public class HandOverStress
{
    private static final int TORN = -1;
    private static final int COMMANDS = 2;
    private static final Object ATTACHMENT = new Object();

    private final CommandQueue queue =
        CommandQueue.singleProducer(COMMANDS, Integer.BYTES, new BusySpinWaitStrategy());

    /** The producer. */
    @Actor
    public void publish()
    {
        final long first = queue.tryClaim(COMMANDS);
        for (int i = 0; i < COMMANDS; i++)
        {
            final CommandQueue.Slot slot = queue.slot(first + i);
            slot.signal(ControlSignal.REPLY);
            slot.attachment(ATTACHMENT);
            slot.length(Integer.BYTES);
            queue.block().putInt(slot.offset, i + 1);
        }
        queue.publish(first, COMMANDS);
    }

    /** The reader. */
    @Actor
    public void poll(final II_Result result)
    {
        queue.poll((slot, sequence, isEndOfBatch) ->
        {
            final boolean isWhole = ControlSignal.REPLY == slot.signal() && Integer.BYTES == slot.length() &&
                ATTACHMENT == slot.takeAttachment();
            final int value = isWhole ? queue.block().getInt(slot.offset) : TORN;
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
}
