package io.escapement.codecs;

import io.escapement.codecs.room.RefusalCode;
import io.escapement.testsupport.Tests;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Messages in parts: what was split is joined, and nothing else. */
class MessageJoinerTest
{
    private static final int BAD_PART = RefusalCode.BAD_PART.value();
    private static final int TOO_LONG = RefusalCode.TOO_LONG.value();
    private static final int LIMIT = 1_000;
    private static final int AT = 3;

    private final MessageJoiner joiner = new MessageJoiner(LIMIT);
    private final MessageSplitter splitter = new MessageSplitter();

    private static byte[] message(final int length, final long seed)
    {
        final byte[] bytes = new byte[length];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }

    private List<byte[]> parts(final byte[] message, final int maxPayload)
    {
        final List<byte[]> parts = new ArrayList<>();
        final UnsafeBuffer out = new UnsafeBuffer(new byte[AT + maxPayload]);
        splitter.wrap(new UnsafeBuffer(message), 0, message.length, maxPayload);
        while (splitter.hasNext())
        {
            final int expected = splitter.nextLength();
            assertEquals(expected, splitter.encode(out, AT));
            // One that a trunk did not take is the next again.
            assertEquals(expected, splitter.encode(out, AT));
            parts.add(Arrays.copyOfRange(out.byteArray(), AT, AT + expected));
            splitter.advance();
        }
        assertEquals(0, splitter.nextLength());
        assertThrows(IllegalStateException.class, () -> splitter.encode(out, AT));
        return parts;
    }

    private int onPart(final byte[] part)
    {
        final byte[] shifted = new byte[AT + part.length];
        System.arraycopy(part, 0, shifted, AT, part.length);
        return joiner.onPart(new UnsafeBuffer(shifted), AT, part.length);
    }

    private byte[] joined()
    {
        final byte[] bytes = new byte[joiner.length()];
        joiner.buffer().getBytes(0, bytes);
        return bytes;
    }

    @Test
    void shouldJoinWhatWasSplit()
    {
        for (final int maxPayload : new int[]{17, 18, 64, 512, 2_000})
        {
            for (final int length : new int[]{1, 2, 15, 48, 496, 497, 999, LIMIT})
            {
                final byte[] message = message(length, length);
                final List<byte[]> parts = parts(message, maxPayload);
                assertEquals((length + maxPayload - 17) / (maxPayload - 16), parts.size());
                for (int i = 0; i < parts.size(); i++)
                {
                    assertTrue(parts.get(i).length <= maxPayload);
                    assertTrue(MessageJoiner.isPart(new UnsafeBuffer(parts.get(i)), 0, parts.get(i).length));
                    assertEquals(0, onPart(parts.get(i)));
                    assertEquals(i == parts.size() - 1, joiner.isComplete());
                }
                assertArrayEquals(message, joined());
            }
        }
    }

    @Test
    void shouldRefusePartsThatAreNotTheNext()
    {
        final List<byte[]> parts = parts(message(100, 1), 48);
        assertEquals(BAD_PART, onPart(parts.get(1)), "none has begun");
        assertEquals(0, onPart(parts.get(0)));
        assertEquals(BAD_PART, onPart(parts.get(2)), "one is missing");
        assertEquals(BAD_PART, onPart(parts.get(1)), "the message was dropped");
        assertEquals(0, onPart(parts.get(0)));
        assertEquals(0, onPart(parts.get(1)));
        assertEquals(BAD_PART, onPart(parts.get(1)), "twice");
        assertEquals(0, joiner.length());
        assertEquals(0, onPart(parts.get(0)));
        final byte[] other = parts(message(101, 1), 48).get(1);
        assertEquals(BAD_PART, onPart(other), "of a message of another length");
        for (final byte[] part : parts)
        {
            assertEquals(0, onPart(part));
        }
        assertTrue(joiner.isComplete());
        assertEquals(BAD_PART, onPart(parts.get(3)), "behind the end");
    }

    @Test
    void shouldBeginAgainWithAFirstPartAndAfterAReset()
    {
        final List<byte[]> parts = parts(message(100, 1), 48);
        final byte[] second = message(60, 2);
        assertEquals(0, onPart(parts.get(0)));
        for (final byte[] part : parts(second, 48))
        {
            assertEquals(0, onPart(part));
        }
        assertArrayEquals(second, joined());
        assertEquals(0, onPart(parts.get(0)));
        joiner.reset();
        assertEquals(BAD_PART, onPart(parts.get(1)));
        splitter.wrap(new UnsafeBuffer(second), 0, 60, 48);
        final UnsafeBuffer out = new UnsafeBuffer(new byte[48]);
        splitter.encode(out, 0);
        final byte[] first = out.byteArray().clone();
        splitter.advance();
        splitter.restart();
        splitter.encode(out, 0);
        assertArrayEquals(first, out.byteArray());
    }

