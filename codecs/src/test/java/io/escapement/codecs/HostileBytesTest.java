package io.escapement.codecs;

import com.sun.management.ThreadMXBean;
import io.escapement.codecs.room.RefusalCode;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(value = 10, unit = TimeUnit.MINUTES)
class HostileBytesTest
{
    private static final long SEED = 701;
    private static final int[] HOSTILE_NUMBERS = {
        0, 1, 2, 8, 15, 16, 17, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1_023, 1_024, 1_025, 1_919,
        1_920, 1_921, 0x7FFF, 0x8000, 0xFFFE, 0xFFFF};

    private final List<byte[]> samples = SampleMessages.all();
    private final SplittableRandom random = new SplittableRandom(SEED);
    private final Walk walk = new Walk();
    private final NaiveRules naive = new NaiveRules();
    private int accepted;

    @Test
    void shouldTakeEverySample()
    {
        for (final byte[] sample : samples)
        {
            assertEquals(0, check(sample), () -> "sample " + Arrays.toString(sample));
        }
    }

    @Test
    void shouldRefuseEveryTruncationAndEveryTail()
    {
        for (final byte[] sample : samples)
        {
            for (int length = 0; length < sample.length; length++)
            {
                assertNotEquals(0, check(Arrays.copyOf(sample, length)));
            }
            assertEquals(RefusalCode.TRAILING_BYTES.value(), check(Arrays.copyOf(sample, sample.length + 1)));
        }
    }

    @Test
    void shouldSurviveEveryValueOfEveryByte()
    {
        for (final byte[] sample : samples)
        {
            // In long samples the middle is more of the same.
            for (int at = 0; at < Math.min(sample.length, 400); at++)
            {
                final byte kept = sample[at];
                for (int value = 0; value < 256; value++)
                {
                    sample[at] = (byte)value;
                    check(sample);
                }
                sample[at] = kept;
            }
        }
    }

    @Test
    void shouldSurviveEveryLengthAndCountAtEveryEdge()
    {
        for (final byte[] sample : samples)
        {
            for (int at = 0; at + 2 <= sample.length; at++)
            {
                final byte first = sample[at];
                final byte second = sample[at + 1];
                for (final int number : HOSTILE_NUMBERS)
                {
                    sample[at] = (byte)number;
                    sample[at + 1] = (byte)(number >>> 8);
                    check(sample);
                }
                sample[at] = first;
                sample[at + 1] = second;
            }
        }
    }

    @Test
    void shouldHoldTheCapsOfDataAndGroups()
    {
        final UnsafeBuffer data = new UnsafeBuffer(new byte[4_096]);
        final UnsafeBuffer out = new UnsafeBuffer(new byte[8_192]);
        final RoomCommandEncoder encoder = new RoomCommandEncoder();
        final int cap = RoomCommands.MAX_PAYLOAD_LENGTH;
        assertEquals(0, check(out, encoder.message(out, 0, 1, 2, 3, 4, 5, data, 0, cap)));
        assertEquals(RefusalCode.DATA_TOO_LONG.value(),
            check(out, encoder.message(out, 0, 1, 2, 3, 4, 5, data, 0, cap + 1)));
        assertEquals(RefusalCode.DATA_TOO_LONG.value(),
            check(out, encoder.join(out, 0, 1, 2, 3, 4, data, 0, RoomCommands.MAX_JOIN_ARGS_LENGTH + 1)));
        assertEquals(RefusalCode.TOO_LONG.value(),
            check(out, encoder.message(out, 0, 1, 2, 3, 4, 5, data, 0, 2_048)));
        // The header's group: its block, its count and its cap, each at the offset behind the root block.
        final byte[] header = samples.get(6).clone();
        final int group = 8 + header[0];
        header[group] = 0;
        assertEquals(RefusalCode.BAD_GROUP_BLOCK.value(), check(header));
        header[group] = 16;
        header[group + 2] = 1;
        header[group + 3] = 1;
        assertEquals(RefusalCode.BAD_GROUP_COUNT.value(), check(header));
    }

