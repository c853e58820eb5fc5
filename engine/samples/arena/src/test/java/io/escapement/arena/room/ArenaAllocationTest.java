package io.escapement.arena.room;

import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A running arena allocates nothing: frames, inputs, deaths, respawns, saves and chat. By the first compiler only,
 * because the second one allocates a little on our thread when it gives up code that it has guessed wrong.
 */
class ArenaAllocationTest
{
    private static final int FRAMES = 10_000;

    @Test
    void shouldNotAllocate()
    {
        final ArenaBench arena = ArenaFightTest.fight(60, 2, 0, 5_000);
        arena.play(FRAMES);
        assertEquals(0, arena.bench.allocatedBytesOverLast(FRAMES));
        assertTrue(arena.characters.saveSerials.size() > 16);
        assertTrue(arena.players.get(0).client.stats().chats() > 10);
        assertTrue(arena.players.get(0).client.stats().events() > 1_000);
    }
}
