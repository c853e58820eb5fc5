package io.escapement.arena.simulation;

import io.escapement.testsupport.Tests;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Random moves up to the size of a whole map, and moves made to be difficult, against plain geometry: a segment meets
 * a box unless a line parts them. That is another way to ask than the sweep's, and every wall is asked.
 */
class SweptBoxPropertyTest
{
    private static final boolean IS_FULL = Tests.isFull();
    /** Five runs of this. */
    private static final int MOVES = IS_FULL ? 2_000_000 : 60_000;
    private static final int MOVES_A_MAP = 5_000;

    private ArenaMap map;
    private Walls walls;
    private SweptBox box;
    private final Impact twin = new Impact();
    private SplittableRandom random;
    private String context;
    private int x;
    private int y;
    private int dx;
    private int dy;
    private long hits;
    private long slides;
    private long starts;
    private long corners;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void shouldNeverPassThroughAWallNorRestInOne(final long seed)
    {
        random = new SplittableRandom(seed);
        for (int move = 0; move < MOVES; move++)
        {
            if (move % MOVES_A_MAP == 0)
            {
                use(move / MOVES_A_MAP);
            }
            chooseStart();
            chooseDisplacement();
            context = "seed " + seed + ", move " + move + " on " + map.name() + ": " +
                x + " " + y + " by " + dx + " " + dy;
            checkMove();
        }
        assertTrue(hits > MOVES / 4, "only " + hits + " hits");
        assertTrue(slides > MOVES / 50, "only " + slides + " slides");
        assertTrue(starts > MOVES / 50, "only " + starts + " moves began at a wall");
        assertTrue(corners > MOVES / 1_000, "only " + corners + " moves met a corner");
    }

    private void use(final int number)
    {
        final int kind = number % 6;
        final boolean isShipped = kind < ArenaMap.shippedNames().size();
        map = isShipped ? ArenaMap.shipped(ArenaMap.shippedNames().get(kind)) :
            Maps.random(random, 10 + random.nextInt(80));
        walls = random.nextBoolean() ? map.playerWalls() : map.shotWalls();
        box = new SweptBox(walls);
    }

    /** Anywhere, on the faces of walls, or at their corners. */
    private void chooseStart()
    {
        do
        {
            x = random.nextInt(map.width());
            y = random.nextInt(map.height());
            final int wall = random.nextInt(walls.count());
            final int dice = random.nextInt(6);
            if (dice == 0)
            {
                x = random.nextBoolean() ? walls.minX(wall) : walls.maxX(wall);
            }
            if (dice == 1)
            {
                y = random.nextBoolean() ? walls.minY(wall) : walls.maxY(wall);
            }
            if (dice == 2 && walls.cornerCount() > 0)
            {
                final int corner = random.nextInt(walls.cornerCount());
                x = walls.cornerX(corner);
                y = walls.cornerY(corner);
            }
            starts += dice < 3 ? 1 : 0;
        }
        while (!walls.isFree(x, y));
    }

    private void chooseDisplacement()
    {
        final int size = Math.max(map.width(), map.height());
        final int reach = switch (random.nextInt(4))
        {
            case 0 -> size;
            case 1 -> 4 * Fixed.UNIT;
            case 2 -> Fixed.UNIT / 8;
            default -> 3;
        };
        dx = random.nextInt(2 * reach + 1) - reach;
        dy = random.nextInt(2 * reach + 1) - reach;
        switch (random.nextInt(8))
        {
            case 0 -> dx = 0;
            case 1 -> dy = 0;
            case 2 -> dy = random.nextBoolean() ? dx : -dx;
            case 3 -> aimAtCorner();
            default ->
            {
                // As it is.
            }
        }
        if (random.nextInt(200) == 0)
        {
            dx = 0;
            dy = 0;
        }
    }

    /** To a corner exactly, half the way to it or through it to the other side. */
    private void aimAtCorner()
    {
        final int wall = random.nextInt(walls.count() - 4 > 0 ? walls.count() - 4 : 1);
        final int cornerX = random.nextBoolean() ? walls.minX(wall) : walls.maxX(wall);
        final int cornerY = random.nextBoolean() ? walls.minY(wall) : walls.maxY(wall);
        final int times = 1 + random.nextInt(2);
        dx = Math.max(-Fixed.LONGEST, Math.min(Fixed.LONGEST, (cornerX - x) * times));
        dy = Math.max(-Fixed.LONGEST, Math.min(Fixed.LONGEST, (cornerY - y) * times));
        corners++;
    }