    @Test
    void shouldRefuseOtherSchemasAndVersions()
    {
        final byte[] message = samples.get(2).clone();
        message[4]++;
        assertEquals(RefusalCode.WRONG_SCHEMA.value(), check(message));
        message[4]--;
        message[6] = 2;
        assertEquals(RefusalCode.UNKNOWN_VERSION.value(), check(message));
        message[6] = 0;
        assertEquals(0, check(message), "an older version with the same block");
        final byte[] open = samples.get(0).clone();
        open[6] = 0;
        assertEquals(RefusalCode.BAD_BLOCK_LENGTH.value(), check(open), "an older version with a newer block");
    }

    @Test
    void shouldSurviveRandomBytes()
    {
        final int rounds = "full".equals(System.getProperty("escapement.tests")) ? 10_000_000 : 300_000;
        for (int i = 0; i < rounds; i++)
        {
            final byte[] bytes;
            if (random.nextInt(4) == 0)
            {
                bytes = new byte[random.nextInt(64)];
                random.nextBytes(bytes);
            }
            else
            {
                bytes = samples.get(random.nextInt(samples.size())).clone();
                for (int flips = random.nextInt(4); flips >= 0; flips--)
                {
                    bytes[random.nextInt(random.nextBoolean() ? 8 : bytes.length)] = (byte)random.nextInt();
                }
            }
            check(bytes);
        }
        assertTrue(accepted > 1_000, "seed " + SEED + ": only " + accepted + " messages were taken");
    }

    @Test
    void shouldAnswerForAnyPlaceInABuffer()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(samples.get(0).clone());
        final int[] places = {
            Integer.MIN_VALUE, -9, -1, 0, 1, buffer.capacity(), Integer.MAX_VALUE - 8, Integer.MAX_VALUE};
        for (final int offset : places)
        {
            for (final int length : places)
            {
                final int code = RoomCommands.validateCommand(buffer, offset, length);
                assertEquals(0 == offset && buffer.capacity() == length, 0 == code, offset + ", " + length);
            }
        }
    }

    @Test
    void shouldNotAllocate()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long threadId = Thread.currentThread().getId();
        final UnsafeBuffer[] buffers = samples.stream().map(UnsafeBuffer::new).toArray(UnsafeBuffer[]::new);
        long allocated = -1;
        for (int window = 0; window < 6 && 0 != allocated; window++)
        {
            final long before = threads.getThreadAllocatedBytes(threadId);
            for (int i = 0; i < 1_000_000; i++)
            {
                final UnsafeBuffer buffer = buffers[i % buffers.length];
                accepted += RoomCommands.validateCommand(buffer, 0, buffer.capacity());
            }
            allocated = threads.getThreadAllocatedBytes(threadId) - before;
        }
        assertEquals(0, allocated);
    }

    private int check(final UnsafeBuffer bytes, final int length)
    {
        return check(Arrays.copyOf(bytes.byteArray(), length));
    }

    /** The answer, the same between different neighbours and by the naive rules; what is taken can be decoded. */
    private int check(final byte[] bytes)
    {
        final int before = 1 + random.nextInt(16);
        final byte[] surrounded = new byte[before + bytes.length + 16];
        random.nextBytes(surrounded);
        System.arraycopy(bytes, 0, surrounded, before, bytes.length);
        final int code = RoomCommands.RULES.validate(new UnsafeBuffer(surrounded), before, bytes.length);
        assertEquals(code, RoomCommands.RULES.validate(new UnsafeBuffer(bytes), 0, bytes.length),
            () -> "seed " + SEED + ": other neighbours, other answer for " + Arrays.toString(bytes));
        assertEquals(naive.validate(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN)), code,
            () -> "seed " + SEED + ": the naive rules say otherwise of " + Arrays.toString(bytes));
        if (0 == code)
        {
            accepted++;
            assertEquals(bytes.length, walk.end(new UnsafeBuffer(bytes)),
                () -> "seed " + SEED + ": decoders end elsewhere in " + Arrays.toString(bytes));
        }
        return code;
    }
}
