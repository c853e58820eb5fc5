package io.escapement.driver.guard;

import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.TermScanner;
import io.aeron.protocol.DataHeaderFlyweight;
import java.nio.ByteBuffer;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.ReadablePosition;

/**
 * The datagrams of one publication, and the runs of them that leave in one system call.
 *
 * <p>Aeron's sender offers up to an MTU per duty cycle, as a slice of the term. The publications of responses have an
 * MTU that is a multiple of the wire's. Their slices are cut into datagrams, each of whole frames. From there this
 * scans further over committed frames, and has all of a run sent at once. When Aeron then offers the others, they count
 * as sent. A send does not wait for more frames, and does not exceed the receivers' window.
 *
 * <pre>
 *     snd-pos          sentTo                    snd-lmt
 *        |  sent, not    |   committed, not sent    |
 *        |  yet offered  |                          |
 *   -----+---------------+--------------------------+------
 * </pre>
 *
 * <p>Confined to the sender thread.
 */
final class SegmentedSends
{
    /** The receive buffer of Aeron's driver, which is a little shorter than the largest UDP payload. */
    static final int MAX_LENGTH = 65_504;

    private static final int ALIGNMENT = FrameDescriptor.FRAME_ALIGNMENT;

    private final ReadablePosition senderPosition;
    private final ReadablePosition senderLimit;
    private final int longest;
    private final UnsafeBuffer term = new UnsafeBuffer(0, 0);
    private int maxDatagramLength;
    private long sentTo;

    /** With the length of the longest datagram, if that is less than the publication's MTU. */
    SegmentedSends(final ReadablePosition senderPosition, final ReadablePosition senderLimit, final int longest)
    {
        this.senderPosition = senderPosition;
        this.senderLimit = senderLimit;
        this.longest = longest;
    }

    /** A setup frame of the publication has named its MTU. Before, datagrams are neither cut nor joined. */
    void mtuLength(final int length)
    {
        maxDatagramLength = Math.min(length, longest);
    }

    /** Whether a slice of a term is the next slice of the sender, and not a retransmit. */
    boolean isNext(final ByteBuffer slice)
    {
        return (senderPosition.get() & (slice.capacity() - 1)) == slice.position();
    }

    /** How much of the slice that the sender offers next has been sent already. */
    int sentOf(final ByteBuffer slice)
    {
        return (int)Math.max(0, Math.min(slice.remaining(), sentTo - senderPosition.get()));
    }

    /** A number of bytes from the next slice on have been sent. */
    void onSent(final int length)
    {
        sentTo = Math.max(sentTo, senderPosition.get() + length);
    }

    /** Length of the first datagram at an offset of a slice: as many frames as fit, or a single longer frame. */
    int datagramLength(final ByteBuffer slice, final int offset, final int end)
    {
        if (0 == maxDatagramLength || end - offset <= maxDatagramLength)
        {
            return end - offset;
        }
        term.wrap(slice);
        // Negative for a frame that is longer.
        final int available =
            TermScanner.available(TermScanner.scanForAvailability(term, offset, maxDatagramLength));
        return 0 == available ? end - offset : Math.abs(available);
    }

    /**
     * Length of the run that starts with a datagram of the sender's next slice, and perhaps extends over its end:
     * datagrams as long as the first, the last of them perhaps shorter.
     *
     * @return the length of the datagram if no other can follow it.
     */
    int runLength(final ByteBuffer slice, final int sliceOffset, final int offset, final int length)
    {
        term.wrap(slice);
        if (0 == maxDatagramLength || endsWithPadding(offset, length))
        {
            return length;
        }
        final long window = senderLimit.get() - senderPosition.get() - (offset - sliceOffset);
        final int longestRun = (int)Math.min(
            Math.min(window, slice.capacity() - offset),
            Math.min(MAX_LENGTH, (long)SocketOffload.MAX_SEGMENTS * length));
        int runLength = length;
        while (runLength < longestRun)
        {
            final long outcome = TermScanner.scanForAvailability(
                term, offset + runLength, Math.min(maxDatagramLength, longestRun - runLength));
            final int available = TermScanner.available(outcome);
            // A padding frame is the last of the term. Only its header is sent, as the last of a run.
            if (available <= 0 || available > length || 0 != TermScanner.padding(outcome))
            {
                break;
            }
            runLength += available;
            if (available < length)
            {
                break;
            }
        }
        return runLength;
    }

    private boolean endsWithPadding(final int begin, final int length)
    {
        int offset = begin;
        final int end = begin + length;
        while (offset < end)
        {
            final int frameLength = FrameDescriptor.frameLengthVolatile(term, offset);
            if (FrameDescriptor.isPaddingFrame(term, offset) && frameLength > DataHeaderFlyweight.HEADER_LENGTH)
            {
                return true;
            }
            offset += BitUtil.align(Math.max(frameLength, ALIGNMENT), ALIGNMENT);
        }
        return false;
    }
}