    private void checkMove()
    {
        int atX = x;
        int atY = y;
        int leftX = dx;
        int leftY = dy;
        int sweeps = 0;
        while (0 != leftX || 0 != leftY)
        {
            final boolean isHit = checkSweep(atX, atY, leftX, leftY);
            leftX = 0 == box.normalX() ? leftX - (box.x() - atX) : 0;
            leftY = 0 == box.normalY() ? leftY - (box.y() - atY) : 0;
            atX = box.x();
            atY = box.y();
            hits += isHit ? 1 : 0;
            slides += isHit && (0 != leftX || 0 != leftY) ? 1 : 0;
            sweeps++;
            assertTrue(sweeps <= 3, () -> context + ": more than 3 sweeps");
        }
        box.move(x, y, dx, dy);
        assertEquals(atX, box.x(), context);
        assertEquals(atY, box.y(), context);
        assertTrue(isBetween(0, atX - x, dx) && isBetween(0, atY - y, dy), context);
        checkRest(atX, atY);
    }

    private boolean checkSweep(final int fromX, final int fromY, final int leftX, final int leftY)
    {
        final boolean isHit = box.sweep(fromX, fromY, leftX, leftY);
        twin.clear();
        boolean isBlocked = false;
        for (int wall = walls.count() - 1; wall >= 0; wall--)
        {
            walls.consider(twin, wall, fromX, fromY, leftX, leftY);
            isBlocked |= meets(wall, 0, fromX, fromY, leftX, leftY);
            // The wall itself, without the skin: not even touched on the way to where the box came to.
            final int madeX = box.x() - fromX;
            final int madeY = box.y() - fromY;
            assertTrue(!meets(wall, Walls.SKIN - 1, fromX, fromY, madeX, madeY), context);
        }
        assertEquals(isBlocked, isHit, context);
        assertEquals(twin.id, box.wall(), context);
        assertEquals(twin.numerator, box.timeNumerator(), context);
        assertEquals(twin.denominator, box.timeDenominator(), context);
        if (isHit)
        {
            checkContact(leftX, leftY);
        }
        else
        {
            assertEquals(fromX + leftX, box.x(), context);
            assertEquals(fromY + leftY, box.y(), context);
        }
        return isHit;
    }

    /** The box stands at the face of the wall that it says it hit, so it did not stop too early. */
    private void checkContact(final int leftX, final int leftY)
    {
        final int wall = box.wall();
        assertEquals(1, Math.abs(box.normalX()) + Math.abs(box.normalY()), context);
        if (0 != box.normalX())
        {
            assertEquals(box.normalX() < 0 ? walls.minX(wall) : walls.maxX(wall), box.x(), context);
            assertTrue(box.y() >= walls.minY(wall) - 1 && box.y() <= walls.maxY(wall) + 1, context);
            assertTrue(Integer.signum(leftX) == -box.normalX(), context);
        }
        else
        {
            assertEquals(box.normalY() < 0 ? walls.minY(wall) : walls.maxY(wall), box.y(), context);
            assertTrue(box.x() >= walls.minX(wall) - 1 && box.x() <= walls.maxX(wall) + 1, context);
            assertTrue(Integer.signum(leftY) == -box.normalY(), context);
        }
    }

    private void checkRest(final int atX, final int atY)
    {
        assertTrue(walls.isFree(atX, atY), context);
        for (int wall = 0; wall < walls.count(); wall++)
        {
            assertTrue(!meets(wall, 0, atX, atY, 0, 0), context);
        }
        final int half = walls == map.playerWalls() ? ArenaRules.PLAYER_HALF : ArenaRules.SHOT_HALF;
        for (int i = 0; i < map.boxCount(); i++)
        {
            final boolean isApart =
                atX + half + Walls.SKIN <= map.box(i, 0) || atX - half - Walls.SKIN >= map.box(i, 2) ||
                atY + half + Walls.SKIN <= map.box(i, 1) || atY - half - Walls.SKIN >= map.box(i, 3);
            assertTrue(isApart, context);
        }
        assertTrue(atX >= half && atX <= map.width() - half && atY >= half && atY <= map.height() - half, context);
    }

    /** Does the segment meet the inside of the wall, made smaller on each side? No line parts them, then. */
    private boolean meets(
        final int wall, final int less, final int fromX, final int fromY, final int alongX, final int alongY)
    {
        final int minX = walls.minX(wall) + less;
        final int maxX = walls.maxX(wall) - less;
        final int minY = walls.minY(wall) + less;
        final int maxY = walls.maxY(wall) - less;
        if (Math.max(fromX, fromX + alongX) <= minX || Math.min(fromX, fromX + alongX) >= maxX ||
            Math.max(fromY, fromY + alongY) <= minY || Math.min(fromY, fromY + alongY) >= maxY)
        {
            return false;
        }
        if (0 == alongX && 0 == alongY)
        {
            return true;
        }
        // Twice the distances, so that the middle of the wall is a whole number.
        final long besideX = 2L * fromX - minX - maxX;
        final long besideY = 2L * fromY - minY - maxY;
        final long across = Math.abs(alongX * besideY - alongY * besideX);
        return across < (long)(maxX - minX) * Math.abs(alongY) + (long)(maxY - minY) * Math.abs(alongX);
    }

    private static boolean isBetween(final int a, final int value, final int b)
    {
        return Math.min(a, b) <= value && value <= Math.max(a, b);
    }
}
