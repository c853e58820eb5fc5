package io.escapement.rooms.log;

import io.escapement.rooms.DamagedRecordException;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Every kind of damage is detected, and its offset lies in the damaged record. */
class DamageTest
{
    private static final long SEED = 0x5EED_1065L;
    private static final int FLIPS = 10_000;

    @Test
    void shouldDetectEveryTruncationOfALog()
    {
        assertFindsTruncations(Logs.small().toArray(), LogRecords.LOG, Logs::open);
    }

    @Test
    void shouldDetectEveryTruncationOfASnapshot()
    {
        assertFindsTruncations(Logs.snapshot().toArray(), LogRecords.SNAPSHOT, DamageTest::verifySnapshot);
    }

    @Test
    void shouldDetectEveryBitFlipOfALog()
    {
        assertFindsAllBitFlips(Logs.small().toArray(), LogRecords.LOG, Logs::open);
    }

    @Test
    void shouldDetectEveryBitFlipOfALogThatMayBeUnfinished()
    {
        assertFindsAllBitFlips(
            Logs.small().toArray(),
            LogRecords.LOG,
            (bytes) -> LogFile.openUnfinished(new UnsafeBuffer(bytes), 0, bytes.length));
    }

    @Test
    void shouldDetectEveryBitFlipOfASnapshot()
    {
        assertFindsAllBitFlips(Logs.snapshot().toArray(), LogRecords.SNAPSHOT, DamageTest::verifySnapshot);
    }

    @Test
    void shouldDetectBitFlipsOfALargeLog()
    {
        final Random random = new Random(SEED);
        final byte[] bytes = Logs.large(random, 400).toArray();
        assertTrue(bytes.length > 100_000, "length " + bytes.length);
        assertDoesNotThrow(() -> Logs.open(bytes));

        final int[] starts = Logs.starts(bytes, LogRecords.LOG);
        for (int i = 0; i < FLIPS; i++)
        {
            assertFindsBitFlip(bytes, starts, random.nextInt(bytes.length * Byte.SIZE), Logs::open);
        }
    }

    private static void assertFindsTruncations(
        final byte[] bytes, final int fileKind, final Consumer<byte[]> verifier)
    {
        assertDoesNotThrow(() -> verifier.accept(bytes));

        final int[] starts = Logs.starts(bytes, fileKind);
        for (int length = 0; length < bytes.length; length++)
        {
            final byte[] cut = Arrays.copyOf(bytes, length);
            final String context = "seed " + SEED + ", cut to " + length;
            final DamagedRecordException ex =
                assertThrows(DamagedRecordException.class, () -> verifier.accept(cut), context);
            assertEquals(starts[recordOf(starts, length)], ex.offset(), context + ", " + ex.getMessage());
            assertTrue(ex.getMessage().contains(Long.toString(ex.offset())), ex.getMessage());
        }
    }

    private static void assertFindsAllBitFlips(
        final byte[] bytes, final int fileKind, final Consumer<byte[]> verifier)
    {
        assertDoesNotThrow(() -> verifier.accept(bytes));

        final int[] starts = Logs.starts(bytes, fileKind);
        for (int bit = 0; bit < bytes.length * Byte.SIZE; bit++)
        {
            assertFindsBitFlip(bytes, starts, bit, verifier);
        }
    }

    private static void assertFindsBitFlip(
        final byte[] bytes, final int[] starts, final int bit, final Consumer<byte[]> verifier)
    {
        final int index = bit / Byte.SIZE;
        final byte mask = (byte)(1 << bit % Byte.SIZE);
        bytes[index] ^= mask;
        final String context = "seed " + SEED + ", flipped bit " + bit + " at " + index;
        final DamagedRecordException ex =
            assertThrows(DamagedRecordException.class, () -> verifier.accept(bytes), context);
        bytes[index] ^= mask;

        final int record = recordOf(starts, index);
        final String range = "[" + starts[record] + ", " + starts[record + 1] + ")";
        assertTrue(
            ex.offset() >= starts[record] && ex.offset() < starts[record + 1],
            context + " in " + range + ", " + ex.getMessage());
        assertTrue(ex.getMessage().contains("offset " + ex.offset() + ": " + ex.reason()), ex.getMessage());
    }

    private static int recordOf(final int[] starts, final int index)
    {
        final int found = Arrays.binarySearch(starts, index);

        return found >= 0 ? found : -found - 2;
    }

    private static void verifySnapshot(final byte[] bytes)
    {
        new LogReader(new UnsafeBuffer(bytes), 0, bytes.length, LogRecords.SNAPSHOT).verifyAll();
    }
}
