package io.escapement.rooms.sync;

import io.escapement.codecs.sync.SyncSchema;
import java.util.Arrays;

/**
 * The rows of one table by the cell that they are in: a list for each cell. It follows from the values of the rows, and
 * is not part of a snapshot.
 */
final class SightGrid
{
    private static final int NONE = -1;

    private final StateRows rows;
    private final int table;
    private final int firstRow;
    private final int capacity;
    private final int xField;
    private final int yField;
    private final int cellSize;
    private final int columns;
    private final int cellRows;
    private final boolean isXReal;
    private final boolean isYReal;
    /** First row in a cell, and the rows before and after a row in its list. */
    private final int[] head;
    private final int[] next;
    private final int[] previous;
    private final int[] cellOfRow;

    SightGrid(final StateRows rows, final int table)
    {
        this.rows = rows;
        this.table = table;
        final SyncSchema schema = rows.schema;
        final SyncSchema.Grid grid = schema.grid(table);
        xField = grid.xField();
        yField = grid.yField();
        cellSize = grid.cellSize();
        columns = grid.columns();
        cellRows = grid.rows();
        isXReal = isReal(schema.type(xField));
        isYReal = isReal(schema.type(yField));
        firstRow = schema.firstRow(table);
        capacity = schema.capacity(table);
        head = new int[columns * cellRows];
        next = new int[capacity];
        previous = new int[capacity];
        cellOfRow = new int[capacity];
        Arrays.fill(head, NONE);
        Arrays.fill(cellOfRow, NONE);
    }

    int table()
    {
        return table;
    }

    /** Move the changed rows to their cells. Returns whether any row has another cell than before. */
    boolean update(final long[] changed)
    {
        boolean isMoved = false;
        for (int row = 0; row < capacity; row++)
        {
            if (StateRows.contains(changed, firstRow + row))
            {
                final int cell = StateRows.contains(rows.present, firstRow + row) ? cellOf(row) : NONE;
                if (cell != cellOfRow[row])
                {
                    unlink(row);
                    link(row, cell);
                    isMoved = true;
                }
            }
        }
        return isMoved;
    }

    /**
     * Make a set contain, of this table, the rows in the cells that a square touches: no rows, if its radius is
     * negative.
     */
    void select(final long[] set, final long x, final long y, final long radius)
    {
        for (int row = 0; row < capacity; row++)
        {
            StateRows.exclude(set, firstRow + row);
        }
        if (radius < 0)
        {
            return;
        }
        final int left = cell(x - radius, columns);
        final int right = cell(x + radius, columns);
        final int bottom = cell(y + radius, cellRows);
        for (int cellY = cell(y - radius, cellRows); cellY <= bottom; cellY++)
        {
            for (int cellX = left; cellX <= right; cellX++)
            {
                for (int row = head[cellY * columns + cellX]; NONE != row; row = next[row])
                {
                    StateRows.include(set, firstRow + row);
                }
            }
        }
    }

    private int cellOf(final int row)
    {
        return cell(position(yField, isYReal, row), cellRows) * columns + cell(position(xField, isXReal, row), columns);
    }

    private long position(final int field, final boolean isReal, final int row)
    {
        return isReal ? (long)Math.floor(rows.doubleValue(field, row)) : rows.longValue(field, row);
    }

    private int cell(final long position, final int limit)
    {
        return (int)Math.max(0, Math.min(limit - 1, Math.floorDiv(position, cellSize)));
    }

    private void link(final int row, final int cell)
    {
        cellOfRow[row] = cell;
        if (NONE != cell)
        {
            next[row] = head[cell];
            previous[row] = NONE;
            if (NONE != head[cell])
            {
                previous[head[cell]] = row;
            }
            head[cell] = row;
        }
    }

    private void unlink(final int row)
    {
        final int cell = cellOfRow[row];
        if (NONE != cell)
        {
            if (NONE == previous[row])
            {
                head[cell] = next[row];
            }
            else
            {
                next[previous[row]] = next[row];
            }
            if (NONE != next[row])
            {
                previous[next[row]] = previous[row];
            }
        }
    }

    private static boolean isReal(final SyncSchema.Type type)
    {
        return SyncSchema.Type.FLOAT == type || SyncSchema.Type.DOUBLE == type;
    }
}
