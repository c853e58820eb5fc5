package io.escapement.arena.simulation;

/**
 * Moves a box among walls without ever passing through one or coming to rest in one, however fast it is.
 * <p>
 * The box is a point among walls that are larger by half its size and a skin ({@link Walls#SKIN}). The time of an
 * impact is an exact fraction. On the axis of the impact the box stops exactly on the face. On the other axis it is
 * rounded towards its start, by less than one, which is far less than the skin. So rounding can bring it neither into a
 * wall nor past a corner.
 * <p>
 * One thread at a time uses an instance. The walls may be shared. It does not allocate.
 */
public final class SweptBox
{
    private final Walls walls;
    private final Impact impact = new Impact();
    private int x;
    private int y;
    private int normalX;
    private int normalY;
    private int tried;

    /**
     * A box among walls.
     *
     * @param walls that were made for a box of this size.
     */
    public SweptBox(final Walls walls)
    {
        this.walls = walls;
    }

    /**
     * Move straight up to the first impact. Its place, time and normal are available afterwards.
     *
     * @param fromX middle of the box, on the map and not in a wall.
     * @param fromY middle of the box.
     * @param dx    displacement, at most {@link Fixed#LONGEST} either way.
     * @param dy    displacement, at most {@link Fixed#LONGEST} either way.
     * @return true if there was an impact.
     */
    public boolean sweep(final int fromX, final int fromY, final int dx, final int dy)
    {
        impact.clear();
        tried = 0;
        final int column = walls.column(fromX);
        final int lastColumn = walls.column(fromX + dx);
        if (column == lastColumn)
        {
            tryColumn(column, fromY, fromY + dy, fromX, fromY, dx, dy);
        }
        else
        {
            walk(column, lastColumn, fromX, fromY, dx, dy);
        }
        rest(fromX, fromY, dx, dy);
        return impact.isHit();
    }

    /**
     * Move, and slide along the hit wall for the rest of the displacement. An impact stops the movement on its axis.
     * After at most two impacts no displacement is left.
     *
     * @param fromX middle of the box, on the map and not in a wall.
     * @param fromY middle of the box.
     * @param dx    displacement, at most {@link Fixed#LONGEST} either way.
     * @param dy    displacement, at most {@link Fixed#LONGEST} either way.
     */
    public void move(final int fromX, final int fromY, final int dx, final int dy)
    {
        int startX = fromX;
        int startY = fromY;
        int leftX = dx;
        int leftY = dy;
        x = fromX;
        y = fromY;
        while ((0 != leftX || 0 != leftY) && sweep(startX, startY, leftX, leftY))
        {
            leftX = Impact.AXIS_Y == impact.axis ? leftX - (x - startX) : 0;
            leftY = Impact.AXIS_X == impact.axis ? leftY - (y - startY) : 0;
            startX = x;
            startY = y;
        }
    }

    /**
     * Can the box go straight from one place to another?
     *
     * @param fromX middle of the box, on the map and not in a wall.
     * @param fromY middle of the box.
     * @param toX   middle of the box.
     * @param toY   middle of the box.
     * @return true if it hits no wall.
     */
    public boolean isWayFree(final int fromX, final int fromY, final int toX, final int toY)
    {
        return !sweep(fromX, fromY, toX - fromX, toY - fromY);
    }

    /** Where the last movement stopped. */
    public int x()
    {
        return x;
    }

    /** Where the last movement stopped. */
    public int y()
    {
        return y;
    }

    /**
     * The normal of the last sweep's impact along x. Both are 0 if there was no impact, or if the box was in a wall.
     */
    public int normalX()
    {
        return normalX;
    }

    /** The normal of the last sweep's impact along y. */
    public int normalY()
    {
        return normalY;
    }

    /**
     * Time of the last sweep's impact, as a part of its displacement: this over {@link #timeDenominator()}.
     *
     * @return the numerator. Equal to the denominator if there was no impact.
     */
    public long timeNumerator()
    {
        return impact.numerator;
    }

    /** Time of the last sweep's impact. */
    public long timeDenominator()
    {
        return impact.denominator;
    }

    /**
     * The wall that the last sweep hit.
     *
     * @return index of the wall, or -1. The map's boxes are first, then its four edges.
     */
    public int wall()
    {
        return impact.id;
    }

    /** How many walls the last sweep tried. */
    int tried()
    {
        return tried;
    }

    /** The last sweep's impact, to try more boxes against the same displacement. */
    Impact impact()
    {
        return impact;
    }

    private void walk(
        final int column, final int lastColumn, final int fromX, final int fromY, final int dx, final int dy)
    {
        final int step = dx > 0 ? 1 : -1;
        final long length = Math.abs(dx);
        int current = column;
        int enterY = fromY;
        while (current != lastColumn)
        {
            final int edgeX = current + (dx > 0 ? 1 : 0) << walls.cellShift();
            final long travelled = Math.abs((long)edgeX - fromX);
            final int exitY = (int)(fromY + Math.floorDiv(dy * travelled, length));
            tryColumn(current, enterY, exitY, fromX, fromY, dx, dy);
            // A wall hit before this edge would be in a cell that was already visited.
            if (impact.isHit() && impact.numerator * length < travelled * impact.denominator)
            {
                return;
            }
            enterY = exitY;
            current += step;
        }
        tryColumn(current, enterY, fromY + dy, fromX, fromY, dx, dy);
    }

    private void tryColumn(
        final int column,
        final int enterY,
        final int exitY,
        final int fromX,
        final int fromY,
        final int dx,
        final int dy)
    {
        final int lastRow = walls.row(Math.max(enterY, exitY));
        for (int row = walls.row(Math.min(enterY, exitY)); row <= lastRow; row++)
        {
            final int cell = walls.cell(column, row);
            final int end = walls.cellEnd(cell);
            for (int i = walls.cellStart(cell); i < end; i++)
            {
                walls.consider(impact, walls.wallAt(i), fromX, fromY, dx, dy);
                tried++;
            }
        }
    }

    private void rest(final int fromX, final int fromY, final int dx, final int dy)
    {
        final long time = impact.numerator;
        final long of = impact.denominator;
        normalX = 0;
        normalY = 0;
        if (!impact.isHit())
        {
            x = fromX + dx;
            y = fromY + dy;
        }
        else if (Impact.AXIS_X == impact.axis)
        {
            normalX = -Integer.signum(dx);
            x = (int)(fromX - normalX * time);
            y = (int)(fromY + dy * time / of);
        }
        else if (Impact.AXIS_Y == impact.axis)
        {
            normalY = -Integer.signum(dy);
            x = (int)(fromX + dx * time / of);
            y = (int)(fromY - normalY * time);
        }
        else
        {
            x = fromX;
            y = fromY;
        }
    }
}
