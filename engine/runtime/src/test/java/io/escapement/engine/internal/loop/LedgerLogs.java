package io.escapement.engine.internal.loop;

import io.escapement.engine.internal.durable.CommitLog;
import java.util.function.Function;
import org.agrona.DirectBuffer;

/** The logs of a {@link LedgerRig}, which outlive what it kills. Stepped by hand. */
interface LedgerLogs
{
    /** The log that a loop proposes to. */
    CommitLog log(int loop);

    /** Let some of what is proposed be committed. */
    void step(int loop);

    /** All incarnations end here. Turns that were not durable may be lost. */
    void kill();

    /**
     * Whether a kill loses nothing of a loop's log now.
     *
     * @param loop its number.
     */
    boolean isWhole(int loop);

    /**
     * Make the agent of the next incarnation, have it run what the log has, and lead.
     *
     * @param loop  its number.
     * @param maker makes it from a snapshot, or from null.
     */
    LoopAgent begin(int loop, Function<DirectBuffer, LoopAgent> maker);

    /** Number of loops that have begun with a snapshot. */
    long restored();

    /** Propose the first turn of an incarnation, once all loops have begun. */
    void lead(int loop, LoopAgent agent);
}
