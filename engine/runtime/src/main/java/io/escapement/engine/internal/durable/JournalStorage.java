package io.escapement.engine.internal.durable;

import java.util.function.Function;

/**
 * The disk and the memory of a machine, for a journal on it.
 *
 * @param disk   the directory of the journal.
 * @param lock   of the directory, released when the journal is closed.
 * @param tails  finds the memory of tails by its name in the journal's files. Null for memory that does not outlive the
 *               process.
 * @param bootId number of the machine's start, or 0 without a number.
 */
public record JournalStorage(
    JournalDisk disk, AutoCloseable lock, Function<String, TailStore> tails, long bootId)
{
    /**
     * Of a simulated machine.
     *
     * @param disk   with the journal.
     * @param tails  its shared memory.
     * @param bootId other than 0, and another after each start of the machine.
     */
    public static JournalStorage inMemory(final MemoryDisk disk, final MemoryTails tails, final long bootId)
    {
        return new JournalStorage(
            disk, () -> { }, (name) -> null == name ? new PrivateTails() : tails, bootId);
    }
}
