package io.escapement.engine.internal.durable;

import org.agrona.DirectBuffer;

/**
 * The log of one loop, written before anything runs: the loop proposes a turn, the log commits it as durably as its
 * options demand, and only then the loop runs it. Only what {@link #poll} has passed on may run.
 *
 * <p>Messages are Proposal and Failed of {@code room.xml}, each with its message header. The log reads only the header.
 * Proposed messages are committed in the order of proposing, without a gap.
 *
 * <p>All methods belong to the loop's thread, except {@link #failure()}, which any thread may call. Only
 * {@link #close()} waits or allocates.
 */
public interface CommitLog extends AutoCloseable
{
    /** Result of {@link #propose} when the log has no room now: poll, and propose the same bytes in a later cycle. */
    long BACK_PRESSURED = -1;

    /** Result of {@link #propose} after a write or a sync has failed. It stays so until a restart. */
    long FAILED = -2;

    /**
     * Propose a message. Its bytes are copied.
     *
     * @param buffer with the message.
     * @param offset of its message header.
     * @param length in bytes, from the length of a message header to {@link #maxProposalLength()}.
     * @return position after the message, {@link #BACK_PRESSURED} or {@link #FAILED}.
     */
    long propose(DirectBuffer buffer, int offset, int length);

    /**
     * Pass on messages that were committed since the last call. Messages proposed by the handler are passed on by a
     * later call.
     *
     * @param handler of the messages.
     * @param limit   the most messages to pass on.
     * @return number of messages that were passed on.
     */
    int poll(ProposalHandler handler, int limit);

    /** The longest message that can be proposed, in bytes. */
    int maxProposalLength();

    /** Number of messages that were proposed and that {@link #poll} has not yet passed on. */
    int underWay();

    /** Position after the last proposed message. */
    long proposedPosition();

    /** Position up to which messages are committed. {@link #poll} may not have passed on all of them. */
    long committedPosition();

    /** The first failure of a write or a sync, or null. At SYNCED the log commits no message after it. */
    Throwable failure();

    /** Make the proposed messages durable, unless the log has failed, and release all resources. Safe to call twice. */
    @Override
    void close();
}
