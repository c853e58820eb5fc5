package io.escapement.driver.guard;

import io.aeron.protocol.DataHeaderFlyweight;
import io.escapement.testsupport.Tests;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class DatagramValidatorTest
{
    private static final int TERM_LENGTH = 64 * 1_024;
    private static final int DATA = DataHeaderFlyweight.HDR_TYPE_DATA;
    private static final int PAD = DataHeaderFlyweight.HDR_TYPE_PAD;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[2_048]);

    @Test
    void shouldAcceptFramesOfASender()
    {
        frame(0, 64, 100, DATA);
        assertTrue(isValid(128), "one aligned frame");
        frame(128, 192, 32, DATA);
        assertTrue(isValid(160), "a second frame without payload");
        frame(160, 224, 8_192, PAD);
        assertTrue(isValid(192), "a padding frame at the end");
        frame(0, 64, 0, DATA);
        assertTrue(isValid(32), "a heartbeat");
        frame(0, TERM_LENGTH - 32, 32, PAD);
        assertTrue(isValid(32), "padding of the last 32 bytes of a term");
    }

    @Test
    void shouldRefuseWrongFrameLengths()
    {
        frame(0, 64, 129, DATA);
        assertFalse(isValid(128), "longer than the datagram");
        frame(0, 64, 96, DATA);
        assertFalse(isValid(128), "bytes after the last frame");
        frame(0, 64, 31, DATA);
        assertFalse(isValid(32), "shorter than a header");
        frame(0, 64, -128, DATA);
        assertFalse(isValid(128), "negative");
        frame(0, 64, Integer.MAX_VALUE, DATA);
        assertFalse(isValid(128), "overflow when aligned");
        frame(0, 64, 0, DATA);
        assertFalse(isValid(128), "bytes after a heartbeat");
        frame(0, 64, 0, PAD);
        assertFalse(isValid(32), "a heartbeat of type padding");
    }

    @Test
    void shouldRefuseFramesBeyondTheTerm()
    {
        frame(0, TERM_LENGTH - 96, 128, DATA);
        assertFalse(isValid(128), "data beyond the end");
        frame(0, TERM_LENGTH - 64, 96, PAD);
        assertFalse(isValid(32), "padding beyond the end");
        frame(0, TERM_LENGTH, 0, DATA);
        assertFalse(isValid(32), "a heartbeat after the end");
        frame(0, -32, 32, DATA);
        assertFalse(isValid(32), "negative term offset");
        frame(0, 33, 32, DATA);
        assertFalse(isValid(32), "unaligned term offset");
    }

    @Test
    void shouldRefuseTruncatedDatagrams()
    {
        frame(0, 64, 128, DATA);
        assertFalse(isValid(31));
        assertFalse(isValid(100));
        assertFalse(isValid(0));
    }

    @Test
    void shouldRefuseASecondFrameThatIsNotContiguous()
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
            assertTrue(isValid(128));
            buffer.putInt(64 + field, 12_345 * 32, ByteOrder.LITTLE_ENDIAN);
            assertFalse(isValid(128), "field at " + field);
        }
        frame(64, 128, 64, DataHeaderFlyweight.HDR_TYPE_SETUP);
        assertFalse(isValid(128), "another type");
        frame(64, 128, 64, DATA);
        buffer.putByte(64 + DataHeaderFlyweight.VERSION_FIELD_OFFSET, (byte)1);
        assertFalse(isValid(128), "another version");
        frame(0, 64, 64, PAD);
        frame(32, 96, 64, DATA);
        assertFalse(isValid(96), "padding before data");
    }

    @Test
    void shouldTerminateOnRandomBytes()
    {
        final long seed = Tests.seed();
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
            if (isValid(length))
            {
                assertTrue(length >= 32 && sumOfFrames() <= length, "seed " + seed + ", run " + i);
            }
        }
    }

    /** Bytes that a receiver reads if it trusts the first frame length. */
    private int sumOfFrames()
    {
        final int type = buffer.getShort(DataHeaderFlyweight.TYPE_FIELD_OFFSET, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
        return PAD == type ? 32 : buffer.getInt(0, ByteOrder.LITTLE_ENDIAN);
    }

    private boolean isValid(final int length)
    {
        return DatagramValidator.isValid(buffer, length, TERM_LENGTH);
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
