package io.escapement.examples.turns;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.Arrays;

/** The board of four in a row. Cells are numbered by row, from the lowest. */
final class Board
{
    static final int COLUMNS = 7;
    static final int CELLS = COLUMNS * 6;
    static final int NONE = -1;

    private static final int[][] DIRECTIONS = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
    private static final int ROW_TO_WIN = 4;

    private final int[] discs = new int[CELLS];
    private int count;

    Board()
    {
        clear();
    }

    void clear()
    {
        Arrays.fill(discs, NONE);
        count = 0;
    }

    boolean isFull()
    {
        return CELLS == count;
    }

    /** The player with a disc in a cell, or {@link #NONE}. */
    int disc(final int cell)
    {
        return discs[cell];
    }

    /** Whether a disc fits into a column. */
    boolean isFree(final int column)
    {
        return column >= 0 && column < COLUMNS && NONE == discs[CELLS - COLUMNS + column];
    }

    /** Drop a disc into a free column, and return its cell. */
    int drop(final int column, final int player)
    {
        int cell = column;
        while (NONE != discs[cell])
        {
            cell += COLUMNS;
        }
        discs[cell] = player;
        count++;
        return cell;
    }

    /** Whether the disc in a cell makes four in a row. */
    boolean wins(final int cell)
    {
        for (final int[] direction : DIRECTIONS)
        {
            if (1 + same(cell, direction[0], direction[1]) + same(cell, -direction[0], -direction[1]) >= ROW_TO_WIN)
            {
                return true;
            }
        }
        return false;
    }

    /** Number of discs in a direction from a cell with the same player as its disc. */
    private int same(final int cell, final int right, final int up)
    {
        int column = cell % COLUMNS + right;
        int row = cell / COLUMNS + up;
        int same = 0;
        while (column >= 0 && column < COLUMNS && row >= 0 && row < CELLS / COLUMNS &&
            discs[row * COLUMNS + column] == discs[cell])
        {
            column += right;
            row += up;
            same++;
        }
        return same;
    }

    void write(final StateWriter state)
    {
        for (final int disc : discs)
        {
            state.putInt(disc);
        }
    }

    void read(final StateReader state)
    {
        clear();
        for (int cell = 0; cell < CELLS; cell++)
        {
            discs[cell] = state.getInt();
            count += NONE == discs[cell] ? 0 : 1;
        }
    }
}
