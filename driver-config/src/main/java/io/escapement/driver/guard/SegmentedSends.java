package io.escapement.driver.guard;

import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.TermScanner;
import io.aeron.protocol.DataHeaderFlyweight;
import java.nio.ByteBuffer;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.ReadablePosition;

/**
 * Runs of datagrams of one publication that leave in one system call.
 *
 * <p>Aeron's sender offers one datagram a duty cycle, as a slice of the term. From there this scans on over committed
 * frames, cuts them into datagrams as Aeron will, and has all of them sent at once. When Aeron then offers the others,
 * they count as sent. Nothing waits for more, and nothing beyond the receivers' window is sent.
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
    private final UnsafeBuffer term = new UnsafeBuffer(0, 0);
    private int mtuLength;
    private long sentTo;

    SegmentedSends(final ReadablePosition senderPosition, final ReadablePosition senderLimit)
    {
        this.senderPosition = senderPosition;
        this.senderLimit = senderLimit;
    }

    /** A setup frame of the publication has named its MTU. Nothing is joined before. */
    void mtuLength(final int length)
    {
        mtuLength = length;
    }

    /** Whether a slice of a term is what the sender offers next, and not a retransmit. */
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

    /**
     * Length of the run that begins with a slice: datagrams as long as the slice, the last of them perhaps shorter.
     * The length of the slice if there is no other datagram.
     */
    int runLength(final ByteBuffer slice)
    {
        final int begin = slice.position();
        final int length = slice.remaining();
        term.wrap(slice);
        if (0 == mtuLength || endsWithPadding(begin, length))
        {
            return length;
        }
        final long window = senderLimit.get() - senderPosition.get();
        final int longest = (int)Math.min(
            Math.min(window, slice.capacity() - begin),
            Math.min(MAX_LENGTH, (long)SocketOffload.MAX_SEGMENTS * length));
        int runLength = length;
        while (runLength < longest)
        {
            final long outcome = TermScanner.scanForAvailability(
                term, begin + runLength, Math.min(mtuLength, longest - runLength));
            final int available = TermScanner.available(outcome);
            // A padding frame ends the term: its header alone is sent, so nothing follows it in a run.
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
