package io.escapement.rooms.log;

import java.util.Arrays;
import java.util.Random;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Whatever happens to a file is found, and named by an offset within the record it happened to.
 */
@Timeout(60)
class DamageTest
{
    private static final long SEED = 0x5EED_1065L;
    private static final int FLIPS = 10_000;

    @Test
    void shouldFindEveryTruncationOfALog()
    {
        assertFindsTruncations(Logs.small().toArray(), RecordHeader.LOG, Logs::open);
    }

    @Test
    void shouldFindEveryTruncationOfASnapshot()
    {
        assertFindsTruncations(Logs.snapshot().toArray(), RecordHeader.SNAPSHOT, DamageTest::verifySnapshot);
    }

    @Test
    void shouldFindEveryBitFlipOfALog()
    {
        assertFindsAllBitFlips(Logs.small().toArray(), RecordHeader.LOG, Logs::open);
    }

    @Test
    void shouldFindEveryBitFlipOfALogThatMayBeUnfinished()
    {
        assertFindsAllBitFlips(
            Logs.small().toArray(),
            RecordHeader.LOG,
            (bytes) -> TurnLogReader.openUnfinished(new UnsafeBuffer(bytes), 0, bytes.length));
    }

    @Test
    void shouldFindEveryBitFlipOfASnapshot()
    {
        assertFindsAllBitFlips(Logs.snapshot().toArray(), RecordHeader.SNAPSHOT, DamageTest::verifySnapshot);
    }

    @Test
    void shouldFindBitFlipsOfALargeLog()
    {
        final Random random = new Random(SEED);
        final byte[] bytes = Logs.large(random, 400).toArray();
        assertTrue(bytes.length > 100_000, "length " + bytes.length);
        assertDoesNotThrow(() -> Logs.open(bytes));

        final int[] starts = Logs.starts(bytes, RecordHeader.LOG);
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
            final String what = "seed " + SEED + ", cut to " + length;
            final DamagedRecordException ex =
                assertThrows(DamagedRecordException.class, () -> verifier.accept(cut), what);
            assertEquals(starts[recordOf(starts, length)], ex.offset(), what + ", " + ex.getMessage());
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
        final String what = "seed " + SEED + ", flipped bit " + bit + " at " + index;
        final DamagedRecordException ex =
            assertThrows(DamagedRecordException.class, () -> verifier.accept(bytes), what);
        bytes[index] ^= mask;

        final int record = recordOf(starts, index);
        final String range = "[" + starts[record] + ", " + starts[record + 1] + ")";
        assertTrue(
            ex.offset() >= starts[record] && ex.offset() < starts[record + 1],
            what + " in " + range + ", " + ex.getMessage());
        assertTrue(ex.getMessage().contains("offset " + ex.offset() + ": " + ex.reason()), ex.getMessage());
    }

    private static int recordOf(final int[] starts, final int index)
    {
        final int found = Arrays.binarySearch(starts, index);

        return found >= 0 ? found : -found - 2;
    }

    private static void verifySnapshot(final byte[] bytes)
    {
        new RecordReader(new UnsafeBuffer(bytes), 0, bytes.length, RecordHeader.SNAPSHOT).verifyAll();
    }
}
