package io.escapement.perf.crowd;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** One recorder per loop, and whether the loops of the peer are in a measured part. */
final class TurnRecorders
{
    final List<TurnRecorder> all = new CopyOnWriteArrayList<>();
    /** The recorder of the calling loop's thread. */
    final ThreadLocal<TurnRecorder> ofThisLoop;
    volatile boolean isMeasuring;

    TurnRecorders(final DriverMeter driver)
    {
        ofThisLoop = ThreadLocal.withInitial(() ->
        {
            final TurnRecorder recorder = new TurnRecorder(driver);
            all.add(recorder);
            return recorder;
        });
    }
}
