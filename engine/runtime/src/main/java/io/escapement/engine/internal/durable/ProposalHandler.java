package io.escapement.engine.internal.durable;

import org.agrona.DirectBuffer;

/** Receives the committed messages of a {@link CommitLog}, in order. */
@FunctionalInterface
public interface ProposalHandler
{
    /**
     * A committed message. It counts as taken when the call starts. It is not redelivered after an exception.
     *
     * @param position in bytes of the log, after the message.
     * @param buffer   with the message, valid during the call. Do not modify it.
     * @param offset   of its message header.
     * @param length   of the message in bytes.
     */
    void onProposal(long position, DirectBuffer buffer, int offset, int length);
}