    @Test
    void shouldRefuseHostileParts()
    {
        final byte[] part = parts(message(100, 1), 48).get(0);
        final int[] wrong = {0, 1, 2, 3, 4, 5, 6, 7, 12, 13, 14, 15};
        for (final int at : wrong)
        {
            final byte[] changed = part.clone();
            changed[at] ^= 0x40;
            assertEquals(BAD_PART, onPart(changed), "byte " + at);
        }
        for (final int length : new int[]{LIMIT + 1, Integer.MAX_VALUE, -1, Integer.MIN_VALUE})
        {
            final byte[] changed = part.clone();
            new UnsafeBuffer(changed).putInt(8, length, ByteOrder.LITTLE_ENDIAN);
            assertEquals(TOO_LONG, onPart(changed), "length " + length);
        }
        for (int length = 0; length <= 16; length++)
        {
            assertEquals(BAD_PART, onPart(Arrays.copyOf(part, length)), "of " + length + " bytes");
        }
        final byte[] over = part.clone();
        new UnsafeBuffer(over).putInt(8, 31, ByteOrder.LITTLE_ENDIAN);
        assertEquals(BAD_PART, onPart(over), "more bytes than the message has");
        final byte[] none = part.clone();
        new UnsafeBuffer(none).putInt(8, 0, ByteOrder.LITTLE_ENDIAN);
        assertEquals(BAD_PART, onPart(none), "a message of no bytes");
        assertFalse(joiner.isComplete());
        assertFalse(MessageJoiner.isPart(new UnsafeBuffer(part), 0, 7));
    }

    /** From any bytes it takes none that do not fit, and a complete message has the bytes of its parts. */
    @Test
    void shouldSurviveRandomParts()
    {
        final long seed = Tests.seed();
        final SplittableRandom random = new SplittableRandom(seed);
        final List<byte[]> parts = parts(message(200, 3), 48);
        int complete = 0;
        for (int i = 0; i < 100_000; i++)
        {
            final byte[] part = parts.get(0 == random.nextInt(4) ? random.nextInt(parts.size()) :
                i % parts.size()).clone();
            if (0 == random.nextInt(8))
            {
                part[random.nextInt(part.length)] = (byte)random.nextInt();
            }
            final int code = onPart(part);
            assertTrue(0 == code || BAD_PART == code || TOO_LONG == code, "seed " + seed);
            assertTrue(joiner.received() <= joiner.length() && joiner.length() <= LIMIT, "seed " + seed);
            complete += joiner.isComplete() ? 1 : 0;
        }
        assertTrue(complete > 1_000, complete + " messages, seed " + seed);
    }

    @Test
    void shouldRefuseWrongArguments()
    {
        final DirectBuffer bytes = new UnsafeBuffer(new byte[100]);
        assertThrows(IllegalArgumentException.class, () -> new MessageJoiner(0));
        assertThrows(IllegalArgumentException.class, () -> new MessageJoiner(MessageSplitter.MAX_MESSAGE_LENGTH + 1));
        assertEquals(0, new MessageJoiner(1).received());
        assertEquals(0, new MessageJoiner(MessageSplitter.MAX_MESSAGE_LENGTH).length());
        assertThrows(IllegalArgumentException.class, () -> splitter.wrap(bytes, 0, 0, 48));
        assertThrows(IllegalArgumentException.class, () -> splitter.wrap(bytes, 0, 10, 16));
        assertThrows(IndexOutOfBoundsException.class, () -> splitter.wrap(bytes, 50, 51, 48));
        assertThrows(IllegalStateException.class, () -> joiner.restore(10, bytes, 0, 0));
        assertThrows(IllegalStateException.class, () -> joiner.restore(10, bytes, 0, 10));
        assertThrows(IllegalStateException.class, () -> joiner.restore(LIMIT + 1, bytes, 0, 10));
        joiner.restore(LIMIT, bytes, 0, 1);
        assertEquals(1, joiner.received());
        joiner.reset();
        assertEquals(0, joiner.received());
    }
}
