package io.escapement.arena.room;

import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A running arena allocates nothing: frames, inputs, deaths, respawns, saves and chat counted in. The second compiler
 * allocates a little on our thread when it gives up code that it has guessed wrong, so the build runs this once more
 * with the first compiler alone, where not one byte is allowed; here, what a frame allocates has to be in no other.
 */
class ArenaAllocationTest
{
    private static final int FRAMES = 10_000;
    private static final int GUESSED_WRONG = FRAMES / 200;

    @Test
    void shouldNotAllocate()
    {
        final ArenaBench arena = ArenaFightTest.fight(60, 2, 0, 5_000);
        int frames = 0;
        for (int i = 0; i < FRAMES; i++)
        {
            arena.play(1);
            frames += arena.bench.allocatedBytesOverLast(1) > 0 ? 1 : 0;
        }
        assertTrue(frames <= GUESSED_WRONG, frames + " frames of " + FRAMES + " allocated");
        if ("first".equals(System.getProperty("escapement.compiler")))
        {
            assertEquals(0, arena.bench.allocatedBytesOverLast(FRAMES));
        }
        assertTrue(arena.characters.saveSerials.size() > 16);
        assertTrue(arena.players.get(0).client.stats().chats() > 10);
        assertTrue(arena.players.get(0).client.stats().events() > 1_000);
    }
}
