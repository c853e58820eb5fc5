package io.escapement.driver.guard;

import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import io.aeron.protocol.RttMeasurementFlyweight;
import io.aeron.protocol.SetupFlyweight;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class JoinedDatagramsTest
{
    private static final int CAPACITY = 64 * 1_024;
    private static final int HEADER_LENGTH = DataHeaderFlyweight.HEADER_LENGTH;
    private static final int MTU = 1_408;
    private static final int READS = 20_000;
    private static final long SEED = 7_041;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[CAPACITY]);
    private final DataHeaderFlyweight header = new DataHeaderFlyweight();
    private int end;

    @Test
    void shouldHandOnContiguousDataInOnePiece()
    {
        int termOffset = 0;
        for (int i = 0; i < 10; i++)
        {
            termOffset += data(1, 5, termOffset, 1_000 + i);
        }
        assertLengths(Integer.MAX_VALUE, end);
        assertLengths(MTU, cutAt(MTU));
    }

    @Test
    void shouldEndABlockWhereTheSessionTheTermOrTheOffsetChanges()
    {
        final int first = data(1, 5, 0, 100);
        final int otherSession = data(2, 5, first, 100);
        final int otherTerm = data(2, 6, 2 * first, 100);
        final int gap = data(2, 6, 4 * first, 100);
        final int back = data(2, 6, 0, 100);
        assertLengths(Integer.MAX_VALUE, first, otherSession, otherTerm, gap, back);
    }

    @Test
    void shouldTakeHeartbeatsPaddingAndControlFramesForDatagrams()
    {
        final int before = data(1, 5, 0, 64);
        heartbeat(1, 5, before);
        control(HeaderFlyweight.HDR_TYPE_SETUP, SetupFlyweight.HEADER_LENGTH);
        final int behind = data(1, 5, before, 64);
        padding(1, 5, before + behind, 4_096);
        control(HeaderFlyweight.HDR_TYPE_RTTM, RttMeasurementFlyweight.HEADER_LENGTH);
        heartbeat(1, 6, 0);
        heartbeat(1, 6, 0);
        // The header of the padding frame is a part of the block.
        assertLengths(Integer.MAX_VALUE, before, HEADER_LENGTH, SetupFlyweight.HEADER_LENGTH, behind + HEADER_LENGTH,
            RttMeasurementFlyweight.HEADER_LENGTH, HEADER_LENGTH, HEADER_LENGTH);
    }

    @Test
    void shouldStopAtAFrameThatIsNotWhole()
    {
        final int whole = data(1, 5, 0, 100);
        data(1, 5, whole, 100);
        end -= 32;
        assertEquals(whole, JoinedDatagrams.length(buffer, 0, end, Integer.MAX_VALUE));
        assertEquals(0, JoinedDatagrams.length(buffer, whole, end, Integer.MAX_VALUE));
    }

    @Test
    void shouldReturnAFrameThatIsLongerThanAllowedAlone()
    {
        final int large = data(1, 5, 0, 4_000);
        data(1, 5, large, 100);
        assertEquals(large, JoinedDatagrams.length(buffer, 0, end, MTU));
    }

    @Test
    void shouldAdvanceAndStayInsideWhateverTheBytesAre()
    {
        final SplittableRandom random = new SplittableRandom(SEED);
        for (int read = 0; read < READS; read++)
        {
            end = 0;
            while (end < 8_000)
            {
                final int termOffset = random.nextInt(4) * 32;
                switch (random.nextInt(5))
                {
                    case 0 -> control(random.nextInt(8), random.nextInt(80));
                    case 1 -> heartbeat(1, 5, termOffset);
                    case 2 -> padding(1, 5, termOffset, random.nextInt());
                    default -> data(1 + random.nextInt(2), 5, termOffset, random.nextInt(600));
                }
            }
            for (int i = random.nextInt(8); i > 0; i--)
            {
                buffer.putByte(random.nextInt(end), (byte)random.nextInt());
            }
            final int longest = random.nextBoolean() ? MTU : Integer.MAX_VALUE;
            int offset = 0;
            while (offset < end)
            {
                final int length = JoinedDatagrams.length(buffer, offset, end, longest);
                assertTrue(length >= 0 && length <= end - offset, "seed " + SEED + ", read " + read);
                if (0 == length)
                {
                    break;
                }
                offset += length;
            }
        }
    }

    /** Lengths of the pieces with frames of about 1,000 bytes: one each. */
    private int[] cutAt(final int longest)
    {
        final List<Integer> lengths = new ArrayList<>();
        int offset = 0;
        while (offset < end)
        {
            final int length = BitUtil.align(buffer.getInt(offset), HEADER_LENGTH);
            assertTrue(2 * length > longest);
            lengths.add(length);
            offset += length;
        }
        return lengths.stream().mapToInt(Integer::intValue).toArray();
    }

    private void assertLengths(final int longest, final int... expected)
    {
        final List<Integer> lengths = new ArrayList<>();
        int offset = 0;
        while (offset < end)
        {
            final int length = JoinedDatagrams.length(buffer, offset, end, longest);
            assertTrue(length > 0, "at " + offset + " after " + lengths);
            lengths.add(length);
            offset += length;
        }
        assertEquals(Arrays.stream(expected).boxed().toList(), lengths);
    }

    private int data(final int sessionId, final int termId, final int termOffset, final int payloadLength)
    {
        return frame(HeaderFlyweight.HDR_TYPE_DATA, sessionId, termId, termOffset, HEADER_LENGTH + payloadLength,
            BitUtil.align(HEADER_LENGTH + payloadLength, HEADER_LENGTH));
    }

    private void heartbeat(final int sessionId, final int termId, final int termOffset)
    {
        frame(HeaderFlyweight.HDR_TYPE_DATA, sessionId, termId, termOffset, 0, HEADER_LENGTH);
    }

    private void padding(final int sessionId, final int termId, final int termOffset, final int frameLength)
    {
        frame(HeaderFlyweight.HDR_TYPE_PAD, sessionId, termId, termOffset, frameLength, HEADER_LENGTH);
    }

    private void control(final int type, final int length)
    {
        frame(type, 1, 1, 1, length, length);
    }

    private int frame(
        final int type,
        final int sessionId,
        final int termId,
        final int termOffset,
        final int frameLength,
        final int lengthOnWire)
    {
        buffer.setMemory(end, Math.max(HEADER_LENGTH, lengthOnWire), (byte)0);
        header.wrap(buffer, end, HEADER_LENGTH);
        header.sessionId(sessionId).termId(termId).termOffset(termOffset).streamId(9)
            .frameLength(frameLength).headerType(type);
        end += lengthOnWire;
        return lengthOnWire;
    }
}
