package io.escapement.arena.simulation;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static io.escapement.arena.simulation.Maps.units;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The rules of the game. */
class ArenaSimulationTest
{
    private static final int RUN = ArenaRules.RUN_SPEED;

    private final ArenaSimulation simulation = new ArenaSimulation(Maps.open("box 60 40 1 20"));
    private final ArenaPlayers players = simulation.players();
    private final ArenaShots shots = simulation.shots();
    private final ArenaEvents events = simulation.events();

    @Test
    void shouldEnterAndLeave()
    {
        assertEquals(0, players.flags(3));
        assertEquals(Refusal.NONE, simulation.enter(3));
        assertEquals(ArenaPlayers.IN_GAME | ArenaPlayers.LIVING, players.flags(3));
        assertEquals(ArenaRules.FULL_HEALTH, players.health(3));
        assertEquals(units(2), players.x(3));
        assertEquals(units(2), players.y(3));
        assertEvent(0, ArenaEvents.SPAWN, 3, -1, 0);
        assertEquals(Refusal.ALREADY_IN_GAME, simulation.enter(3));

        simulation.shoot(3, 1, 1);
        assertEquals(3, shots.owner(0));
        assertEquals(Refusal.NONE, simulation.leave(3));
        assertEquals(0, players.flags(3));
        assertEquals(-1, shots.owner(0));
        assertEvent(2, ArenaEvents.LEAVE, 3, -1, 0);
        assertEquals(Refusal.NOT_IN_GAME, simulation.leave(3));
        assertEquals(Refusal.NONE, simulation.enter(3));
    }

    @Test
    void shouldMoveWithItsVelocityAndStopAtWalls()
    {
        enterAt(0, 50, 50);
        claimVelocity(0, RUN, 0);
        simulation.step(60);
        assertEquals(units(50) + 60 * RUN, players.x(0));
        simulation.step(120);
        assertEquals(units(60) - ArenaRules.PLAYER_HALF - Walls.SKIN, players.x(0));
        assertEquals(RUN, players.vx(0));
    }

    @Test
    void shouldDashForAWhileAndThenRunOn()
    {
        enterAt(0, 20, 50);
        claimVelocity(0, 0, RUN);
        assertEquals(Refusal.NONE, simulation.dash(0, 7, 0));
        assertEquals(ArenaRules.DASH_SPEED, players.dashVx(0));
        assertEquals(0, players.dashVy(0));
        assertEvent(events.count() - 1, ArenaEvents.DASH, 0, -1, 0);
        simulation.step(ArenaRules.DASH_TIME - 1);
        assertEquals(1, players.dashLeft(0));
        assertEquals(ArenaPlayers.DASHING, players.flags(0) & ArenaPlayers.DASHING);
        simulation.step(1);
        assertEquals(0, players.dashLeft(0));
        assertEquals(0, players.flags(0) & ArenaPlayers.DASHING);
        assertEquals(units(20) + ArenaRules.DASH_TIME * ArenaRules.DASH_SPEED, players.x(0));
        assertEquals(units(50), players.y(0));
        simulation.step(10);
        assertEquals(units(50) + 10 * RUN, players.y(0));
    }

