package io.escapement.rooms.scenario;

import io.escapement.rooms.DamagedRecordException;
import io.escapement.testsupport.Tests;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A restore detects every truncation and every flipped bit. */
class SnapshotDamageTest
{
    private static final long SEED = 991;
    /** A divisor of no record. */
    private static final int STEP = Tests.isFull() ? 1 : 7;
    private static final int BIT_FLIPS = Tests.isFull() ? 10_000 : 1_500;

    @Test
    void shouldDetectEveryTruncation()
    {
        final byte[] bytes = SnapshotTest.snapshotAfter(60).toArray();
        for (int length = 0; length < bytes.length; length += STEP)
        {
            final byte[] cut = Arrays.copyOf(bytes, length);
            assertThrows(
                DamagedRecordException.class, () -> SnapshotTest.restore(cut), "cut to " + length);
        }
    }

    @Test
    void shouldDetectBitFlips()
    {
        final byte[] bytes = SnapshotTest.snapshotAfter(2_000).toArray();
        final SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < BIT_FLIPS; i++)
        {
            final int at = random.nextInt(bytes.length);
            final byte bit = (byte)(1 << random.nextInt(8));
            bytes[at] ^= bit;
            final DamagedRecordException damage = assertThrows(
                DamagedRecordException.class, () -> SnapshotTest.restore(bytes),
                "flipped " + bit + " at " + at);
            assertTrue(damage.getMessage().contains(Long.toString(damage.offset())), damage.getMessage());
            bytes[at] ^= bit;
        }
        SnapshotTest.restore(bytes);
    }
}
