package io.escapement.engine.internal.monitor;

import io.escapement.engine.internal.loop.CommandQueue;
import io.escapement.engine.internal.loop.LoopAgent;
import io.escapement.engine.internal.loop.LoopCounters;
import io.escapement.engine.internal.loop.LoopRecorder;
import java.util.function.Supplier;

/**
 * A loop, as the keeper sees it.
 *
 * @param number   of the loop.
 * @param agent    of the loop, asked only for what any thread may ask.
 * @param counters of the loop.
 * @param recorder of the loop.
 * @param inbox    of the loop.
 * @param thread   that runs it, null while nobody does.
 */
public record MonitoredLoop(
    int number,
    LoopAgent agent,
    LoopCounters counters,
    LoopRecorder recorder,
    CommandQueue inbox,
    Supplier<Thread> thread)
{
}
