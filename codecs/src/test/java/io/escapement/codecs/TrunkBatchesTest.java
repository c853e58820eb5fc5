package io.escapement.codecs;

import io.escapement.codecs.room.RefusalCode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Compares iteration over batches by {@link TrunkMessages#entryLength} with a naive twin. */
class TrunkBatchesTest
{
    private static final long SEED = 702;
    private static final int TOO_SHORT = ~RefusalCode.TOO_SHORT.value();

    private static final NaiveRules NAIVE = new NaiveRules("trunk.xml");
    private final SplittableRandom random = new SplittableRandom(SEED);
    /** Attach, Join, Send of 3 and Leave. */
    private final int[] lengths = {25, 46, 57, 26};
    private final byte[] batch = batch(
        NAIVE.shapes.message(1), NAIVE.shapes.message(2, 3, 6), NAIVE.shapes.message(4, 3), NAIVE.shapes.message(3));

    @Test
    void shouldFindEveryMessage()
    {
        assertEquals(List.of(25, 46, 57, 26), check(batch));
    }

    @Test
    void shouldCountASendAsItsMessages()
    {
        final int[] counts = {1, 1, 3, 1};
        final UnsafeBuffer buffer = new UnsafeBuffer(batch);
        int at = TrunkMessages.ENTRY_HEADER_LENGTH;
        for (int i = 0; i < lengths.length; i++)
        {
            assertEquals(counts[i], TrunkMessages.entries(buffer, at), "message " + i);
            at += lengths[i] + TrunkMessages.ENTRY_HEADER_LENGTH;
        }
        assertEquals(150, TrunkMessages.entries(new UnsafeBuffer(NAIVE.shapes.message(4, 150)), 0));
    }

    @Test
    void shouldKnowPaddingByItsLengthOfZero()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[]{9, 0, 0, 9});
        assertTrue(TrunkMessages.isPadding(buffer, 1, 4));
        assertTrue(TrunkMessages.isPadding(buffer, 1, 3));
        assertFalse(TrunkMessages.isPadding(buffer, 1, 2), "no length");
        assertFalse(TrunkMessages.isPadding(buffer, 0, 4));
        assertFalse(TrunkMessages.isPadding(buffer, 2, 4));
    }

    @Test
    void shouldRefuseEveryTruncation()
    {
        for (int length = 0; length < batch.length; length++)
        {
            final List<Integer> expected = new ArrayList<>();
            int end = 0;
            for (int i = 0; end + 2 + lengths[i] <= length; i++)
            {
                expected.add(lengths[i]);
                end += 2 + lengths[i];
            }
            if (end < length)
            {
                expected.add(TOO_SHORT);
            }
            assertEquals(expected, check(Arrays.copyOf(batch, length)), "cut to " + length);
        }
    }

    @Test
    void shouldSurviveEveryLengthOfEveryMessage()
    {
        int at = 0;
        for (final int length : lengths)
        {
            final byte[] bytes = batch.clone();
            for (int value = 0; value <= 0xFFFF; value++)
            {
                bytes[at] = (byte)value;
                bytes[at + 1] = (byte)(value >>> 8);
                final List<Integer> found = check(bytes);
                assertEquals(length == value, found.equals(List.of(25, 46, 57, 26)), "length " + value + " at " + at);
            }
            at += 2 + length;
        }
    }

    @Test
    void shouldRefuseABatchWithAnInvalidMessage()
    {
        final byte[] attach = NAIVE.shapes.message(1);
        assertEquals(List.of(25, TOO_SHORT), check(batch(attach, new byte[0])));
        assertEquals(List.of(25, ~RefusalCode.TRAILING_BYTES.value()), check(batch(attach, Arrays.copyOf(attach, 26))));
        assertEquals(List.of(25, ~RefusalCode.WRONG_SCHEMA.value()),
            check(batch(attach, new Shapes("room.xml").shortest(1))));
    }

    @Test
    void shouldMapARoomToItsLoopAndStream()
    {
        assertEquals(0, TrunkMessages.loopOf((1L << 54) - 1));
        assertEquals(1, TrunkMessages.loopOf(1L << 54));
        assertEquals((1L << 54) + 5, TrunkMessages.roomId(1, 5));
        assertEquals(1_023, TrunkMessages.loopOf(-1));
        assertEquals(7_001, TrunkMessages.loopStreamId(0));
        assertEquals(7_064, TrunkMessages.loopStreamId(63));
    }

    /** The lengths of the messages, then the refusal, if any. The bytes around the batch must not matter. */
    private List<Integer> check(final byte[] bytes)
    {
        final int before = 1 + random.nextInt(16);
        final byte[] surrounded = new byte[before + bytes.length + 64];
        random.nextBytes(surrounded);
        System.arraycopy(bytes, 0, surrounded, before, bytes.length);
        final List<Integer> found = walk(new UnsafeBuffer(surrounded), before, bytes.length);
        assertEquals(walk(new UnsafeBuffer(bytes), 0, bytes.length), found, "seed " + SEED + ": neighbours");
        assertEquals(naiveWalk(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN)), found, () -> "seed " + SEED);
        return found;
    }

    private static List<Integer> walk(final UnsafeBuffer buffer, final int offset, final int length)
    {
        final List<Integer> found = new ArrayList<>();
        int at = offset;
        int entry = 0;
        while (at < offset + length && entry >= 0)
        {
            entry = TrunkMessages.entryLength(buffer, at, offset + length);
            found.add(entry);
            at += TrunkMessages.ENTRY_HEADER_LENGTH + entry;
        }
        return found;
    }

    private List<Integer> naiveWalk(final ByteBuffer in)
    {
        final List<Integer> found = new ArrayList<>();
        while (in.hasRemaining())
        {
            final int length = in.remaining() < 2 ? Integer.MAX_VALUE : in.getShort() & 0xFFFF;
            if (length > in.remaining())
            {
                found.add(TOO_SHORT);
                return found;
            }
            final int code = NAIVE.validate(in.slice(in.position(), length).order(ByteOrder.LITTLE_ENDIAN));
            found.add(0 == code ? length : ~code);
            if (0 != code)
            {
                return found;
            }
            in.position(in.position() + length);
        }
        return found;
    }

    private static byte[] batch(final byte[]... messages)
    {
        final ByteBuffer out = ByteBuffer.allocate(1_024).order(ByteOrder.LITTLE_ENDIAN);
        for (final byte[] message : messages)
        {
            out.putShort((short)message.length).put(message);
        }
        return Arrays.copyOf(out.array(), out.position());
    }
}
