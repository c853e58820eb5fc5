package io.escapement.engine.internal.loop;

import io.escapement.engine.monitor.LoopRecorder;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.SingleWriterRecorder;

/** The histograms of a loop. Its thread writes them. One other thread takes interval histograms. */
public final class LoopMeasurements implements LoopRecorder
{
    private static final long MAX_NS = TimeUnit.MINUTES.toNanos(1);
    private static final long MAX_COMMANDS = 1 << 20;
    private static final int SIGNIFICANT_DIGITS = 3;

    private final SingleWriterRecorder frameLateness = recorder(MAX_NS);
    private final SingleWriterRecorder frameWork = recorder(MAX_NS);
    private final SingleWriterRecorder ringWait = recorder(MAX_NS);
    private final SingleWriterRecorder commitWait = recorder(MAX_NS);
    private final SingleWriterRecorder commandWork = recorder(MAX_NS);
    private final SingleWriterRecorder turnCommands = recorder(MAX_COMMANDS);

    @Override
    public SingleWriterRecorder frameLateness()
    {
        return frameLateness;
    }

    @Override
    public SingleWriterRecorder frameWork()
    {
        return frameWork;
    }

    @Override
    public SingleWriterRecorder ringWait()
    {
        return ringWait;
    }

    @Override
    public SingleWriterRecorder commitWait()
    {
        return commitWait;
    }

    @Override
    public SingleWriterRecorder commandWork()
    {
        return commandWork;
    }

    @Override
    public SingleWriterRecorder turnCommands()
    {
        return turnCommands;
    }

    void onFrames(final long latenessNs, final long workNs, final int ran, final int missed)
    {
        frameLateness.recordValueWithCount(clamp(latenessNs), ran + missed);
        frameWork.recordValueWithCount(clamp(workNs / ran), ran);
    }

    void onWait(final long waitNs, final int count)
    {
        ringWait.recordValueWithCount(clamp(waitNs), count);
    }

    void onCommit(final long waitNs)
    {
        commitWait.recordValue(clamp(waitNs));
    }

    void onCommands(final long workNs, final int count)
    {
        commandWork.recordValueWithCount(clamp(workNs / count), count);
        turnCommands.recordValue(Math.min(MAX_COMMANDS, count));
    }

    private static long clamp(final long valueNs)
    {
        return Math.max(0, Math.min(MAX_NS, valueNs));
    }

    private static SingleWriterRecorder recorder(final long max)
    {
        return new SingleWriterRecorder(1, max, SIGNIFICANT_DIGITS);
    }
}
