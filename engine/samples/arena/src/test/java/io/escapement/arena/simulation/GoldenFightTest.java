package io.escapement.arena.simulation;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Every JDK, the interpreter and every later commit come to these hashes. A commit that changes them says in its
 * message why: logs recorded before it no longer replay.
 */
class GoldenFightTest
{
    @ParameterizedTest
    @CsvSource({
        "courtyard, 1, 982bd5702a43d18, 146291f3299dcf75",
        "catacombs, 2, 49f5b52b2d8eac32, 26dda060e42442f9"})
    void shouldComeToTheHashesThatAreCommitted(
        final String map, final long seed, final String stateHash, final String codes)
    {
        final Fight fight = new Fight(ArenaMap.shipped(map), seed);
        for (int turn = 0; turn < 3_000; turn++)
        {
            fight.turn(2);
        }
        assertEquals(
            stateHash + " " + codes,
            Long.toHexString(fight.simulation.stateHash()) + " " + Long.toHexString(fight.codes()),
            "seed " + seed);
    }
}
