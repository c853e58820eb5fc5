package io.escapement.engine.monitor;

import org.HdrHistogram.SingleWriterRecorder;

/**
 * The latency histograms of a loop, in nanoseconds except {@link #turnCommands()}. The loop writes them, and one reader
 * may take interval histograms. The reader is the monitor if it writes a histogram log, serves metrics or has listeners
 * ({@link MonitorContext#intervals}). Otherwise it is the application.
 */
public interface LoopRecorder
{
    /**
     * Time from a frame's deadline until its output was sent, once per room-frame. To prevent coordinated omission,
     * skipped frames also count, with their lateness at the skip.
     */
    SingleWriterRecorder frameLateness();

    /** Work per room-frame: the time that a phase group took, divided by its frames. */
    SingleWriterRecorder frameWork();

    /** Time that a command waited in the ring, from its admission by the edge until its turn. */
    SingleWriterRecorder ringWait();

    /**
     * Time of a turn from its proposal to the log until it runs, of durable loops. It is 0 if the log commits at once,
     * as a journal at RECORDED does.
     */
    SingleWriterRecorder commitWait();

    /** Work per command: the time that a turn's commands took, divided by their number. */
    SingleWriterRecorder commandWork();

    /** Commands per turn, of turns that ran any. */
    SingleWriterRecorder turnCommands();
}
