package io.escapement.arena.program;

import io.escapement.arena.client.ArenaClient;
import io.escapement.arena.simulation.ArenaMap;
import io.escapement.arena.simulation.ArenaRules;
import io.escapement.arena.simulation.Fixed;
import io.escapement.arena.world.World;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Draws an arena of bots as text, live, as one of them sees it. */
@Command(
    name = "watch",
    sortOptions = false,
    description = "Draw an arena as text, live, as one of its players sees it.")
final class WatchCommand implements Callable<Integer>
{
    private static final long FRAME_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final String HOME = "\u001b[H\u001b[2J";
    private static final String FACES = "0123456789abcdef";
    private static final int MOST_COLUMNS = 160;

    @Spec
    private CommandSpec spec;

    @Mixin
    private ServerOptions server;

    @Option(names = "--seats", defaultValue = "8", description = "Number of players (default: ${DEFAULT-VALUE}).")
    private int seats;

    @Option(names = "--seconds", defaultValue = "30", description = "Duration (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(names = "--plain", description = "Do not clear the screen between drawings.")
    private boolean isPlain;

    @Override
    public Integer call()
    {
        final PrintWriter out = spec.commandLine().getOut();
        Quiet.client();
        final BotOptions options = new BotOptions(server.driverDirectory(), server.ingress(), server.response(),
            server.secret(), server.feed(), server.termLength(), false, 1, seats, 0, 1, 12, seats - 1,
            (int)(System.currentTimeMillis() % 1_000_000), 1);
        try (BotCrowd crowd = new BotCrowd(options, 1))
        {
            final long untilNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
            while (System.nanoTime() < untilNs)
            {
                crowd.run(FRAME_NS);
                crowd.checkConnections();
                final ArenaClient client = crowd.first();
                if (null != client.map())
                {
                    out.print((isPlain ? "" : HOME) + picture(client));
                    out.flush();
                }
            }
            crowd.leave(TimeUnit.SECONDS.toNanos(5));
            return 0 == crowd.violations() ? 0 : 1;
        }
    }

    /** Walls, players by index, projectiles, and score them health and score. */
    static String picture(final ArenaClient client)
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
