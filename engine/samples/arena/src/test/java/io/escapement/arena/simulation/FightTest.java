package io.escapement.arena.simulation;

import io.escapement.testsupport.Allocations;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Invariants of whole fights. */
class FightTest
{
    private static final ArenaMap MAP = ArenaMap.shipped("courtyard");

    @ParameterizedTest
    @ValueSource(longs = {11, 12, 13})
    void shouldBeAFightWithEverythingInIt(final long seed)
    {
        final Fight fight = new Fight(MAP, seed);
        for (int turn = 0; turn < 5_000; turn++)
        {
            fight.turn(2);
        }
        for (int type = ArenaEvents.SPAWN; type <= ArenaEvents.CORRECTION; type++)
        {
            if (ArenaEvents.LEAVE != type)
            {
                assertTrue(fight.count(type) > 10, fight.count(type) + " events of type " + type + ", seed " + seed);
            }
        }
        int kills = 0;
        int deaths = 0;
        for (int player = 0; player < ArenaRules.PLAYER_LIMIT; player++)
        {
            kills += fight.simulation.players().kills(player);
            deaths += fight.simulation.players().deaths(player);
        }
        assertEquals(fight.count(ArenaEvents.DEATH), deaths, "seed " + seed);
        assertEquals(deaths, kills, "seed " + seed);
        assertEquals(0, fight.simulation.events().dropped());
    }

    @ParameterizedTest
    @CsvSource({"21, 4", "22, 8", "23, 15"})
    void shouldComeToTheSameAtEveryFrameRate(final long seed, final int subSteps)
    {
        final Fight at60 = new Fight(MAP, seed);
        final Fight slower = new Fight(MAP, seed);
        for (int second = 0; second < 60; second++)
        {
            // Inputs once a second: all rates have a frame there.
            at60.turn(2);
            slower.turn(subSteps);
            for (int done = 2; done < ArenaRules.SUB_STEPS_PER_SECOND; done += 2)
            {
                at60.run(2);
            }
            for (int done = subSteps; done < ArenaRules.SUB_STEPS_PER_SECOND; done += subSteps)
            {
                slower.run(subSteps);
            }
            assertEquals(at60.simulation.stateHash(), slower.simulation.stateHash(), "seed " + seed + " at " + second);
        }
        assertTrue(at60.count(ArenaEvents.HIT) > 10, "a fight without hits");
    }

    @Test
    void shouldContinueFromARestoredStateAsIfUninterrupted()
    {
        final long seed = 31;
        final Fight fight = new Fight(MAP, seed);
        final ArenaSimulation other = new ArenaSimulation(MAP);
        final long[] saved = new long[other.savedLength()];
        for (int turn = 0; turn < 400; turn++)
        {
            fight.turn(4);
            if (turn % 7 == 0)
            {
                fight.simulation.save(saved);
                other.restore(saved);
                for (int i = 0; i < 10; i++)
                {
                    assertEquals(fight.simulation.stateHash(), other.stateHash(), "seed " + seed + ", turn " + turn);
                    fight.run(3);
                    other.step(3);
                }
            }
        }
    }

    @Test
    void shouldHoldEverythingInASavedState()
    {
        // Two arenas take turns, each with all that it did last left in it, except for what a restore replaces.
        final long seed = 32;
        final Fight straight = new Fight(MAP, seed);
        final Fight restored = new Fight(MAP, seed);
        ArenaSimulation spare = new Fight(MAP, 33).simulation;
        final long[] saved = new long[spare.savedLength()];
        for (int turn = 0; turn < 20_000; turn++)
        {
            straight.turn(2);
            restored.turn(2);
            final ArenaSimulation current = restored.simulation;
            current.save(saved);
            spare.restore(saved);
            restored.simulation = spare;
            spare = current;
            assertEquals(straight.codes(), restored.codes(), "seed " + seed + ", turn " + turn);
        }
        assertEquals(straight.simulation.stateHash(), restored.simulation.stateHash(), "seed " + seed);
    }

    @Test
    void shouldRefuseAStateThatIsDamagedOrOfAnotherMap()
    {
        final Fight fight = new Fight(MAP, 41);
        fight.turn(60);
        final long[] saved = new long[fight.simulation.savedLength()];
        fight.simulation.save(saved);
        final ArenaSimulation elsewhere = new ArenaSimulation(ArenaMap.shipped("foundry"));
        final long before = elsewhere.stateHash();
        assertEquals("the state is of another map, or of a build with other rules",
            assertThrows(IllegalArgumentException.class, () -> elsewhere.restore(saved)).getMessage());
        assertEquals(before, elsewhere.stateHash());

        saved[saved.length / 2] ^= 1;
        final long hash = fight.simulation.stateHash();
        assertEquals("the saved state is damaged: its hash is another",
            assertThrows(IllegalArgumentException.class, () -> fight.simulation.restore(saved)).getMessage());
        assertEquals(hash, fight.simulation.stateHash());
        assertThrows(IllegalArgumentException.class, () -> fight.simulation.save(new long[saved.length - 1]));
        assertThrows(IllegalArgumentException.class, () -> fight.simulation.restore(new long[saved.length - 1]));
    }

