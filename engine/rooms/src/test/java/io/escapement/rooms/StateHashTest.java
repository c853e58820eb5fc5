package io.escapement.rooms;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class StateHashTest
{
    /** Beyond several rounds of all lanes. */
    private static final int LONGEST = 200;
    private static final long SEED = 4_711;

    @Test
    void shouldChangeWithEveryByteAndEveryLength()
    {
        final UnsafeBuffer bytes = random();
        for (int length = 0; length <= LONGEST; length++)
        {
            final Set<Long> hashes = new HashSet<>();
            hashes.add(hash(bytes, 0, length));
            for (int i = 0; i < length; i++)
            {
                bytes.putByte(i, (byte)(bytes.getByte(i) ^ 1));
                hashes.add(hash(bytes, 0, length));
                bytes.putByte(i, (byte)(bytes.getByte(i) ^ 1));
            }
            assertEquals(length + 1, hashes.size(), "of " + length + " bytes, seed " + SEED);
        }
        final Set<Long> ofZeros = new HashSet<>();
        for (int length = 0; length <= LONGEST; length++)
        {
            assertTrue(ofZeros.add(hash(new UnsafeBuffer(new byte[LONGEST]), 0, length)), length + " zeros");
        }
    }

    @Test
    void shouldChangeWhenWordsOrLanesChangePlaces()
    {
        final UnsafeBuffer bytes = random();
        final long before = hash(bytes, 0, LONGEST);
        for (int i = 0; i + Long.BYTES <= LONGEST; i += Long.BYTES)
        {
            for (int j = i + Long.BYTES; j + Long.BYTES <= LONGEST; j += Long.BYTES)
            {
                swap(bytes, i, j);
                assertTrue(before != hash(bytes, 0, LONGEST), i + " and " + j + ", seed " + SEED);
                swap(bytes, i, j);
            }
        }
    }

    @Test
    void shouldNotDependOnWhereTheBytesAre()
    {
        final UnsafeBuffer bytes = random();
        for (int shift = 1; shift < Long.BYTES; shift++)
        {
            final UnsafeBuffer shifted = new UnsafeBuffer(new byte[LONGEST + Long.BYTES]);
            shifted.putBytes(shift, bytes, 0, LONGEST);
            assertEquals(hash(bytes, 0, LONGEST), hash(shifted, shift, LONGEST));
        }
    }

    @Test
    void shouldNotDependOnTheKindOfMemory()
    {
        final UnsafeBuffer bytes = random();
        final UnsafeBuffer direct = new UnsafeBuffer(ByteBuffer.allocateDirect(LONGEST));
        direct.putBytes(0, bytes, 0, LONGEST);
        assertEquals(hash(bytes, 3, LONGEST - 5), hash(direct, 3, LONGEST - 5));
    }

    @Test
    void shouldReadNoByteOutsideTheBuffer()
    {
        final UnsafeBuffer bytes = new UnsafeBuffer(random(), 0, LONGEST - 1);
        assertThrows(IndexOutOfBoundsException.class, () -> hash(bytes, 1, LONGEST - 1));
        assertThrows(IndexOutOfBoundsException.class, () -> hash(bytes, -1, 1));
    }

    @Test
    void shouldChangeWithEachOfFourValuesAndTheirOrder()
    {
        final long[] values = {1, 0, -1, 1L << 63};
        final Set<Long> hashes = new HashSet<>();
        int made = 0;
        for (int i = 0; i < 256; i++)
        {
            final StateHash hash = new StateHash();
            hash.putLongs(values[i & 3], values[i >> 2 & 3], values[i >> 4 & 3], values[i >> 6]);
            hashes.add(hash.value());
            made++;
        }
        assertEquals(made, hashes.size());
    }

    private static UnsafeBuffer random()
    {
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[LONGEST]);
        new SplittableRandom(SEED).nextBytes(bytes.byteArray());
        return bytes;
    }

    private static void swap(final UnsafeBuffer bytes, final int i, final int j)
    {
        final long at = bytes.getLong(i);
        bytes.putLong(i, bytes.getLong(j));
        bytes.putLong(j, at);
    }

    private static long hash(final UnsafeBuffer bytes, final int offset, final int length)
    {
        final StateHash hash = new StateHash();
        hash.putBytes(bytes, offset, length);
        return hash.value();
    }
}
