package io.escapement.arena.simulation;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import static io.escapement.arena.simulation.Maps.units;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class SweptBoxTest
{
    /** Where a player's middle stops in front of a wall. */
    private static final int GAP = ArenaRules.PLAYER_HALF + Walls.SKIN;

    private final ArenaMap map = Maps.open("box 40 40 10 10", "box 50 40 10 10", "box 40 60 0.25 30");
    private final SweptBox box = new SweptBox(map.playerWalls());

    @Test
    void shouldTellWhenAndWithWhichNormal()
    {
        final int from = units(30);
        assertTrue(box.sweep(from, units(45), units(20), 0));
        assertEquals(units(40) - GAP, box.x());
        assertEquals(units(45), box.y());
        assertEquals(-1, box.normalX());
        assertEquals(0, box.normalY());
        assertEquals(0, box.wall());
        assertEquals(units(10) - GAP, box.timeNumerator());
        assertEquals(units(20), box.timeDenominator());

        assertFalse(box.sweep(from, units(45), units(5), 0));
        assertEquals(units(35), box.x());
        assertEquals(0, box.normalX());
        assertEquals(-1, box.wall());
        assertEquals(box.timeDenominator(), box.timeNumerator());
    }

    @Test
    void shouldStopAtAThinWallAtTheSpeedOfAWholeMapAFrame()
    {
        box.move(units(20), units(70), units(100), 0);
        assertEquals(units(40) - GAP, box.x());
        box.move(units(90), units(70), units(-100), 0);
        assertEquals(units(40.25) + GAP, box.x());
    }

    @Test
    void shouldStayOnTheMap()
    {
        box.move(units(50), units(10), units(-90), units(90));
        assertEquals(GAP, box.x());
        box.move(units(98), units(98), units(1_000), units(1_000));
        assertEquals(units(100) - GAP, box.x());
        assertEquals(units(100) - GAP, box.y());
    }

    @Test
    void shouldSlideWithAllThatIsLeft()
    {
        box.move(units(42), units(30), units(3), units(20));
        assertEquals(units(45), box.x());
        assertEquals(units(40) - GAP, box.y());
    }

    @Test
    void shouldNotCatchOnTheSeamOfTwoWalls()
    {
        final int face = units(40) - GAP;
        for (int offset = -3; offset <= 3; offset++)
        {
            // Pressed against both, with the seam and what the boxes are larger by ahead.
            box.move(units(50) - GAP + offset, face, units(4), units(4));
            assertEquals(units(54) - GAP + offset, box.x());
            assertEquals(face, box.y());
        }
        box.move(units(42), face, units(12), 1);
        assertEquals(units(54), box.x());
    }

    @Test
    void shouldMoveAlongAWallThatItTouches()
    {
        box.move(units(40) - GAP, units(42), 0, units(5));
        assertEquals(units(47), box.y());
        box.move(units(40) - GAP, units(42), units(-3), 0);
        assertEquals(units(37) - GAP, box.x());
        box.move(units(40) - GAP, units(42), 1, 0);
        assertEquals(units(40) - GAP, box.x());
    }

    @Test
    void shouldDecideAtTheVeryCorner()
    {
        final int cornerX = units(40) - GAP;
        final int cornerY = units(40) - GAP;
        assertTrue(box.sweep(cornerX - units(3), cornerY - units(3), units(6), units(6)));
        assertEquals(-1, box.normalX());
        assertEquals(cornerX, box.x());
        assertEquals(cornerY, box.y());
        box.move(cornerX - units(3), cornerY - units(3), units(6), units(6));
        assertEquals(cornerX, box.x());
        assertEquals(cornerY + units(3), box.y());
        // Past the corner, and up to it.
        assertTrue(box.isWayFree(cornerX - units(3), cornerY + units(3), cornerX + units(3), cornerY - units(3)));
        assertTrue(box.isWayFree(cornerX - units(3), cornerY - units(3), cornerX, cornerY));
    }

    @Test
    void shouldStandStillWithoutVelocityAndInAWall()
    {
        box.move(units(30), units(30), 0, 0);
        assertEquals(units(30), box.x());
        assertTrue(box.sweep(units(45), units(45), units(1), units(1)));
        assertEquals(0, box.normalX());
        assertEquals(0, box.normalY());
        box.move(units(45), units(45), units(20), units(20));
        assertEquals(units(45), box.x());
        assertEquals(units(45), box.y());
    }

    @Test
    void shouldTryAFewWallsOnly()
    {
        final long seed = 31;
        final SplittableRandom random = new SplittableRandom(seed);
        final ArenaMap large = ArenaMap.shipped("catacombs");
        final Walls walls = large.playerWalls();
        final SweptBox swept = new SweptBox(walls);
        assertTrue(walls.count() > 150, "a large map has " + walls.count() + " walls only");
        long step = 0;
        long dash = 0;
        int most = 0;
        final int moves = 20_000;
        for (int i = 0; i < moves; i++)
        {
            int x;
            int y;
            do
            {
                x = random.nextInt(large.width());
                y = random.nextInt(large.height());
            }
            while (!walls.isFree(x, y));
            swept.sweep(x, y, random.nextInt(8_000) - 4_000, random.nextInt(8_000) - 4_000);
            step += swept.tried();
            swept.sweep(x, y, random.nextInt(2 * large.width()) - large.width(), random.nextInt(80_000) - 40_000);
            dash += swept.tried();
            most = Math.max(most, swept.tried());
        }
        assertTrue(step < 2L * moves, step / (double)moves + " walls a step, seed " + seed);
        assertTrue(dash < 12L * moves, dash / (double)moves + " walls a long way, seed " + seed);
        assertTrue(most < walls.count() / 2, most + " walls at most, seed " + seed);
    }
}
