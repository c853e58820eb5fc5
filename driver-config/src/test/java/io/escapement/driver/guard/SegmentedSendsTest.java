package io.escapement.driver.guard;

import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import java.nio.ByteBuffer;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicLongPosition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The lengths of runs, of a term in memory. */
class SegmentedSendsTest
{
    private static final int TERM_LENGTH = 1 << 20;
    private static final int MTU = 1_408;
    private static final int FULL = MTU - DataHeaderFlyweight.HEADER_LENGTH;

    private final ByteBuffer term = ByteBuffer.allocateDirect(TERM_LENGTH);
    private final UnsafeBuffer frames = new UnsafeBuffer(term);
    private final AtomicLongPosition position = new AtomicLongPosition();
    private final AtomicLongPosition limit = new AtomicLongPosition();
    private final SegmentedSends sends = new SegmentedSends(position, limit, Integer.MAX_VALUE);
    private int tail;

    @BeforeEach
    void openWindow()
    {
        sends.mtuLength(MTU);
        limit.setRelease(TERM_LENGTH);
    }

    @Test
    void shouldJoinFullDatagramsAndAShorterLastOne()
    {
        commit(FULL, FULL, FULL, 500);
        assertEquals(tail, runLength(0, MTU));
    }

    @Test
    void shouldCutSmallFramesAsTheSenderDoes()
    {
        // Four frames of 352 bytes are a datagram.
        for (int i = 0; i < 10; i++)
        {
            commit(320);
        }
        assertEquals(2 * MTU + 2 * 352, runLength(0, MTU));
    }

    @Test
    void shouldEndBehindAShorterDatagram()
    {
        // Two frames of 736 bytes do not fit, so each is a datagram.
        commit(FULL, 700, FULL);
        assertEquals(MTU + 736, runLength(0, MTU));
    }

    @Test
    void shouldEndBeforeALongerDatagram()
    {
        commit(700, FULL);
        assertEquals(736, runLength(0, 736));
    }

    @Test
    void shouldNotReachBeyondTheReceiversWindow()
    {
        commit(FULL, FULL, FULL, FULL);
        limit.setRelease(3L * MTU);
        assertEquals(3 * MTU, runLength(0, MTU));
        limit.setRelease(3L * MTU - 1);
        assertEquals(2 * MTU, runLength(0, MTU));
        limit.setRelease(MTU);
        assertEquals(MTU, runLength(0, MTU));
    }

    @Test
    void shouldNotReachBeyondWhatIsCommitted()
    {
        commit(FULL, FULL);
        final int end = tail;
        commit(FULL);
        FrameDescriptor.frameLengthOrdered(frames, end, -MTU);
        assertEquals(end, runLength(0, MTU));
    }

    @Test
    void shouldStopBeforeAndBehindPadding()
    {
        commit(FULL, FULL);
        final int end = tail;
        commit(3_000);
        FrameDescriptor.frameType(frames, end, FrameDescriptor.PADDING_FRAME_TYPE);
        commit(FULL);
        assertEquals(end, runLength(0, MTU));
        position.setRelease(end);
        assertEquals(32, runLength(end, 32));
    }

    @Test
    void shouldSendNoMoreThanTheKernelTakes()
    {
        for (int i = 0; i < 100; i++)
        {
            commit(FULL);
        }
        assertEquals(SegmentedSends.MAX_LENGTH / MTU * MTU, runLength(0, MTU) / MTU * MTU);
        assertTrue(runLength(0, MTU) <= SegmentedSends.MAX_LENGTH);
        sends.mtuLength(480);
        position.setRelease(tail);
        final int begin = tail;
        for (int i = 0; i < 100; i++)
        {
            commit(448);
        }
        assertEquals(64 * 480, runLength(begin, 480));
    }

    @Test
    void shouldStopAtTheEndOfTheTerm()
    {
        tail = TERM_LENGTH - 2 * MTU;
        commit(FULL, FULL);
        position.setRelease(TERM_LENGTH - 2 * MTU);
        limit.setRelease(2L * TERM_LENGTH);
        assertEquals(2 * MTU, runLength(TERM_LENGTH - 2 * MTU, MTU));
    }

