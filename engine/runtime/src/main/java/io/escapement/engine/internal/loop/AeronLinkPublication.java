package io.escapement.engine.internal.loop;

import io.aeron.ExclusivePublication;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * The publication of production. The driver cuts its output into datagrams of whole frames. No frame may therefore be
 * longer than a datagram.
 */
final class AeronLinkPublication implements LinkPublication
{
    private static final int HEADER_LENGTH = DataHeaderFlyweight.HEADER_LENGTH;
    private static final int FLAGS = DataHeaderFlyweight.FLAGS_FIELD_OFFSET;
    private static final byte MIDDLE_FLAG = 0;

    private final ExclusivePublication publication;
    private final int maxPayloadLength;
    private final DirectBuffer zeros;
    private final BufferClaim claim = new BufferClaim();

    AeronLinkPublication(final ExclusivePublication publication, final int datagramLength)
    {
        this.publication = publication;
        maxPayloadLength = 0 == datagramLength ? publication.maxPayloadLength() : datagramLength - HEADER_LENGTH;
        zeros = new UnsafeBuffer(new byte[maxPayloadLength]);
    }

    @Override
    public int maxPayloadLength()
    {
        return maxPayloadLength;
    }

    @Override
    public boolean isConnected()
    {
        return publication.isConnected();
    }

    @Override
    public boolean isClosed()
    {
        return publication.isClosed();
    }

    @Override
    public long availableWindow()
    {
        return publication.availableWindow();
    }

    @Override
    public long position()
    {
        return publication.position();
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length)
    {
        // Aeron fragments by the publication's MTU, which may be longer.
        return length > maxPayloadLength && length <= publication.maxPayloadLength() ?
            offerFragments(buffer, offset, length) : publication.offer(buffer, offset, length);
    }

    /** One claim holds all frames of a message: they are in one term, and either all or no frames are sent. */
    private long offerFragments(final DirectBuffer buffer, final int offset, final int length)
    {
        final int last = (length - 1) / maxPayloadLength;
        final long position = publication.tryClaim(length + last * HEADER_LENGTH, claim);
        if (position > 0)
        {
            final UnsafeBuffer term = (UnsafeBuffer)claim.buffer();
            final int termOffset = term.getInt(DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET, LITTLE_ENDIAN);
            for (int i = 1; i <= last; i++)
            {
                final int from = i * maxPayloadLength;
                final int at = from + i * HEADER_LENGTH;
                final int payloadLength = Math.min(maxPayloadLength, length - from);
                term.putBytes(at, term, 0, HEADER_LENGTH);
                term.putInt(at + DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET, termOffset + at, LITTLE_ENDIAN);
                term.putByte(at + FLAGS, i == last ? FrameDescriptor.END_FRAG_FLAG : MIDDLE_FLAG);
                term.putBytes(at + HEADER_LENGTH, buffer, offset + from, payloadLength);
                FrameDescriptor.frameLengthOrdered(term, at, HEADER_LENGTH + payloadLength);
            }
            term.putByte(FLAGS, FrameDescriptor.BEGIN_FRAG_FLAG);
            term.putBytes(HEADER_LENGTH, buffer, offset, maxPayloadLength);
            // Readers stop at a frame without a length. All frames therefore appear now.
            FrameDescriptor.frameLengthOrdered(term, 0, HEADER_LENGTH + maxPayloadLength);
        }
        return position;
    }

    @Override
    public long offer(final DirectBuffer buffer, final int offset, final int length, final int padding)
    {
        return publication.offer(buffer, offset, length, zeros, 0, padding);
    }
}
