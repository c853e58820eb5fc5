package io.escapement.arena.bots;

import io.escapement.arena.client.ArenaClient;
import io.escapement.arena.simulation.ArenaMap;
import io.escapement.arena.simulation.ArenaRules;
import io.escapement.arena.simulation.Fixed;
import io.escapement.arena.world.World;
import java.util.Arrays;

/** An arena as text, as one player sees it. */
final class TextPicture
{
    private static final String FACES = "0123456789abcdef";
    private static final int MOST_COLUMNS = 160;

    private TextPicture()
    {
    }

    /** Walls, players by index, projectiles, and score them health and score. */
    static String of(final ArenaClient client)
    {
        final ArenaMap map = client.map();
        final World world = client.world();
        final int scale = 1 + (map.width() >> Fixed.SHIFT) / MOST_COLUMNS;
        final int columns = (map.width() >> Fixed.SHIFT) / scale;
        final int rows = (map.height() >> Fixed.SHIFT) / (2 * scale);
        final char[][] cells = new char[rows][columns];
        for (final char[] row : cells)
        {
            Arrays.fill(row, ' ');
        }
        for (int row = 0; row < rows; row++)
        {
            for (int column = 0; column < columns; column++)
            {
                final int x = (column * scale << Fixed.SHIFT) + Fixed.UNIT / 2;
                final int y = (row * 2 * scale << Fixed.SHIFT) + Fixed.UNIT;
                if (!map.shotWalls().isFree(x, y))
                {
                    cells[row][column] = '#';
                }
            }
        }
        for (int i = 0; i < ArenaRules.SHOT_LIMIT; i++)
        {
            if (world.shotOwner(i) >= 0)
            {
                put(cells, world.shotX(i), world.shotY(i), scale, '*');
            }
        }
        final StringBuilder score = new StringBuilder();
        for (int i = 0; i < ArenaRules.PLAYER_LIMIT; i++)
        {
            if (world.isLiving(i))
            {
                put(cells, world.x(i), world.y(i), scale, FACES.charAt(i));
            }
            if (0 != client.playerId(i))
            {
                score.append(FACES.charAt(i)).append(world.isLiving(i) ? " " : "+ ").append(world.health(i))
                    .append(" hp ").append(world.kills(i)).append('-').append(world.deaths(i)).append("   ");
            }
        }
        final StringBuilder text = new StringBuilder();
        for (final char[] row : cells)
        {
            text.append(row).append(System.lineSeparator());
        }
        return text.append(score).append(System.lineSeparator()).append(client.stats().lastChat())
            .append(System.lineSeparator()).toString();
    }

    private static void put(final char[][] cells, final int x, final int y, final int scale, final char symbol)
    {
        final int column = (x >> Fixed.SHIFT) / scale;
        final int row = (y >> Fixed.SHIFT) / (2 * scale);
        if (row >= 0 && row < cells.length && column >= 0 && column < cells[0].length)
        {
            cells[row][column] = symbol;
        }
    }
}
