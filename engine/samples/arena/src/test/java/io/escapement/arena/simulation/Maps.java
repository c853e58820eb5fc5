package io.escapement.arena.simulation;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.SplittableRandom;

/** Maps for tests. */
final class Maps
{
    private Maps()
    {
    }

    /** A map of these lines. */
    static ArenaMap of(final String... lines)
    {
        try
        {
            return ArenaMap.read("made.map", new StringReader(String.join("\n", lines)));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** 100 by 100 with spawn points in rows along the lower edge, 4 apart, and these lines besides. */
    static ArenaMap open(final String... lines)
    {
        final StringBuilder text = new StringBuilder("name Open\nsize 100 100\n");
        for (int i = 0; i < 16; i++)
        {
            text.append("spawn ").append(2 + 4 * (i % 8)).append(' ').append(2 + 4 * (i / 8)).append('\n');
        }
        return of(text.append(String.join("\n", lines)).toString());
    }

    /** Boxes everywhere: apart, side by side, overlapping, at the edges. */
    static ArenaMap random(final SplittableRandom random, final int boxCount)
    {
        final int size = 48;
        final int[] boxes = new int[4 * boxCount];
        for (int i = 0; i < boxCount; i++)
        {
            final int previous = Math.max(0, i - 1);
            final boolean isBeside = i > 0 && random.nextInt(3) == 0;
            // Beside the one before, with one side in a line with its side.
            final int x = isBeside ? boxes[4 * previous + 2] : random.nextInt(size - 4) * Fixed.UNIT;
            final int y = isBeside ? boxes[4 * previous + 1] : random.nextInt(size - 4) * Fixed.UNIT;
            boxes[4 * i] = x;
            boxes[4 * i + 1] = y;
            boxes[4 * i + 2] = Math.min(size * Fixed.UNIT, x + (1 + random.nextInt(12)) * Fixed.UNIT / 4);
            boxes[4 * i + 3] = Math.min(size * Fixed.UNIT, y + (1 + random.nextInt(12)) * Fixed.UNIT / 4);
        }
        return new ArenaMap("Random", size * Fixed.UNIT, size * Fixed.UNIT, boxes, new int[0]);
    }

    static int units(final double units)
    {
        return (int)(units * Fixed.UNIT);
    }
}
