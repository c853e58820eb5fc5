package io.escapement.engine.internal.loop;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.SingleWriterRecorder;

/**
 * How late a loop was: histograms, in nanoseconds but for the commands of a turn, written by the loop, taken at
 * intervals by an observer. Every room-frame counts, those that never ran too, with the lateness at which they were
 * given up.
 */
public final class LoopRecorder
{
    private static final long LONGEST_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long MOST_COMMANDS = 1 << 20;
    private static final int DIGITS = 3;

    private final SingleWriterRecorder frameLateness = recorder(LONGEST_NS);
    private final SingleWriterRecorder frameWork = recorder(LONGEST_NS);
    private final SingleWriterRecorder ringWait = recorder(LONGEST_NS);
    private final SingleWriterRecorder commandWork = recorder(LONGEST_NS);
    private final SingleWriterRecorder turnCommands = recorder(MOST_COMMANDS);

    /**
     * From a frame's deadline until its output was sent, once for each room-frame.
     *
     * @return the recorder.
     */
    public SingleWriterRecorder frameLateness()
    {
        return frameLateness;
    }

    /**
     * What the frames of a phase group took, divided among them.
     *
     * @return the recorder.
     */
    public SingleWriterRecorder frameWork()
    {
        return frameWork;
    }

    /**
     * From the admission of a command at the edge until its turn.
     *
     * @return the recorder.
     */
    public SingleWriterRecorder ringWait()
    {
        return ringWait;
    }

    /**
     * What the commands of a turn took, divided among them.
     *
     * @return the recorder.
     */
    public SingleWriterRecorder commandWork()
    {
        return commandWork;
    }

    /**
     * How many commands a turn ran, of those that ran any.
     *
     * @return the recorder.
     */
    public SingleWriterRecorder turnCommands()
    {
        return turnCommands;
    }

    void frames(final long latenessNs, final long workNs, final int ran, final int missed)
    {
        frameLateness.recordValueWithCount(within(latenessNs), ran + missed);
        frameWork.recordValueWithCount(within(workNs / ran), ran);
    }

    void waited(final long waitNs, final int count)
    {
        ringWait.recordValueWithCount(within(waitNs), count);
    }

    void commands(final long workNs, final int count)
    {
        commandWork.recordValueWithCount(within(workNs / count), count);
        turnCommands.recordValue(Math.min(MOST_COMMANDS, count));
    }

    private static long within(final long valueNs)
    {
        return Math.max(0, Math.min(LONGEST_NS, valueNs));
    }

    private static SingleWriterRecorder recorder(final long most)
    {
        return new SingleWriterRecorder(1, most, DIGITS);
    }
}
