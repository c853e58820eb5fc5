package io.escapement.matchmaking;

import io.escapement.rooms.bench.RoomBench;
import io.escapement.testsupport.Tests;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The work of frames with 10,000 waiting players, most of whom cannot be matched. The full form prints its time. */
class MatchmakerCostTest
{
    private static final int PLAYERS = 10_000;
    private static final int PARTY = 3;
    private static final int WARM_UP_FRAMES = Tests.isFull() ? 2_000 : 60;
    private static final int ROUNDS = Tests.isFull() ? 100 : 5;
    private static final int FRAMES = 20;

    @Test
    void shouldBoundTheWorkOfAFrame()
    {
        // Parties of three never make a match of four, but all of them accept each other.
        final MatchmakerContext context = new MatchmakerContext(MatchRig.MATCH, PARTY + 1).waitingLimit(PLAYERS)
            .maxRange(5_000).initialRange(5_000).timeoutNs(TimeUnit.HOURS.toNanos(1));
        final MatchRig rig = new MatchRig(context, PARTY + 1, PLAYERS, Matchmaker.REQUESTS);
        for (int i = 0; i < PLAYERS; i++)
        {
            rig.join(1 + i).enqueue(i % 5_000, 1 + i / PARTY, PARTY);
        }
        final Matchmaker matchmaker = rig.matchmakers.get(0);
        rig.bench.step(WARM_UP_FRAMES);
        long comparisons = 0;
        long bytes = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++)
        {
            for (int i = 0; i < FRAMES; i++)
            {
                final long before = matchmaker.comparisons();
                turn(rig.bench);
                comparisons = Math.max(comparisons, matchmaker.comparisons() - before);
            }
            // A compilation in the first rounds may allocate.
            bytes = Math.min(bytes, rig.bench.allocatedBytesOverLast(FRAMES));
        }
        assertTrue(comparisons >= Matchmaker.COMPARISONS_OF_FRAME, comparisons + ": the tickets do not wait");
        assertTrue(comparisons <= Matchmaker.COMPARISONS_OF_FRAME + Matchmaker.MAX_SEARCH_COMPARISONS,
            comparisons + " comparisons in a frame");
        assertEquals(0, bytes);
        assertTrue(rig.openedMap.isEmpty());
    }

    void turn(final RoomBench bench)
    {
        bench.step(1);
    }
}
