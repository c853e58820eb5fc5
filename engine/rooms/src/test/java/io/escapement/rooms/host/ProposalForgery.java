package io.escapement.rooms.host;

import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.ProposalDecoder;
import java.util.zip.CRC32C;
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
        final CRC32C crc = new CRC32C();
        crc.update(copy.byteArray(), 0, CHECK);
        crc.update(copy.byteArray(), CHECK + Integer.BYTES, copy.capacity() - CHECK - Integer.BYTES);
        copy.putInt(CHECK, (int)crc.getValue(), LITTLE_ENDIAN);
        return copy;
    }
}
