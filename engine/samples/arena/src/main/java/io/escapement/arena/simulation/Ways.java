package io.escapement.arena.simulation;

/**
 * Decides whether a player can have moved from one place to another within a length, around walls. It tries a straight
 * path, then paths with one bend at a corner of a wall, then with two. Between two samples no player passes more
 * corners. Tests verify this on the shipped maps.
 */
final class Ways
{
    /** Corners that are tried, in the order of the walls. */
    private static final int CORNER_LIMIT = 48;
    /** Straight ways tried, so that a blocked claim has its price bounded. */
    private static final int TRY_LIMIT = 256;

    private final Walls walls;
    private final SweptBox box;
    private final int[] corners = new int[CORNER_LIMIT];
    private final boolean[] isSeenFromStart = new boolean[CORNER_LIMIT];
    private final boolean[] isSeenFromEnd = new boolean[CORNER_LIMIT];

    Ways(final Walls walls)
    {
        this.walls = walls;
        box = new SweptBox(walls);
    }

    /**
     * Whether a path exists.
     *
     * @param fromX  where it starts, not in a wall.
     * @param fromY  where it starts.
     * @param toX    where it stops, not in a wall.
     * @param toY    where it stops.
     * @param length that it may have.
     * @return true if one was found.
     */
    boolean exists(final int fromX, final int fromY, final int toX, final int toY, final long length)
    {
        if (Fixed.length(toX - fromX, toY - fromY) > length)
        {
            return false;
        }
        return box.isWayFree(fromX, fromY, toX, toY) || bends(fromX, fromY, toX, toY, length);
    }

    private boolean bends(final int fromX, final int fromY, final int toX, final int toY, final long length)
    {
        int count = 0;
        for (int corner = 0; corner < walls.cornerCount() && count < CORNER_LIMIT; corner++)
        {
            if (isNear(corner, fromX, fromY, length) && isNear(corner, toX, toY, length) &&
                distance(corner, fromX, fromY) + distance(corner, toX, toY) <= length)
            {
                final int x = walls.cornerX(corner);
                final int y = walls.cornerY(corner);
                corners[count] = corner;
                isSeenFromStart[count] = box.isWayFree(fromX, fromY, x, y);
                isSeenFromEnd[count] = box.isWayFree(x, y, toX, toY);
                if (isSeenFromStart[count] && isSeenFromEnd[count])
                {
                    return true;
                }
                count++;
            }
        }
        return bendsTwice(count, fromX, fromY, toX, toY, length);
    }

    private boolean bendsTwice(
        final int count, final int fromX, final int fromY, final int toX, final int toY, final long length)
    {
        int tries = 0;
        for (int i = 0; i < count; i++)
        {
            for (int k = 0; k < count && isSeenFromStart[i] && tries < TRY_LIMIT; k++)
            {
                final int x = walls.cornerX(corners[i]);
                final int y = walls.cornerY(corners[i]);
                if (isSeenFromEnd[k] && distance(corners[i], fromX, fromY) +
                    distance(corners[k], x, y) + distance(corners[k], toX, toY) <= length)
                {
                    tries++;
                    if (box.isWayFree(x, y, walls.cornerX(corners[k]), walls.cornerY(corners[k])))
                    {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private boolean isNear(final int corner, final int x, final int y, final long length)
    {
        return Math.abs(walls.cornerX(corner) - x) <= length && Math.abs(walls.cornerY(corner) - y) <= length;
    }

    private long distance(final int corner, final int x, final int y)
    {
        return Fixed.length(walls.cornerX(corner) - x, walls.cornerY(corner) - y);
    }
}
