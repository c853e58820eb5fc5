package io.escapement.rooms.sync;

import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.Arrays;

/**
 * The share of a state that the seats of one view see: the visible rows, and the rows of a client that received
 * everything so far.
 */
final class StateView
{
    private static final long NO_SIGHT = -1;

    final int number;
    /** Rows that the view may see, and the rows with secrets that it sees. */
    final long[] granted;
    final long[] secretsGranted;
    /** Rows that a client has, and the rows with secrets that it has. */
    final long[] known;
    final long[] secretsKnown;
    /** Number of the state that a client has. */
    private int sequence;
    private final StateRows rows;
    private final SightGrid[] grids;
    /** Rows in sight: all of the tables without a grid. */
    private final long[] inSight;
    private final long[] eyeX;
    private final long[] eyeY;
    /** Half of the side of the square that the view looks at. */
    private final long[] eyeRadius;
    private final boolean[] isEyeMoved;

    StateView(final int number, final StateRows rows, final SightGrid[] grids)
    {
        this.number = number;
        this.rows = rows;
        this.grids = grids;
        granted = new long[rows.words];
        secretsGranted = new long[rows.words];
        known = new long[rows.words];
        secretsKnown = new long[rows.words];
        inSight = new long[rows.words];
        eyeX = new long[grids.length];
        eyeY = new long[grids.length];
        eyeRadius = new long[grids.length];
        isEyeMoved = new boolean[grids.length];
        Arrays.fill(inSight, -1);
        Arrays.fill(isEyeMoved, true);
        reset();
    }

    int sequence()
    {
        return sequence;
    }

    /** The next state was sent, or would have been sent to a receiver. */
    void countState()
    {
        sequence++;
    }

    void look(final int grid, final long x, final long y, final long radius)
    {
        if (x != eyeX[grid] || y != eyeY[grid] || radius != eyeRadius[grid])
        {
            eyeX[grid] = x;
            eyeY[grid] = y;
            eyeRadius[grid] = radius;
            isEyeMoved[grid] = true;
        }
    }

    /** Find the rows in sight, if the eye of a grid or its rows have moved. */
    void updateSight(final boolean[] isGridMoved)
    {
        for (int grid = 0; grid < grids.length; grid++)
        {
            if (isGridMoved[grid] || isEyeMoved[grid])
            {
                isEyeMoved[grid] = false;
                grids[grid].select(inSight, eyeX[grid], eyeY[grid], eyeRadius[grid]);
            }
        }
    }

    /** Rows of a word that the view sees. */
    long visible(final int word)
    {
        return rows.present[word] & granted[word] & inSight[word];
    }

    /** Rows of a word that a client has in another form. */
    long changed(final int word)
    {
        final long visible = visible(word);
        return visible ^ known[word] | visible & (rows.touched[word] | secretsKnown[word] ^ secretsGranted[word]);
    }

    boolean isChanged()
    {
        for (int word = 0; word < rows.words; word++)
        {
            if (0 != changed(word))
            {
                return true;
            }
        }
        return false;
    }

    /** If a client has received everything, it has the rows that the view sees now. */
    void commit()
    {
        for (int word = 0; word < rows.words; word++)
        {
            known[word] = visible(word);
            secretsKnown[word] = known[word] & secretsGranted[word];
        }
    }

    /** See every row and no secret, without a look. */
    void reset()
    {
        Arrays.fill(granted, -1);
        Arrays.fill(secretsGranted, 0);
        for (int grid = 0; grid < grids.length; grid++)
        {
            look(grid, 0, 0, NO_SIGHT);
        }
    }

    void grant(final int row, final boolean isOpen, final boolean isSecret)
    {
        if (isOpen)
        {
            StateRows.include(granted, row);
        }
        else
        {
            StateRows.exclude(granted, row);
        }
        if (isSecret)
        {
            StateRows.include(secretsGranted, row);
        }
        else
        {
            StateRows.exclude(secretsGranted, row);
        }
    }

    void write(final StateWriter writer)
    {
        writer.putInt(sequence);
        StateRows.write(writer, granted);
        StateRows.write(writer, secretsGranted);
        StateRows.write(writer, known);
        StateRows.write(writer, secretsKnown);
        for (int grid = 0; grid < grids.length; grid++)
        {
            writer.putLong(eyeX[grid]);
            writer.putLong(eyeY[grid]);
            writer.putLong(eyeRadius[grid]);
        }
    }

    void read(final StateReader reader)
    {
        sequence = reader.getInt();
        StateRows.read(reader, granted);
        StateRows.read(reader, secretsGranted);
        StateRows.read(reader, known);
        StateRows.read(reader, secretsKnown);
        for (int grid = 0; grid < grids.length; grid++)
        {
            eyeX[grid] = reader.getLong();
            eyeY[grid] = reader.getLong();
            eyeRadius[grid] = reader.getLong();
        }
    }
}
