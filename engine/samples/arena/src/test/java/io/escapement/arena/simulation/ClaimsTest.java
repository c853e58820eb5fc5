package io.escapement.arena.simulation;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import static io.escapement.arena.simulation.Maps.units;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Claims and other inputs that are not honest, or not even numbers that mean something. */
class ClaimsTest
{
    private static final int RUN = ArenaRules.RUN_SPEED;
    private static final int NULL = Integer.MIN_VALUE;

    private final ArenaSimulation simulation = new ArenaSimulation(Maps.open("box 60 20 1 60"));
    private final ArenaPlayers players = simulation.players();

    @BeforeEach
    void enter()
    {
        simulation.enter(0);
        simulation.place(0, units(50), units(50));
        simulation.events().clear();
    }

    @Test
    void shouldPutAPlayerWhereItWouldBeNow()
    {
        simulation.step(20);
        assertEquals(Refusal.NONE, simulation.claim(0, units(50) + 5 * RUN, units(50), 0, RUN, 10));
        assertEquals(units(50) + 5 * RUN, players.x(0));
        assertEquals(units(50) + 10 * RUN, players.y(0));
        assertEquals(RUN, players.vy(0));
        assertEquals(0, simulation.events().count());
    }

    @Test
    void shouldBeginADashWhereAndWhenTheClaimWasMade()
    {
        simulation.step(20);
        simulation.claim(0, units(50), units(50), 0, 0, 10);
        assertEquals(Refusal.NONE, simulation.dash(0, 0, -1));
        assertEquals(units(50) - 10 * ArenaRules.DASH_SPEED, players.y(0));
        assertEquals(ArenaRules.DASH_TIME - 10, players.dashLeft(0));
        simulation.step(ArenaRules.DASH_TIME);
        assertEquals(units(50) - ArenaRules.DASH_TIME * ArenaRules.DASH_SPEED, players.y(0));
        simulation.step(ArenaRules.DASH_COOLDOWN - ArenaRules.DASH_TIME - 20);
        assertEquals(Refusal.COOLDOWN, simulation.dash(0, 0, -1));
        simulation.step(10);
        assertEquals(Refusal.NONE, simulation.dash(0, 0, -1));
    }

    @Test
    void shouldCorrectATeleport()
    {
        simulation.step(60);
        assertCorrected(Refusal.OUT_OF_REACH, units(40), units(50), 5, 6, 1);
        assertEquals(5, players.vx(0));
        assertEquals(6, players.vy(0));
        // Nor after a long rest, when it could have run there: it would have had to say so.
        for (int second = 0; second < 10; second++)
        {
            simulation.claim(0, players.x(0), players.y(0), 0, 0, 0);
            simulation.step(120);
        }
        simulation.step(120);
        simulation.step(120);
        assertCorrected(Refusal.OFF_COURSE, players.x(0) - units(12), players.y(0), 0, 0, 2);
    }

