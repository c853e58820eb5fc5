package io.escapement.perf.crowd;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** One recorder per loop, and whether the loops are in a measured part. */
final class TurnRecorders
{
    final List<TurnRecorder> all = new CopyOnWriteArrayList<>();
    private final ThreadLocal<TurnRecorder> ofThread;
    private volatile boolean isMeasuring;

    TurnRecorders(final DriverMeter driver)
    {
        ofThread = ThreadLocal.withInitial(() ->
        {
            final TurnRecorder recorder = new TurnRecorder(driver);
            all.add(recorder);
            return recorder;
        });
    }

    /** The recorder of the calling loop's thread. */
    TurnRecorder ofThisLoop()
    {
        return ofThread.get();
    }

    boolean isMeasuring()
    {
        return isMeasuring;
    }

    void isMeasuring(final boolean value)
    {
        isMeasuring = value;
    }
}
