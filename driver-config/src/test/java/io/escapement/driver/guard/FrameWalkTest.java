package io.escapement.driver.guard;

import io.aeron.protocol.DataHeaderFlyweight;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(30)
class FrameWalkTest
{
    private static final int TERM_LENGTH = 64 * 1_024;
    private static final int DATA = DataHeaderFlyweight.HDR_TYPE_DATA;
    private static final int PAD = DataHeaderFlyweight.HDR_TYPE_PAD;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[2_048]);

    @Test
    void shouldTakeWhatSendersSend()
    {
        frame(0, 64, 100, DATA);
        assertTrue(isSound(128), "a frame, aligned");
        frame(128, 192, 32, DATA);
        assertTrue(isSound(160), "and one without a payload");
        frame(160, 224, 8_192, PAD);
        assertTrue(isSound(192), "and the header of what is skipped");
        frame(0, 64, 0, DATA);
        assertTrue(isSound(32), "a heartbeat");
        frame(0, TERM_LENGTH - 32, 32, PAD);
        assertTrue(isSound(32), "the last 32 bytes of a term, skipped");
    }

    @Test
    void shouldRefuseLengthsThatLie()
    {
        frame(0, 64, 129, DATA);
        assertFalse(isSound(128), "longer than the datagram");
        frame(0, 64, 96, DATA);
        assertFalse(isSound(128), "bytes after the last frame");
        frame(0, 64, 31, DATA);
        assertFalse(isSound(32), "shorter than a header");
        frame(0, 64, -128, DATA);
        assertFalse(isSound(128), "negative");
        frame(0, 64, Integer.MAX_VALUE, DATA);
        assertFalse(isSound(128), "overflowing when it is aligned");
        frame(0, 64, 0, DATA);
        assertFalse(isSound(128), "a heartbeat with more behind it");
        frame(0, 64, 0, PAD);
        assertFalse(isSound(32), "a heartbeat that pads");
    }

    @Test
    void shouldRefuseFramesBeyondTheTerm()
    {
        frame(0, TERM_LENGTH - 96, 128, DATA);
        assertFalse(isSound(128), "data over the end");
        frame(0, TERM_LENGTH - 64, 96, PAD);
        assertFalse(isSound(32), "padding over the end");
        frame(0, TERM_LENGTH, 0, DATA);
        assertFalse(isSound(32), "a heartbeat after the end");
        frame(0, -32, 32, DATA);
        assertFalse(isSound(32), "before the beginning");
        frame(0, 33, 32, DATA);
        assertFalse(isSound(32), "between two frames");
    }

    @Test
    void shouldRefuseDatagramsThatAreCutShort()
    {
        frame(0, 64, 128, DATA);
        assertFalse(isSound(31));
        assertFalse(isSound(100));
        assertFalse(isSound(0));
    }

    @Test
    void shouldRefuseASecondFrameThatDoesNotFollow()
    {
        final int[] fields = {
            DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET,
            DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET,
            DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET,
            DataHeaderFlyweight.TERM_ID_FIELD_OFFSET};
        for (final int field : fields)
        {
            frame(0, 64, 64, DATA);
            frame(64, 128, 64, DATA);
            assertTrue(isSound(128));
            buffer.putInt(64 + field, 12_345 * 32, ByteOrder.LITTLE_ENDIAN);
            assertFalse(isSound(128), "field at " + field);
        }
        frame(64, 128, 64, DataHeaderFlyweight.HDR_TYPE_SETUP);
        assertFalse(isSound(128), "another type");
        frame(64, 128, 64, DATA);
        buffer.putByte(64 + DataHeaderFlyweight.VERSION_FIELD_OFFSET, (byte)1);
        assertFalse(isSound(128), "another version");
        frame(0, 64, 64, PAD);
        frame(32, 96, 64, DATA);
        assertFalse(isSound(96), "padding before data");
    }

    @Test
    void shouldEndOnAnyBytes()
    {
        final long seed = System.nanoTime();
        final SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 200_000; i++)
        {
            final int length = random.nextInt(0, 45) * 32;
            final int frames = random.nextInt(1, 4);
            for (int frame = 0, offset = 0; frame < frames && offset + 32 <= length; frame++)
            {
                final int frameLength = random.nextInt(-32, 1_024);
                frame(offset, offset, frameLength, random.nextInt(0, 3));
                offset += Math.max(32, BitUtil.align(frameLength, 32));
            }
            buffer.putByte(random.nextInt(0, buffer.capacity()), (byte)random.nextInt());
            if (isSound(length))
            {
                assertTrue(length >= 32 && sumOfFrames() <= length, "seed " + seed + ", run " + i);
            }
        }
    }

    /** What a receiver that trusts the first length would take. */
    private int sumOfFrames()
    {
        final int type = buffer.getShort(DataHeaderFlyweight.TYPE_FIELD_OFFSET, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
        return PAD == type ? 32 : buffer.getInt(0, ByteOrder.LITTLE_ENDIAN);
    }

    private boolean isSound(final int length)
    {
        return FrameWalk.isSound(buffer, length, TERM_LENGTH);
    }

    private void frame(final int offset, final int termOffset, final int frameLength, final int type)
    {
        final DataHeaderFlyweight header = new DataHeaderFlyweight();
        header.wrap(buffer, offset, DataHeaderFlyweight.HEADER_LENGTH);
        header
            .sessionId(7)
            .streamId(8)
            .termId(9)
            .termOffset(termOffset)
            .frameLength(frameLength)
            .flags(DataHeaderFlyweight.BEGIN_AND_END_FLAGS)
            .version((short)0)
            .headerType(type);
    }
}
