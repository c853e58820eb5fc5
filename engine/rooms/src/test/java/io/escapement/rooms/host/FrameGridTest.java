package io.escapement.rooms.host;

import java.math.BigInteger;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class FrameGridTest
{
    private static final long SEED = 60;
    private static final BigInteger SECOND = BigInteger.valueOf(1_000_000_000L);

    @Test
    void shouldMatchPlainArithmetic()
    {
        final SplittableRandom random = new SplittableRandom(SEED);
        for (int i = 0; i < 500_000; i++)
        {
            final int rate = 1 + random.nextInt(Frames.MAX_RATE_HZ);
            final int phases = 1 + random.nextInt(8);
            final int phase = random.nextInt(phases);
            final long n = random.nextLong(random.nextBoolean() ? 1_000 : rate * 86_400L * 3_650);
            final FrameGrid grid = new FrameGrid(rate, phase, phases);
            final long offset = SECOND.longValueExact() * phase / ((long)rate * phases);
            final long expected = SECOND.multiply(BigInteger.valueOf(n)).divide(BigInteger.valueOf(rate))
                .longValueExact() + offset;
            final String which = "seed " + SEED + ": " + rate + " Hz, phase " + phase + "/" + phases + ", frame " + n;
            assertEquals(expected, grid.deadlineNs(n), which);
            assertEquals(n, grid.lastAt(expected), which);
            assertEquals(n - 1, grid.lastAt(expected - 1), which);
        }
    }

    @Test
    void shouldNotDriftOverAYear()
    {
        final FrameGrid grid = new FrameGrid(60, 0, 4);
        final long days = 365;
        long n = 0;
        long last = 0;
        for (long hour = 1; hour <= 24 * days; hour++)
        {
            n += 60 * 3_600;
            assertEquals(TimeUnit.HOURS.toNanos(hour), grid.deadlineNs(n));
            assertTrue(grid.deadlineNs(n) > last);
            last = grid.deadlineNs(n);
        }
    }
}
