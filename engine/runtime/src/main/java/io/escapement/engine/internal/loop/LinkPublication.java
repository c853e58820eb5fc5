package io.escapement.engine.internal.loop;

import io.aeron.ExclusivePublication;
import org.agrona.DirectBuffer;

/**
 * A publication to a trunk. Production has one implementation, so that calls stay monomorphic and are inlined. Tests
 * step an egress with an in-memory implementation.
 */
public interface LinkPublication
{
    /** Longest batch that fits a packet. */
    int maxPayloadLength();

    /** Whether the trunk's subscription is connected. */
    boolean isConnected();

    /** Whether the publication is closed, for good. */
    boolean isClosed();

    /** Number of bytes that the trunk accepts now. 0 or less if it is blocked. */
    long availableWindow();

    /** Number of bytes that were sent so far, with their framing. */
    long position();

    /**
     * Send a batch.
     *
     * @param buffer with the batch.
     * @param offset of the batch.
     * @param length of the batch, which is fragmented if it exceeds {@link #maxPayloadLength()}.
     * @return the new position, or an error of {@link io.aeron.Publication} below 0.
     */
    long offer(DirectBuffer buffer, int offset, int length);

    /**
     * Send a batch that padding follows in its packet.
     *
     * @param buffer  with the batch.
     * @param offset  of the batch.
     * @param length  of the batch.
     * @param padding bytes of 0 after it, at least {@link io.escapement.codecs.TrunkMessages#ENTRY_HEADER_LENGTH}. With
     *                the batch they fit a packet.
     * @return as {@link #offer(DirectBuffer, int, int)}.
     */
    long offer(DirectBuffer buffer, int offset, int length, int padding);

    /**
     * Wrap a publication of Aeron.
     *
     * @param publication    that one thread at a time writes.
     * @param datagramLength into which the driver cuts the publication's output, or 0 if it does not cut.
     */
    static LinkPublication of(final ExclusivePublication publication, final int datagramLength)
    {
        return new AeronLinkPublication(publication, datagramLength);
    }
}
