package io.escapement.rooms.log;

import org.agrona.DirectBuffer;

/**
 * Records the turns of a host. Called on the host's thread, in the order
 * {@code turnStart (command | failedAt)* turnEnd stateHash?} for each turn.
 */
public interface TurnLog extends AutoCloseable
{
    /** Keeps nothing. A host hashes its output only if it has a log. */
    TurnLog NOTHING = new TurnLog()
    {
        @Override
        public void turnStart(final long turn, final long nowNs)
        {
        }

        @Override
        public void command(final DirectBuffer buffer, final int offset, final int length)
        {
        }

        @Override
        public void failedAt(final long roomId, final long callback)
        {
        }

        @Override
        public void turnEnd(final long outputHash)
        {
        }

        @Override
        public void stateHash(final long turn, final long hash)
        {
        }

        @Override
        public void close()
        {
        }
    };

    /**
     * A turn begins. Called before its first command, timer or frame; a turn without any is not recorded.
     *
     * @param turn  number of the turn: one more than that of the turn logged before.
     * @param nowNs time of the turn in nanoseconds of host time; never less than before.
     */
    void turnStart(long turn, long nowNs);

    /**
     * A command of the turn. The bytes are copied before the call returns.
     *
     * @param buffer that holds the command.
     * @param offset of the command's message header.
     * @param length of the command in bytes, the header included.
     */
    void command(DirectBuffer buffer, int offset, int length);

    /**
     * A room failed in this turn for a reason that a replay may not reproduce, such as a stack overflow. The log holds
     * a FailedAt command before the other commands of the turn, so a replay fails the room at the same callback.
     *
     * @param roomId   of the room.
     * @param callback the room's count of callbacks, including the failing one.
     */
    void failedAt(long roomId, long callback);

    /**
     * The turn ends.
     *
     * @param outputHash running hash of all output so far.
     */
    void turnEnd(long outputHash);

    /**
     * Record the hash of the host's state after the turn that ended last. At most once for each turn.
     *
     * @param turn the turn that ended last.
     * @param hash of the state.
     */
    void stateHash(long turn, long hash);

    /** End the log. A log closed within a turn stays unfinished. Safe to call twice. */
    @Override
    void close();
}
