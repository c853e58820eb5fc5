package io.escapement.engine.watch;

import io.escapement.engine.loop.CommandQueue;
import io.escapement.engine.loop.LoopAgent;
import io.escapement.engine.loop.LoopCounters;
import io.escapement.engine.loop.LoopRecorder;
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
public record WatchedLoop(
    int number,
    LoopAgent agent,
    LoopCounters counters,
    LoopRecorder recorder,
    CommandQueue inbox,
    Supplier<Thread> thread)
{
}
