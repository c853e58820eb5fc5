package io.escapement.engine.internal.edge;

import io.escapement.engine.trunks.TrunkServerContext;
import io.escapement.testsupport.Tests;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The rates of seats, which are counted only when all of a trunk together exceed the rate of one. */
class EntryLimitsTest
{
    private static final int RATE = 1_000;
    private static final int BURST = RATE / 10;
    private static final long NS_PER_ENTRY = TimeUnit.SECONDS.toNanos(1) / RATE;
    private static final long ROOM = 7;
    private static final int STEPS = 2_000;

    private final EntryLimits limits = new EntryLimits(new TrunkServerContext().rates(1_000_000_000, RATE));
    private final List<Long> lately = new ArrayList<>();
    private long nowNs;
    private long total;
    private long most;

    @Test
    void shouldNotLetASeatExceedItsRateForLongHoweverItPauses()
    {
        final long seed = Tests.seed();
        final Random random = new Random(seed);
        for (int i = 0; i < STEPS; i++)
        {
            nowNs += random.nextLong(BURST / 2, 5 * BURST / 2) * NS_PER_ENTRY;
            send(0, BURST);
            send(0, BURST);
            assertTrue(total <= 2 * BURST + nowNs / NS_PER_ENTRY,
                total + " of " + nowNs / NS_PER_ENTRY + ", seed " + seed + ", step " + i);
        }
        assertTrue(total >= nowNs / NS_PER_ENTRY / 2, total + " of " + nowNs / NS_PER_ENTRY + ", seed " + seed);
        assertTrue(most <= 3 * BURST, most + " in a tenth of a second, seed " + seed);
    }

    @Test
    void shouldNeverRefuseASeatWithinItsRateBesideOneThatFloods()
    {
        final long seed = Tests.seed();
        final Random random = new Random(seed);
        long quietNs = 0;
        for (int i = 0; i < STEPS; i++)
        {
            nowNs += random.nextInt((int)NS_PER_ENTRY);
            send(0, random.nextInt(10));
            if (nowNs - quietNs >= NS_PER_ENTRY)
            {
                quietNs = nowNs;
                assertEquals(1, send(1, 1), "seed " + seed + ", step " + i);
            }
        }
    }

    @Test
    void shouldAdmitSeatsThatTogetherExceedTheRateOfOne()
    {
        for (int i = 0; i < STEPS; i++)
        {
            nowNs += NS_PER_ENTRY;
            for (int seat = 0; seat < 4; seat++)
            {
                assertEquals(1, send(seat, 1), "step " + i);
            }
        }
    }

    /** Send a batch of one seat. Returns how many entries are admitted. */
    private int send(final int seat, final int entries)
    {
        limits.take(entries, nowNs);
        int admitted = 0;
        for (int i = 0; i < entries; i++)
        {
            if (limits.tryTakeForSeat(ROOM, seat, nowNs))
            {
                admitted++;
                lately.add(nowNs);
            }
        }
        lately.removeIf((ns) -> nowNs - ns > BURST * NS_PER_ENTRY);
        total += admitted;
        most = Math.max(most, lately.size());
        return admitted;
    }
}
