package io.escapement.arena.simulation;

import java.util.Arrays;

/**
 * The walls of a map as the middle of a box of one size sees them: larger by half the box and by a skin, with the four
 * edges of the map, in a uniform grid. Immutable, so that all arenas on a map share it.
 */
public final class Walls
{
    /** How far a box stays away from a wall at least: a thousandth of a unit. */
    public static final int SKIN = Fixed.UNIT / 1024;

    /** Most cells of the grid along an axis. */
    private static final int CELL_LIMIT = 64;
    /** Cells are at least 4 units wide, so that a sub-step's movement seldom leaves its cell. */
    private static final int LEAST_CELL_SHIFT = Fixed.SHIFT + 2;
    /** Thickness of the walls around the map. */
    private static final int EDGE = 1 << 26;

    private final int width;
    private final int height;
    private final int count;
    private final int[] minX;
    private final int[] minY;
    private final int[] maxX;
    private final int[] maxY;
    private final int cellShift;
    private final int columns;
    private final int rows;
    private final int[] cellStart;
    private final int[] wallAt;
    private final int[] cornerX;
    private final int[] cornerY;

    /**
     * Make the walls for a box of one size.
     *
     * @param boxes  minX, minY, maxX, maxY of one box after the other.
     * @param width  of the map.
     * @param height of the map.
     * @param half   half the side of the box that will move.
     */
    Walls(final int[] boxes, final int width, final int height, final int half)
    {
        this.width = width;
        this.height = height;
        count = boxes.length / 4 + 4;
        minX = new int[count];
        minY = new int[count];
        maxX = new int[count];
        maxY = new int[count];
        final int grown = half + SKIN;
        for (int i = 0; i < count - 4; i++)
        {
            put(i, boxes[4 * i], boxes[4 * i + 1], boxes[4 * i + 2], boxes[4 * i + 3], grown);
        }
        put(count - 4, -EDGE, -EDGE, 0, height + EDGE, grown);
        put(count - 3, width, -EDGE, width + EDGE, height + EDGE, grown);
        put(count - 2, -EDGE, -EDGE, width + EDGE, 0, grown);
        put(count - 1, -EDGE, height, width + EDGE, height + EDGE, grown);

        int shift = LEAST_CELL_SHIFT;
        while (Math.max(width, height) >> shift >= CELL_LIMIT)
        {
            shift++;
        }
        cellShift = shift;
        columns = (width >> shift) + 1;
        rows = (height >> shift) + 1;
        cellStart = new int[columns * rows + 1];
        wallAt = fillCells();

        final int[][] corners = freeCorners();
        cornerX = corners[0];
        cornerY = corners[1];
    }

    /** How many walls there are, the four edges among them. */
    public int count()
    {
        return count;
    }

    /**
     * Is the middle of a box here on the map and not in a wall? On the skin of a wall is not in it.
     *
     * @param x of the middle.
     * @param y of the middle.
     * @return true if a box may be here.
     */
    public boolean isFree(final int x, final int y)
    {
        if (!isOnMap(x, y))
        {
            return false;
        }
        final int cell = cell(column(x), row(y));
        for (int i = cellStart[cell]; i < cellStart[cell + 1]; i++)
        {
            if (holds(wallAt[i], x, y))
            {
                return false;
            }
        }
        return true;
    }

    /** Is this point on the map? */
    public boolean isOnMap(final int x, final int y)
    {
        return x >= 0 && x <= width && y >= 0 && y <= height;
    }

    int minX(final int wall)
    {
        return minX[wall];
    }

    int minY(final int wall)
    {
        return minY[wall];
    }

    int maxX(final int wall)
    {
        return maxX[wall];
    }

    int maxY(final int wall)
    {
        return maxY[wall];
    }

    /** Corners of walls that a box can touch: where the shortest ways around walls bend. */
    int cornerCount()
    {
        return cornerX.length;
    }

    int cornerX(final int corner)
    {
        return cornerX[corner];
    }

    int cornerY(final int corner)
    {
        return cornerY[corner];
    }

    int cellShift()
    {
        return cellShift;
    }

    int column(final int x)
    {
        return Math.max(0, Math.min(x >> cellShift, columns - 1));
    }

    int row(final int y)
    {
        return Math.max(0, Math.min(y >> cellShift, rows - 1));
    }

    int cell(final int column, final int row)
    {
        return row * columns + column;
    }

    int cellStart(final int cell)
    {
        return cellStart[cell];
    }

    int cellEnd(final int cell)
    {
        return cellStart[cell + 1];
    }

    int wallAt(final int entry)
    {
        return wallAt[entry];
    }

    void consider(final Impact impact, final int wall, final int x, final int y, final int dx, final int dy)
    {
        impact.consider(x, y, dx, dy, minX[wall], minY[wall], maxX[wall], maxY[wall], wall);
    }

    private void put(final int wall, final int x0, final int y0, final int x1, final int y1, final int grown)
    {
        minX[wall] = x0 - grown;
        minY[wall] = y0 - grown;
        maxX[wall] = x1 + grown;
        maxY[wall] = y1 + grown;
    }

    // First how many walls each cell has, then which.
    private int[] fillCells()
    {
        for (int wall = 0; wall < count; wall++)
        {
            for (int row = row(minY[wall]); row <= row(maxY[wall]); row++)
            {
                for (int column = column(minX[wall]); column <= column(maxX[wall]); column++)
                {
                    cellStart[cell(column, row) + 1]++;
                }
            }
        }
        for (int cell = 0; cell < columns * rows; cell++)
        {
            cellStart[cell + 1] += cellStart[cell];
        }
        final int[] entries = new int[cellStart[columns * rows]];
        final int[] next = Arrays.copyOf(cellStart, columns * rows);
        for (int wall = 0; wall < count; wall++)
        {
            for (int row = row(minY[wall]); row <= row(maxY[wall]); row++)
            {
                for (int column = column(minX[wall]); column <= column(maxX[wall]); column++)
                {
                    entries[next[cell(column, row)]++] = wall;
                }
            }
        }
        return entries;
    }

    private int[][] freeCorners()
    {
        final int[] xs = new int[4 * count];
        final int[] ys = new int[4 * count];
        int found = 0;
        for (int wall = 0; wall < count; wall++)
        {
            for (int corner = 0; corner < 4; corner++)
            {
                xs[found] = 0 == (corner & 1) ? minX[wall] : maxX[wall];
                ys[found] = 0 == (corner & 2) ? minY[wall] : maxY[wall];
                found += isFree(xs[found], ys[found]) ? 1 : 0;
            }
        }
        return new int[][] {Arrays.copyOf(xs, found), Arrays.copyOf(ys, found)};
    }

    private boolean holds(final int wall, final int x, final int y)
    {
        return x > minX[wall] && x < maxX[wall] && y > minY[wall] && y < maxY[wall];
    }
}
