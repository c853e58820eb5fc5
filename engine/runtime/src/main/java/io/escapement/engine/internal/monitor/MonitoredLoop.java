package io.escapement.engine.internal.monitor;

import io.escapement.engine.internal.loop.LoopAgent;
import io.escapement.engine.internal.loop.LoopCounters;
import io.escapement.engine.internal.queue.CommandQueue;
import io.escapement.engine.monitor.LoopRecorder;
import java.util.function.Supplier;

/**
 * The parts of a loop that the monitor reads.
 *
 * @param number   of the loop.
 * @param agent    of the loop. The monitor calls only methods that are safe in any thread.
 * @param counters of the loop.
 * @param recorder of the loop.
 * @param inbox    of the loop.
 * @param thread   that runs the loop, or null before it has started.
 * @param limits   of frame rates, by an operator.
 */
public record MonitoredLoop(
    int number,
    LoopAgent agent,
    LoopCounters counters,
    LoopRecorder recorder,
    CommandQueue inbox,
    Supplier<Thread> thread,
    RateLimits limits)
{
}
