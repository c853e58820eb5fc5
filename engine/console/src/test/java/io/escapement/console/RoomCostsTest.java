package io.escapement.console;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Costs from samples that the test takes, a second of them at a time. */
class RoomCostsTest
{
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

    /** Room that runs on each loop, 0 for none. */
    private final long[] running = new long[2];
    private final RoomCosts costs = new RoomCosts((loop) -> running[loop], running.length, 0);
    private long nowNs;

    @Test
    void shouldShareOutTheTimeOfEachLoop()
    {
        run(1_000, 7, 9);
        run(2_000, 8, 0);
        run(1_000, 0, 0);
        assertEquals(List.of(8L, 7L), rooms(0));
        assertEquals(List.of(9L), rooms(1));
        assertEquals(0.5, costs.share(0, 8), 0.1);
        assertEquals(0.25, costs.share(0, 7), 0.1);
        assertEquals(0.25, costs.share(1, 9), 0.1);
        assertEquals(List.of(8L), costs.most(0, 1).stream().map(RoomCosts.Cost::roomId).toList());
        assertTrue(Double.isNaN(costs.share(1, 7)), "a room of another loop");
    }

    @Test
    void shouldForgetRoomsThatRunNoMore()
    {
        run(30_000, 7, 0);
        run(30_000, 8, 0);
        assertEquals(List.of(8L, 7L), rooms(0));
        assertEquals(1.0 / 3, costs.share(0, 7), 0.1, "half after half a minute");
        run(600_000, 8, 0);
        assertEquals(List.of(8L), rooms(0));
        assertEquals(1, costs.share(0, 8), 1e-3);
    }

    /** Samples at fixed times would always meet the same phase of a room that runs in a fixed rhythm. */
    @Test
    void shouldSampleAtRandomTimesFiveMillisecondsApart()
    {
        long hits = 0;
        long samples = 0;
        long dueNs = 0;
        while (dueNs < 100_000 * MS)
        {
            final long atNs = dueNs;
            // It runs in the first fifth of each 5 ms.
            running[0] = atNs % (5 * MS) < MS ? 7 : 0;
            hits += 0 == running[0] ? 0 : 1;
            dueNs = costs.sample(atNs);
            samples++;
            assertEquals(dueNs, costs.sample(Math.max(atNs, dueNs - 1)), "too early for another");
        }
        assertEquals(20_000, samples, 1_000);
        assertEquals(0.2, hits / (double)samples, 0.02);
    }

    /** A late frame of a second leads to it. */
    @Test
    void shouldKnowTheRoomThatRanLongestInEachSecond()
    {
        run(1_000, 0, 9);
        run(300, 7, 0);
        run(40, 8, 0);
        run(10_000, 0, 0);
        final long second = LatencyHistory.secondOf(1_200 * MS);
        assertEquals(7, costs.longestRun(0, second).roomId());
        assertEquals(1_000, costs.longestRun(0, second).beginNs() / MS, 25);
        assertEquals(300, costs.longestRun(0, second).lengthNs() / MS, 40);
        assertEquals(7, costs.longestRun(0, second + 1).roomId(), "a frame is late after the turn that was long");
        assertNull(costs.longestRun(0, second + 2));
        assertEquals(9, costs.longestRun(1, second).roomId());
        run(310_000, 0, 0);
        assertNull(costs.longestRun(0, second), "the heat map has no such second");
    }

    private void run(final long ms, final long roomOfFirst, final long roomOfSecond)
    {
        running[0] = roomOfFirst;
        running[1] = roomOfSecond;
        final long endNs = nowNs + ms * MS;
        while (nowNs < endNs)
        {
            nowNs = Math.min(endNs, costs.sample(nowNs));
        }
    }

    private List<Long> rooms(final int loop)
    {
        return costs.most(loop, RoomCosts.LIMIT).stream().map(RoomCosts.Cost::roomId).toList();
    }
}
