package io.escapement.rooms.log;

import org.agrona.DirectBuffer;

/**
 * What a host tells its log. Called on the host's thread, in the order
 * {@code turnStart (command | failedAt)* turnEnd stateHash?}, turn after turn.
 */
public interface TurnLog extends AutoCloseable
{
    /**
     * A turn begins. Called at the first command, timer or frame of the turn: a turn without any leaves no trace.
     *
     * @param turn  number of the turn: one more than the turn logged before it.
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
     * A room failed in this turn for a reason that a replay may not meet. In the log it stands as a FailedAt command
     * in front of the turn's other commands, so that a replay knows before it gets there.
     *
     * @param roomId   of the room.
     * @param callback the room's own count of callbacks, the failing one included.
     */
    void failedAt(long roomId, long callback);

    /**
     * The turn ends.
     *
     * @param outputHash running hash of all output up to here.
     */
    void turnEnd(long outputHash);

    /**
     * The host's state behind the turn that ended last. At most one a turn.
     *
     * @param turn the turn that ended last.
     * @param hash of the state.
     */
    void stateHash(long turn, long hash);

    /**
     * Ends the log in order. May be called twice. Closed within a turn the log stays unfinished, as it was not closed
     * in order.
     */
    @Override
    void close();
}
