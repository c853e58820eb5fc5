package io.escapement.engine.internal.durable;

import org.agrona.DirectBuffer;

/** Receives the committed messages of a {@link CommitLog}, in order. */
@FunctionalInterface
public interface ProposalHandler
{
    /**
     * A committed message. It counts as taken when the call begins, so an exception does not deliver it again.
     *
     * @param position in bytes of the log, behind the message.
     * @param buffer   with the message, valid during the call; do not modify it.
     * @param offset   of its message header.
     * @param length   of the message in bytes.
     */
    void onProposal(long position, DirectBuffer buffer, int offset, int length);
}
