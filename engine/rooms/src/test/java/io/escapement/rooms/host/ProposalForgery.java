package io.escapement.rooms.host;

import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.ProposalDecoder;
import io.escapement.rooms.internal.records.RecordChecksum;
import org.agrona.concurrent.UnsafeBuffer;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/** Changes a finished proposal, with a right checksum. */
final class ProposalForgery
{
    private static final int CHECK = MessageHeaderDecoder.ENCODED_LENGTH + ProposalDecoder.checkEncodingOffset();
    private static final int NUMBER = MessageHeaderDecoder.ENCODED_LENGTH + ProposalDecoder.proposalEncodingOffset();

    private ProposalForgery()
    {
    }

    static UnsafeBuffer numbered(final byte[] proposal, final long number)
    {
        final UnsafeBuffer copy = new UnsafeBuffer(proposal.clone());
        copy.putLong(NUMBER, number, LITTLE_ENDIAN);
        copy.putInt(CHECK, new RecordChecksum().ofBytesAround(copy, 0, copy.capacity(), CHECK), LITTLE_ENDIAN);
        return copy;
    }
}
