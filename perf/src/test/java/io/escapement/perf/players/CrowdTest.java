package io.escapement.perf.players;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(10)
class CrowdTest
{
    private static final int ROOMS = 32;
    private static final int SEATS = 16;
    private static final int TRUNKS = 16;

    @Test
    void shouldSpreadTheSeatsOfARoomOverAllTrunks()
    {
        assertTrunks(Crowd.SPREAD, TRUNKS);
    }

    @Test
    void shouldAlignTheSeatsOfARoomOnOneTrunk()
    {
        assertTrunks(Crowd.ALIGNED, 1);
    }

    @Test
    void shouldReadItsOptionsBack()
    {
        final PlayersOptions options = new PlayersOptions(new Crowd(3, 4, 60, 2, 100, Crowd.ALIGNED),
            PlayersHost.of(8, "yield", 8_192, 250, 20_000), 77, new Phase(120, 500),
            List.of(List.of(new Phase(120, 1_000), new Phase(96, 2_000)), List.of(new Phase(1_200, 3))));
        assertEquals(options, PlayersOptions.of(options.toArguments().toArray(new String[0])));
        assertTrue(options.isOverload());
        assertEquals(List.of(250, 125, 125, 3_000, 3),
            IntStream.range(0, 5).map(options::partMs).boxed().toList(), "the warm-up's three, and the others");
        assertEquals(3_503, options.durationMs());
    }

    @Test
    void shouldNeverSpinMoreThreadsThanThereAreCores()
    {
        for (int cores = 1; cores <= 16; cores++)
        {
            final PlayersHost host = PlayersHost.of(cores, "busy", 1_408, 0, 20_000);
            final int spinning = host.loops() + (host.isShared() ? 1 : 0) + (host.areBotsBusy() ? 1 : 0);
            assertTrue(spinning <= cores, spinning + " threads spin on " + cores + " cores");
        }
        assertFalse(PlayersHost.of(2, "park", 1_408, 0, 20_000).isShared());
        assertFalse(PlayersHost.of(1, "park", 1_408, 0, 20_000).areBotsBusy());
        assertTrue(PlayersHost.of(2, "busy", 1_408, 0, 20_000).areBotsBusy());
    }

    private static void assertTrunks(final String placement, final int trunksOfARoom)
    {
        final Crowd crowd = new Crowd(ROOMS, SEATS, 60, TRUNKS, 200, placement);
        final int[] players = new int[TRUNKS];
        for (int room = 0; room < ROOMS; room++)
        {
            final Set<Integer> trunks = new TreeSet<>();
            for (int seat = 0; seat < SEATS; seat++)
            {
                trunks.add(crowd.trunkOf(room, seat));
                players[crowd.trunkOf(room, seat)]++;
            }
            assertEquals(trunksOfARoom, trunks.size(), "trunks of room " + room);
        }
        for (final int count : players)
        {
            assertEquals(crowd.players() / TRUNKS, count, "players of a trunk");
        }
    }
}