    @Test
    void shouldCorrectAVelocityAboveARun()
    {
        assertCorrected(Refusal.TOO_FAST, units(50), units(50), RUN + 1, 0, 1);
        assertEquals(RUN, players.vx(0));
        assertCorrected(Refusal.TOO_FAST, units(50), units(50), RUN, -RUN, 2);
        assertSpeedIsARun();
        assertCorrected(Refusal.TOO_FAST, units(50), units(50), Integer.MAX_VALUE, -Integer.MAX_VALUE, 3);
        assertSpeedIsARun();
        assertCorrected(Refusal.TOO_FAST, units(50), units(50), 1, Integer.MAX_VALUE, 4);
        assertSpeedIsARun();
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "2, 6", "4, 12", "8, 3", "15, 30"})
    void shouldCorrectWhoeverRunsHalfAsFastAgain(final int sampling, final int age)
    {
        simulation.place(0, units(50), units(8));
        // Up and down the map; the cheat takes up each correction and goes on from there.
        double y = units(8);
        int direction = 1;
        int refused = 0;
        long made = 0;
        int last = players.y(0);
        for (int now = 0; now < 10_000; now++)
        {
            y += direction * RUN * 1.5;
            if (y > units(95) || y < units(5))
            {
                direction = -direction;
            }
            simulation.step(1);
            if (now >= age && now % sampling == 0)
            {
                final int claimed = (int)(y - direction * RUN * 1.5 * age);
                final int code = simulation.claim(0, units(50), claimed, 0, direction * RUN, age);
                refused += Refusal.isCorrection(code) ? 1 : 0;
                y = Refusal.isCorrection(code) ? players.y(0) : y;
            }
            made += Math.abs(players.y(0) - last);
            last = players.y(0);
            if (now == 200)
            {
                assertTrue(refused > 0, "not found out after 200 sub-steps");
            }
        }
        assertEquals(refused, players.corrections(0));
        assertTrue(refused > 10, "corrected " + refused + " times only");
        assertTrue(made <= 10_000L * RUN * 21 / 20, "came " + made / (10_000.0 * RUN) + " of an honest way");
    }

    @Test
    void shouldCorrectAWayThroughAWall()
    {
        final int beside = units(60) - ArenaRules.PLAYER_HALF - Walls.SKIN;
        final int behind = units(61) + ArenaRules.PLAYER_HALF + Walls.SKIN;
        simulation.place(0, beside, units(50));
        simulation.step(60);
        assertCorrected(Refusal.THROUGH_WALL, behind, units(50), 0, 0, 1);
        assertCorrected(Refusal.IN_WALL, units(60.5), units(50), 0, 0, 2);
        assertCorrected(Refusal.IN_WALL, beside + 1, units(50), 0, 0, 3);
        assertEquals(beside, players.x(0));
    }

    @Test
    void shouldAcceptAWayAroundTheEndOfAWallWhenItIsShortEnough()
    {
        // At the wall's lower end, two bends from one side to the other.
        final int beside = units(60) - ArenaRules.PLAYER_HALF - Walls.SKIN;
        final int behind = units(61) + ArenaRules.PLAYER_HALF + Walls.SKIN;
        simulation.place(0, beside, units(19.8));
        simulation.step(60);
        assertEquals(Refusal.NONE, simulation.claim(0, behind, units(19.8), 0, 0, 0));
        simulation.place(0, beside, units(22));
        simulation.step(60);
        assertCorrected(Refusal.THROUGH_WALL, behind, units(22), 0, 0, 1);
    }

    @Test
    void shouldCorrectPositionsOffTheMap()
    {
        assertCorrected(Refusal.OFF_MAP, -1, units(50), 0, 0, 1);
        assertCorrected(Refusal.OFF_MAP, units(50), units(100) + 1, 0, 0, 2);
        assertCorrected(Refusal.OFF_MAP, Integer.MAX_VALUE, Integer.MIN_VALUE + 1, 0, 0, 3);
        assertCorrected(Refusal.IN_WALL, 0, 0, 0, 0, 4);
    }

    @Test
    void shouldNotHearClaimsFromBeforeACorrectionOrASpawn()
    {
        simulation.step(20);
        simulation.claim(0, units(80), units(50), 0, 0, 0);
        simulation.step(5);
        assertEquals(Refusal.STALE, simulation.claim(0, units(81), units(50), RUN, 0, 6));
        assertEquals(0, players.vx(0));
        assertEquals(1, players.corrections(0));
        assertEquals(Refusal.NONE, simulation.claim(0, units(50), units(50), RUN, 0, 5));
        simulation.enter(1);
        assertEquals(Refusal.STALE, simulation.claim(1, players.x(1), players.y(1), 0, 0, 1));
    }

    @Test
    void shouldNotGiveTimeTwice()
    {
        // An old claim after a young one: the time between has been lived through already.
        assertEquals(Refusal.NONE, simulation.claim(0, units(50), units(50), RUN, 0, 0));
        simulation.step(60);
        assertEquals(Refusal.NONE, simulation.claim(0, units(50) + 60 * RUN, units(50), 0, 0, 0));
        final int tolerance = Claims.SLACK;
        assertEquals(Refusal.NONE,
            simulation.claim(0, units(50) + 60 * RUN + tolerance, units(50), 0, 0, ArenaRules.AGE_LIMIT));
        assertCorrected(Refusal.OUT_OF_REACH, units(50) + 60 * RUN + tolerance + 1, units(50), 0, 0, 1);
    }

    @Test
    void shouldNotRenewItsTolerance()
    {
        takeTolerance();
        assertCorrected(Refusal.OUT_OF_REACH, players.x(0) - 1, units(50), 0, 0, 1);
        // A second of standing still does not raise the tolerance above its limit.
        simulation.place(0, units(50), units(50));
        simulation.step(120);
        assertEquals(Refusal.NONE, simulation.claim(0, units(50), units(50), 0, 0, 0));
        takeTolerance();
        assertCorrected(Refusal.OUT_OF_REACH, players.x(0) - 1, units(50), 0, 0, 2);
    }

    @Test
    void shouldGrantADashOnce()
    {
        takeTolerance();
        final int x = players.x(0);
        assertEquals(Refusal.NONE, simulation.dash(0, -1, 0));
        simulation.step(ArenaRules.DASH_TIME);
        final int dashed = ArenaRules.DASH_TIME * ArenaRules.DASH_SPEED;
        assertEquals(Refusal.NONE, simulation.claim(0, x - dashed, units(50), 0, 0, 0));
        assertCorrected(Refusal.OUT_OF_REACH, x - dashed - 1, units(50), 0, 0, 1);
        simulation.step(ArenaRules.DASH_TIME);
        final int run = ArenaRules.DASH_TIME * RUN;
        assertEquals(Refusal.NONE, simulation.claim(0, x - dashed - run, units(50), 0, 0, 0));
        assertCorrected(Refusal.OUT_OF_REACH, x - dashed - run - 1, units(50), 0, 0, 2);
    }

    @Test
    void shouldGiveEachBadValueItsCode()
    {
        assertEquals(Refusal.BAD_INDEX, simulation.claim(-1, 0, 0, 0, 0, 0));
        assertEquals(Refusal.BAD_INDEX, simulation.claim(16, 0, 0, 0, 0, 0));
        assertEquals(Refusal.NOT_IN_GAME, simulation.claim(1, 0, 0, 0, 0, 0));
        assertEquals(Refusal.NULL_VALUE, simulation.claim(0, NULL, 0, 0, 0, 0));
        assertEquals(Refusal.NULL_VALUE, simulation.claim(0, 0, NULL, 0, 0, 0));
        assertEquals(Refusal.NULL_VALUE, simulation.claim(0, 0, 0, NULL, 0, 0));
        assertEquals(Refusal.NULL_VALUE, simulation.claim(0, 0, 0, 0, NULL, 0));
        assertEquals(Refusal.NULL_VALUE, simulation.claim(0, 0, 0, 0, 0, NULL));
        assertEquals(Refusal.BAD_AGE, simulation.claim(0, units(50), units(50), 0, 0, -1));
        assertEquals(Refusal.BAD_AGE, simulation.claim(0, units(50), units(50), 0, 0, ArenaRules.AGE_LIMIT + 1));
        assertEquals(0, players.corrections(0));
        assertEquals(2, simulation.refusals(Refusal.BAD_INDEX));
        assertEquals(5, simulation.refusals(Refusal.NULL_VALUE));
        assertEquals(2, simulation.refusals(Refusal.BAD_AGE));
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, BAD_DIRECTION", "0, 65537, 0, BAD_DIRECTION", "0, 0, -65537, BAD_DIRECTION",
        "0, 2147483647, 1, BAD_DIRECTION", "0, 1, -2147483647, BAD_DIRECTION", "0, -2147483648, 0, NULL_VALUE",
        "0, 1, -2147483648, NULL_VALUE", "-1, 1, 0, BAD_INDEX", "16, 1, 0, BAD_INDEX", "2147483647, 1, 0, BAD_INDEX",
        "1, 1, 0, NOT_IN_GAME"})
    void shouldGiveEachBadDirectionItsCode(final int player, final int dirX, final int dirY, final String code)
    {
        assertEquals(code, Refusal.nameOf(simulation.dash(player, dirX, dirY)));
        assertEquals(code, Refusal.nameOf(simulation.melee(player, dirX, dirY)));
        assertEquals(code, Refusal.nameOf(simulation.shoot(player, dirX, dirY)));
        assertEquals(0, simulation.events().count());
        assertEquals(ArenaPlayers.IN_GAME | ArenaPlayers.LIVING, players.flags(0));
    }

    @Test
    void shouldRefuseBadIndicesEverywhere()
    {
        assertEquals(Refusal.BAD_INDEX, simulation.enter(16));
        assertEquals(Refusal.BAD_INDEX, simulation.leave(-1));
        assertEquals(Refusal.BAD_INDEX, simulation.respawn(16));
        assertEquals(Refusal.NOT_IN_GAME, simulation.respawn(1));
    }

    @Test
    void shouldNameEachCode()
    {
        for (int code = 0; code < Refusal.COUNT; code++)
        {
            assertFalse(Refusal.nameOf(code).startsWith("code"));
        }
        assertEquals("THROUGH_WALL", Refusal.nameOf(Refusal.THROUGH_WALL));
        assertEquals("code 19", Refusal.nameOf(Refusal.COUNT));
        assertEquals("code -1", Refusal.nameOf(-1));
        assertFalse(Refusal.isCorrection(Refusal.STALE));
        assertTrue(Refusal.isCorrection(Refusal.TOO_FAST));
        assertFalse(Refusal.isCorrection(Refusal.COUNT));
    }

    /** Four claims at once that use up what ages may be wrong. */
    private void takeTolerance()
    {
        for (int i = 0; i < 4; i++)
        {
            assertEquals(
                Refusal.NONE, simulation.claim(0, players.x(0) - Claims.SLACK / 4, players.y(0), 0, 0, 0));
        }
    }

    /** The server sends the position that it held, unchanged. */
    private void assertCorrected(
        final int code, final int x, final int y, final int vx, final int vy, final int corrections)
    {
        final int heldX = players.x(0);
        final int heldY = players.y(0);
        simulation.events().clear();
        assertEquals(Refusal.nameOf(code), Refusal.nameOf(simulation.claim(0, x, y, vx, vy, 0)));
        assertEquals(heldX, players.x(0));
        assertEquals(heldY, players.y(0));
        assertEquals(corrections, players.corrections(0));
        assertTrue(simulation.refusals(code) > 0);
        assertEquals(1, simulation.events().count());
        assertEquals(ArenaEvents.CORRECTION, simulation.events().type(0));
        assertEquals(code, simulation.events().value(0));
        assertEquals(heldX, simulation.events().x(0));
    }

    private void assertSpeedIsARun()
    {
        final double speed = Math.hypot(players.vx(0), players.vy(0));
        assertTrue(speed <= RUN && speed > RUN - 3, "speed " + speed);
    }
}