    @Test
    void shouldNotDashAgainBeforeTheCooldownIsOver()
    {
        enterAt(0, 20, 50);
        assertEquals(Refusal.NONE, simulation.dash(0, 1, 0));
        assertEquals(Refusal.COOLDOWN, simulation.dash(0, 1, 0));
        simulation.step(ArenaRules.DASH_COOLDOWN - 1);
        assertEquals(Refusal.COOLDOWN, simulation.dash(0, 1, 0));
        simulation.step(1);
        assertEquals(Refusal.NONE, simulation.dash(0, 1, 0));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 1_000, 65_536})
    void shouldTakeDirectionsOfAnyLength(final int length)
    {
        enterAt(0, 20, 50);
        assertEquals(Refusal.NONE, simulation.dash(0, -length, length));
        final double speed = Math.hypot(players.dashVx(0), players.dashVy(0));
        assertTrue(speed <= ArenaRules.DASH_SPEED && speed > ArenaRules.DASH_SPEED - 3, "speed " + speed);
        assertEquals(-players.dashVx(0), players.dashVy(0));
        assertTrue(Math.abs(Math.hypot(players.facingX(0), players.facingY(0)) - Fixed.UNIT) < 3);
    }

    @Test
    void shouldHitWithASwingAfterItsWindUpAndOncePerTarget()
    {
        enterAt(0, 20, 50);
        enterAt(1, 21.2, 50);
        enterAt(2, 21, 50.8);
        enterAt(3, 18.8, 50);
        enterAt(4, 22.2, 50);
        events.clear();
        assertEquals(Refusal.NONE, simulation.melee(0, 1, 0));
        assertEvent(0, ArenaEvents.SWING, 0, -1, 0);
        simulation.step(ArenaRules.MELEE_WIND_UP);
        assertEquals(1, events.count());
        simulation.step(1);
        assertEquals(3, events.count());
        assertEvent(1, ArenaEvents.HIT, 1, 0, ArenaRules.MELEE_DAMAGE);
        assertEvent(2, ArenaEvents.HIT, 2, 0, ArenaRules.MELEE_DAMAGE);
        assertEquals(ArenaRules.FULL_HEALTH - ArenaRules.MELEE_DAMAGE, players.health(1));
        simulation.step(100);
        assertEquals(3, events.count());
        assertEquals(ArenaRules.FULL_HEALTH, players.health(3));
        assertEquals(ArenaRules.FULL_HEALTH, players.health(4));
    }

    @Test
    void shouldHitWhoeverWalksIntoASwingWhileItIsActive()
    {
        enterAt(0, 20, 50);
        enterAt(1, 22.2, 50);
        final int far = ArenaRules.MELEE_WIND_UP + ArenaRules.MELEE_ACTIVE - 3;
        simulation.melee(0, 1, 0);
        simulation.step(far);
        claimVelocity(1, -RUN, 0);
        simulation.step(3);
        assertEquals(ArenaRules.FULL_HEALTH - ArenaRules.MELEE_DAMAGE, players.health(1));
        // The next comes too late for it.
        enterAt(2, 22.2, 50);
        claimVelocity(2, -RUN, 0);
        simulation.step(30);
        assertEquals(ArenaRules.FULL_HEALTH, players.health(2));
    }

    @Test
    void shouldBeBusyUntilASwingHasRecovered()
    {
        enterAt(0, 20, 50);
        simulation.melee(0, 1, 0);
        simulation.step(ArenaRules.MELEE_WIND_UP + ArenaRules.MELEE_ACTIVE + ArenaRules.MELEE_RECOVERY - 1);
        assertEquals(ArenaPlayers.SWINGING, players.flags(0) & ArenaPlayers.SWINGING);
        assertEquals(Refusal.BUSY, simulation.melee(0, 1, 0));
        assertEquals(Refusal.BUSY, simulation.shoot(0, 1, 0));
        simulation.step(1);
        assertEquals(Refusal.NONE, simulation.melee(0, 1, 0));
        // A dash ends the swing, and does not go together with one.
        assertEquals(Refusal.NONE, simulation.dash(0, 1, 0));
        assertEquals(ArenaPlayers.DASHING, players.flags(0) & (ArenaPlayers.SWINGING | ArenaPlayers.DASHING));
        assertEquals(Refusal.BUSY, simulation.melee(0, 1, 0));
        simulation.step(ArenaRules.DASH_TIME);
        assertEquals(Refusal.NONE, simulation.shoot(0, 1, 0));
    }

    @Test
    void shouldNotHitThroughAWall()
    {
        enterAt(0, 59.5, 50);
        enterAt(1, 61.5, 50);
        final ArenaSimulation open = new ArenaSimulation(Maps.open());
        place(open, 0, 59.5, 50);
        place(open, 1, 61.45, 50);
        open.melee(0, 1, 0);
        open.step(30);
        assertEquals(ArenaRules.FULL_HEALTH - ArenaRules.MELEE_DAMAGE, open.players().health(1));
        simulation.melee(0, 1, 0);
        simulation.step(30);
        assertEquals(ArenaRules.FULL_HEALTH, players.health(1));
        simulation.step(60);
        simulation.shoot(0, 1, 0);
        simulation.step(10);
        assertEquals(-1, shots.owner(0));
        assertEquals(ArenaRules.FULL_HEALTH, players.health(1));
    }

    @Test
    void shouldExplodeAtAPlayerWithDamageThatFallsWithDistance()
    {
        enterAt(0, 20, 50);
        enterAt(1, 30, 50);
        enterAt(2, 30, 51.5);
        enterAt(3, 30, 52.7);
        enterAt(4, 30, 54);
        events.clear();
        assertEquals(Refusal.NONE, simulation.shoot(0, 1, 0));
        assertEvent(0, ArenaEvents.SHOT, 0, -1, 0);
        assertEquals(0, shots.owner(0));
        assertEquals(ArenaRules.SHOT_SPEED, shots.vx(0));
        simulation.step(20);
        assertEquals(units(20) + 20 * ArenaRules.SHOT_SPEED, shots.x(0));
        simulation.step(20);
        assertEquals(-1, shots.owner(0));
        assertEquals(ArenaEvents.EXPLOSION, events.type(1));
        assertEquals(ArenaEvents.BY_PLAYER, events.value(1));
        assertEquals(1, events.other(1));
        assertEquals(units(29.5), events.x(1), 2);
        assertEquals(ArenaRules.EXPLOSION_DAMAGE, ArenaRules.FULL_HEALTH - players.health(1));
        // 1.105 units and 2.302 units from the blast, of 3.
        assertEquals((int)(50 * (3 - Math.hypot(0.1, 1.1)) / 3), ArenaRules.FULL_HEALTH - players.health(2));
        assertEquals((int)(50 * (3 - Math.hypot(0.1, 2.3)) / 3), ArenaRules.FULL_HEALTH - players.health(3));
        assertEquals(ArenaRules.FULL_HEALTH, players.health(4));
        assertEquals(ArenaRules.FULL_HEALTH, players.health(0));
    }

    @Test
    void shouldExplodeAtAWallAndAtTheEndOfItsTime()
    {
        enterAt(0, 50, 50);
        events.clear();
        simulation.shoot(0, 1, 0);
        simulation.step(40);
        assertEquals(ArenaEvents.EXPLOSION, events.type(1));
        assertEquals(ArenaEvents.BY_WALL, events.value(1));
        assertEquals(units(60) - ArenaRules.SHOT_HALF - Walls.SKIN, events.x(1));

        final ArenaSimulation wide = new ArenaSimulation(Maps.of(wide()));
        wide.enter(0);
        wide.shoot(0, 0, 1);
        wide.step(120);
        wide.step(120);
        wide.step(ArenaRules.SHOT_TIME - 241);
        assertEquals(0, wide.shots().owner(0));
        wide.step(1);
        assertEquals(-1, wide.shots().owner(0));
        assertEquals(ArenaEvents.BY_TIME, wide.events().value(2));
        assertEquals(wide.players().y(0) + ArenaRules.SHOT_TIME * ArenaRules.SHOT_SPEED, wide.events().y(2));
    }

    @Test
    void shouldMeetAPlayerWhereItIsWithinASubStep()
    {
        enterAt(0, 20, 50);
        enterAt(1, 24, 50);
        simulation.dash(1, -1, 0);
        simulation.shoot(0, 1, 0);
        events.clear();
        simulation.step(12);
        assertEquals(ArenaRules.FULL_HEALTH - ArenaRules.EXPLOSION_DAMAGE, players.health(1));
        // They close in from both sides, and meet in the middle of the seventh sub-step.
        final long between = units(4) - ArenaRules.PLAYER_HALF - ArenaRules.SHOT_HALF;
        final long flown = between * ArenaRules.SHOT_SPEED / (ArenaRules.SHOT_SPEED + ArenaRules.DASH_SPEED);
        assertEquals(units(20) + flown, events.x(0), 2);
    }

    @Test
    void shouldBoundProjectiles()
    {
        final ArenaSimulation wide = new ArenaSimulation(Maps.of(wide()));
        int shot = 0;
        int refused = 0;
        for (int player = 0; player < ArenaRules.PLAYER_LIMIT; player++)
        {
            wide.enter(player);
        }
        for (int round = 0; round < 5; round++)
        {
            for (int player = 0; player < ArenaRules.PLAYER_LIMIT; player++)
            {
                final int code = wide.shoot(player, 0, 1);
                shot += Refusal.NONE == code ? 1 : 0;
                refused += Refusal.NO_SHOT_LEFT == code ? 1 : 0;
                assertEquals(Refusal.NO_SHOT_LEFT == code ? Refusal.NO_SHOT_LEFT : Refusal.COOLDOWN,
                    wide.shoot(player, 0, 1));
            }
            wide.step(ArenaRules.SHOT_COOLDOWN - 1);
            assertEquals(0 == refused ? Refusal.COOLDOWN : Refusal.NO_SHOT_LEFT, wide.shoot(0, 0, 1));
            wide.step(1);
        }
        assertEquals(ArenaRules.SHOT_LIMIT, shot);
        assertEquals(16, refused);
    }

    @Test
    void shouldDieAndScoreAndDoNothingWhileDead()
    {
        enterAt(0, 20, 50);
        enterAt(1, 21.2, 50);
        claimVelocity(1, 0, 1);
        claimVelocity(1, 0, 0);
        for (int swing = 0; swing < 3; swing++)
        {
            assertEquals(0, players.deaths(1));
            simulation.melee(0, 1, 0);
            simulation.step(60);
        }
        assertEquals(1, players.kills(0));
        assertEquals(0, players.deaths(0));
        assertEquals(1, players.deaths(1));
        assertEquals(0, players.health(1));
        assertEquals(ArenaPlayers.IN_GAME, players.flags(1));
        assertEvent(events.count() - 1, ArenaEvents.DEATH, 1, 0, 0);
        // The last hit took what was left and no more.
        assertEquals(ArenaRules.FULL_HEALTH - 2 * ArenaRules.MELEE_DAMAGE, events.value(events.count() - 2));

        assertEquals(Refusal.DEAD, simulation.claim(1, players.x(1), players.y(1), 0, 0, 0));
        assertEquals(Refusal.DEAD, simulation.dash(1, 1, 0));
        assertEquals(Refusal.DEAD, simulation.melee(1, 1, 0));
        assertEquals(Refusal.DEAD, simulation.shoot(1, 1, 0));
        assertEquals(0, players.corrections(1));
        // The dead are not hit.
        final int count = events.count();
        simulation.melee(0, 1, 0);
        simulation.step(60);
        assertEquals(count + 1, events.count());
    }

    @Test
    void shouldLetTwoKillEachOther()
    {
        enterAt(0, 20, 50);
        enterAt(1, 21.2, 50);
        for (int swing = 0; swing < 3; swing++)
        {
            simulation.melee(0, 1, 0);
            simulation.melee(1, -1, 0);
            simulation.step(60);
        }
        assertEquals(1, players.deaths(0));
        assertEquals(1, players.deaths(1));
        assertEquals(1, players.kills(0));
        assertEquals(1, players.kills(1));
    }

    @Test
    void shouldRespawnFarthestFromLivingEnemies()
    {
        enterAt(0, 20, 50);
        enterAt(1, 21.2, 50);
        kill(0, 1);
        assertEquals(Refusal.ALIVE, simulation.respawn(0));
        events.clear();
        assertEquals(Refusal.NONE, simulation.respawn(1));
        // The living enemy stands at 20 50; of the points at 2 to 30 along the edge, the one at 2 2 is the farthest.
        assertEvent(0, ArenaEvents.SPAWN, 1, -1, 0);
        assertEquals(units(2), players.x(1));
        assertEquals(ArenaRules.FULL_HEALTH, players.health(1));
        assertEquals(1, players.deaths(1));

        // Now somebody stands there, and what counts is the nearest enemy.
        simulation.enter(2);
        assertEvent(1, ArenaEvents.SPAWN, 2, -1, 15);
        assertEquals(units(30), players.x(2));
        assertEquals(units(6), players.y(2));
    }

    @Test
    void shouldChooseTheFirstOfSpawnPointsThatAreAsFar()
    {
        // Points 0 to 7 lie at x = 2, 6, ... 30; an enemy exactly between 0 and 7 is as far from either.
        final ArenaSimulation other = new ArenaSimulation(Maps.open());
        place(other, 9, 16, 50);
        other.enter(0);
        assertEquals(units(2), other.players().x(0));
        assertEquals(units(2), other.players().y(0));
    }

    @Test
    void shouldAlwaysHaveAFreeSpawnPoint()
    {
        for (int player = 0; player < ArenaRules.PLAYER_LIMIT; player++)
        {
            simulation.enter(player);
        }
        for (int player = 0; player < ArenaRules.PLAYER_LIMIT; player++)
        {
            for (int other = 0; other < player; other++)
            {
                final boolean isApart = Math.abs(players.x(player) - players.x(other)) >= 2 * ArenaRules.PLAYER_HALF ||
                    Math.abs(players.y(player) - players.y(other)) >= 2 * ArenaRules.PLAYER_HALF;
                assertTrue(isApart, player + " and " + other + " stand in each other");
            }
        }
    }

    @Test
    void shouldStepOnlySoFar()
    {
        simulation.step(0);
        simulation.step(ArenaRules.STEP_LIMIT);
        assertEquals(ArenaRules.STEP_LIMIT, simulation.subStep());
        assertThrows(IllegalArgumentException.class, () -> simulation.step(ArenaRules.STEP_LIMIT + 1));
        assertThrows(IllegalArgumentException.class, () -> simulation.step(-1));
    }

    @Test
    void shouldCountEventsThatDoNotFit()
    {
        for (int i = 0; i < ArenaEvents.LIMIT + 10; i++)
        {
            simulation.enter(0);
            simulation.leave(0);
        }
        assertEquals(ArenaEvents.LIMIT, events.count());
        assertEquals(ArenaEvents.LIMIT + 20, events.dropped());
        assertEquals(ArenaEvents.LEAVE, events.type(ArenaEvents.LIMIT - 1));
        events.clear();
        assertEquals(0, events.count());
        simulation.enter(0);
        assertEquals(1, events.count());
        assertFalse(events.dropped() == 0);
    }

    private void kill(final int killer, final int victim)
    {
        while (0 != (players.flags(victim) & ArenaPlayers.LIVING))
        {
            simulation.melee(killer, 1, 0);
            simulation.step(1);
        }
    }

    private void enterAt(final int player, final double x, final double y)
    {
        place(simulation, player, x, y);
    }

    private void claimVelocity(final int player, final int vx, final int vy)
    {
        assertEquals(Refusal.NONE, simulation.claim(player, players.x(player), players.y(player), vx, vy, 0));
    }

    private void assertEvent(final int event, final int type, final int player, final int other, final int value)
    {
        assertEquals(type, events.type(event));
        assertEquals(player, events.player(event));
        assertEquals(other, events.other(event));
        assertEquals(value, events.value(event));
    }

    /** Enters, and then stands where the rules would not have put it. */
    private static void place(final ArenaSimulation simulation, final int player, final double x, final double y)
    {
        assertEquals(Refusal.NONE, simulation.enter(player));
        simulation.place(player, units(x), units(y));
    }

    private static String[] wide()
    {
        final String[] lines = new String[18];
        lines[0] = "name Wide";
        lines[1] = "size 200 200";
        for (int i = 0; i < 16; i++)
        {
            lines[2 + i] = "spawn " + (2 + 8 * i) + " 2";
        }
        return lines;
    }
}
