package io.escapement.perf.rig;

import io.escapement.engine.Engine;
import io.escapement.engine.monitor.LoopRecorder;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.SingleWriterRecorder;

/** Takes what loops recorded. A recorder has one reader: this, or the monitor, whose listener this is then. */
@FunctionalInterface
public interface LoopIntervals
{
    /** Lateness of room-frames. */
    String FRAME_LATENESS = "frameLateness";
    /** Time of commands in the ring. */
    String RING_WAIT = "ringWait";
    /** Time of turns from their proposal until they run. */
    String COMMIT_WAIT = "commitWait";
    /** Commands of turns. */
    String TURN_COMMANDS = "turnCommands";

    /**
     * Take what a loop recorded since the last call.
     *
     * @param loop        from 0.
     * @param measurement one of the names here, which are the monitor's.
     * @return a new histogram.
     */
    Histogram take(int loop, String measurement);

    /** Those of an engine whose monitor reads no recorder. */
    static LoopIntervals of(final Engine engine)
    {
        return (loop, measurement) -> recorder(engine.recorder(loop), measurement).getIntervalHistogram();
    }

    private static SingleWriterRecorder recorder(final LoopRecorder loop, final String measurement)
    {
        return switch (measurement)
        {
            case FRAME_LATENESS -> loop.frameLateness();
            case RING_WAIT -> loop.ringWait();
            case COMMIT_WAIT -> loop.commitWait();
            case TURN_COMMANDS -> loop.turnCommands();
            default -> throw new IllegalArgumentException(measurement);
        };
    }
}