    @Test
    void shouldHaveAHashThatEveryInputChanges()
    {
        final ArenaSimulation simulation = new Fight(MAP, 51).simulation;
        final long before = simulation.stateHash();
        assertEquals(before, simulation.stateHash());
        assertEquals(Refusal.NONE, simulation.melee(3, 1, 0));
        final long after = simulation.stateHash();
        assertNotEquals(before, after);
        assertEquals(Refusal.BUSY, simulation.melee(3, 1, 0));
        assertNotEquals(after, simulation.stateHash());
    }

    @ParameterizedTest
    @ValueSource(longs = {71, 72, 73})
    void shouldStaySoundWhateverClientsSend(final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        final ArenaMap map = ArenaMap.shipped("foundry");
        final ArenaSimulation simulation = new ArenaSimulation(map);
        final ArenaPlayers players = simulation.players();
        for (int i = 0; i < 100_000; i++)
        {
            final int player = random.nextInt(18) - 1;
            final boolean isNear = random.nextInt(4) > 0 && player >= 0 && player < ArenaRules.PLAYER_LIMIT;
            final int near = Fixed.UNIT << random.nextInt(4);
            final int x = isNear ? players.x(player) + random.nextInt(2 * near) - near : any(random, map.width());
            final int y = isNear ? players.y(player) + random.nextInt(2 * near) - near : any(random, map.height());
            switch (random.nextInt(16))
            {
                case 0 -> simulation.enter(player);
                case 1 -> simulation.respawn(player);
                case 2 -> simulation.leave(random.nextInt(10) == 0 ? player : -1);
                case 3, 4 -> simulation.dash(player, any(random, 9), any(random, 9));
                case 5 -> simulation.melee(player, any(random, 9), any(random, 9));
                case 6 -> simulation.shoot(player, any(random, 9), any(random, 9));
                case 7 -> simulation.step(random.nextInt(16));
                default -> simulation.claim(player, x, y, any(random, 6_000), any(random, 6_000), any(random, 70));
            }
            simulation.events().clear();
            if (player >= 0 && player < 16 && 0 != (players.flags(player) & ArenaPlayers.LIVING))
            {
                final String at = "seed " + seed + ", call " + i;
                assertTrue(map.playerWalls().isFree(players.x(player), players.y(player)), at);
                assertTrue(players.health(player) > 0 && players.health(player) <= ArenaRules.FULL_HEALTH, at);
                final long vx = players.vx(player);
                final long vy = players.vy(player);
                assertTrue(vx * vx + vy * vy <= (long)ArenaRules.RUN_SPEED * ArenaRules.RUN_SPEED, at);
            }
        }
        for (int code = Refusal.BAD_INDEX; code < Refusal.COUNT; code++)
        {
            // Projectiles do not run out here.
            assertTrue(simulation.refusals(code) > 0 || Refusal.NO_SHOT_LEFT == code,
                Refusal.nameOf(code) + " never came, seed " + seed);
        }
    }

    @Test
    void shouldNotAllocate()
    {
        final Fight fight = new Fight(ArenaMap.shipped("catacombs"), 61);
        final Fight small = new Fight(MAP, 62);
        final long[] saved = new long[fight.simulation.savedLength()];
        final long[] hash = new long[1];
        final long least = Allocations.least(8, () ->
        {
            for (int turn = 0; turn < 50_000; turn++)
            {
                fight.turn(2);
                small.turn(2);
                if (turn % 100 == 0)
                {
                    hash[0] += fight.simulation.stateHash();
                    fight.simulation.save(saved);
                    fight.simulation.restore(saved);
                }
            }
        });
        assertEquals(0, least, "bytes over 100,000 steps, hash " + hash[0]);
        assertTrue(fight.count(ArenaEvents.DEATH) > 50 && small.count(ArenaEvents.DEATH) > 1_000);
    }

    private static int any(final SplittableRandom random, final int limit)
    {
        return switch (random.nextInt(24))
        {
            case 0 -> Integer.MIN_VALUE;
            case 1 -> Integer.MAX_VALUE;
            case 2 -> random.nextInt();
            case 3 -> -random.nextInt(limit);
            case 4 -> 0;
            default -> random.nextInt(limit);
        };
    }
}
