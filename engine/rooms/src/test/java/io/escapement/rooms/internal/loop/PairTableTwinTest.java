package io.escapement.rooms.internal.loop;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** The table against a map, with few enough keys that they collide, move and come back. */
class PairTableTwinTest
{
    private static final long SEED = 5_104;

    private record Pair(long first, long second)
    {
    }

    @Test
    void shouldHoldWhatAMapHolds()
    {
        final SplittableRandom random = new SplittableRandom(SEED);
        for (int round = 0; round < 40; round++)
        {
            final PairTable table = new PairTable();
            final Map<Pair, Long> twin = new HashMap<>();
            final List<Pair> pairs = new ArrayList<>();
            for (int i = 0; i < 10 + 40 * round; i++)
            {
                pairs.add(new Pair(random.nextLong(1, 20), random.nextLong(-5, 40) << random.nextInt(60)));
            }
            for (int step = 0; step < 4_000; step++)
            {
                final Pair pair = pairs.get(random.nextInt(pairs.size()));
                if (0 != random.nextInt(2))
                {
                    final long value = 1 + step;
                    table.put(pair.first, pair.second, value);
                    twin.put(pair, value);
                }
                else
                {
                    final Long removed = twin.remove(pair);
                    assertEquals(null == removed ? 0 : removed, table.remove(pair.first, pair.second), this::seed);
                }
                assertEquals(twin.size(), table.size(), this::seed);
            }
            for (final Pair pair : pairs)
            {
                assertEquals(twin.getOrDefault(pair, 0L), table.get(pair.first, pair.second), this::seed);
            }
        }
    }

    private String seed()
    {
        return "seed " + SEED;
    }
}