    @Test
    void shouldCutALargeSliceIntoDatagramsOfWholeFrames()
    {
        final SegmentedSends cut = new SegmentedSends(position, limit, MTU);
        cut.mtuLength(32_768);
        commit(FULL, FULL, 700, 700, 100, FULL, 32);
        final int[] lengths = {MTU, MTU, 736, 736 + 160, MTU, 64};
        int offset = 0;
        for (final int length : lengths)
        {
            assertEquals(length, cut.datagramLength(offer(0, tail), offset, tail));
            offset += length;
        }
        assertEquals(tail, offset);
        assertEquals(2 * MTU + 736, cut.runLength(offer(0, tail), 0, 0, MTU));
        assertEquals(736, cut.runLength(offer(0, tail), 0, 2 * MTU, 736), "a longer datagram follows");
        assertEquals(MTU + 64, cut.runLength(offer(0, tail), 0, tail - MTU - 64, MTU));
    }

    @Test
    void shouldNotReachBeyondTheWindowFromInsideASlice()
    {
        final SegmentedSends cut = new SegmentedSends(position, limit, MTU);
        cut.mtuLength(32_768);
        commit(FULL, FULL, FULL, FULL);
        limit.setRelease(3L * MTU);
        assertEquals(2 * MTU, cut.runLength(offer(0, 2 * MTU), 0, MTU, MTU));
    }

    @Test
    void shouldSendAFrameAloneThatIsLongerThanADatagram()
    {
        final SegmentedSends cut = new SegmentedSends(position, limit, MTU);
        cut.mtuLength(32_768);
        commit(3_000, FULL);
        assertEquals(3_040, cut.datagramLength(offer(0, tail), 0, tail));
    }

    @Test
    void shouldJoinNothingBeforeItKnowsTheMtu()
    {
        commit(FULL, FULL);
        assertEquals(MTU, new SegmentedSends(position, limit, Integer.MAX_VALUE).runLength(offer(0, MTU), 0, 0, MTU));
    }

    @Test
    void shouldRecogniseARetransmit()
    {
        commit(FULL, FULL, FULL);
        position.setRelease(TERM_LENGTH + 2L * MTU);
        assertFalse(sends.isNext(offer(0, MTU)));
        assertFalse(sends.isNext(offer(MTU, MTU)));
        assertTrue(sends.isNext(offer(2 * MTU, MTU)));
    }

    @Test
    void shouldKnowHowMuchOfADatagramHasBeenSent()
    {
        commit(FULL, FULL, 500);
        assertEquals(0, sends.sentOf(offer(0, MTU)));
        sends.onSent(2 * MTU + 544);
        position.setRelease(MTU);
        assertEquals(MTU, sends.sentOf(offer(MTU, MTU)));
        position.setRelease(2 * MTU);
        // A frame has been committed since, and Aeron offers both in one datagram.
        commit(300);
        assertEquals(544, sends.sentOf(offer(2 * MTU, 544 + 352)));
        position.setRelease(tail);
        assertEquals(0, sends.sentOf(offer(tail, MTU)));
    }

    private int runLength(final int offset, final int length)
    {
        return sends.runLength(offer(offset, length), offset, offset, length);
    }

    private void commit(final int... payloadLengths)
    {
        for (final int payloadLength : payloadLengths)
        {
            final int frameLength = DataHeaderFlyweight.HEADER_LENGTH + payloadLength;
            FrameDescriptor.frameType(frames, tail, DataHeaderFlyweight.HDR_TYPE_DATA);
            FrameDescriptor.frameLengthOrdered(frames, tail, frameLength);
            tail += BitUtil.align(frameLength, FrameDescriptor.FRAME_ALIGNMENT);
        }
    }

    private ByteBuffer offer(final int offset, final int length)
    {
        return term.limit(offset + length).position(offset);
    }
}
