package io.escapement.arena.simulation;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * A map: a rectangle with boxes that no player passes, and the places where players spawn. Immutable and shared.
 * <p>
 * A map is a text file. Each line has one of these forms. Numbers are units, with quarters at most ({@code 12.25}).
 * Empty lines and lines that start with {@code #} are skipped:
 * <pre>
 *   name Courtyard            once, up to 32 characters
 *   size 40 30                once, before any box or spawn: width and height
 *   box 10 4 2.5 8            x and y of the corner nearest to 0 0, width, height
 *   spawn 3 3                 x and y of the middle of a player
 * </pre>
 * Each limit is a constant here. A map that exceeds a limit is refused. The message names the file, line and reason.
 */
public final class ArenaMap
{
    /** Most boxes of a map. */
    public static final int BOX_LIMIT = 256;
    /** Fewest spawn points, so that each player finds a free point ({@link #SPAWN_DISTANCE}). */
    public static final int LEAST_SPAWNS = ArenaRules.PLAYER_LIMIT;
    /** Most spawn points. */
    public static final int SPAWN_LIMIT = 64;
    /** Least distance between any two spawn points, in x or in y, so that one player cannot block both. */
    public static final int SPAWN_DISTANCE = 4 * ArenaRules.PLAYER_HALF;
    /** Least width and height. */
    public static final int LEAST_SIZE = 8 * Fixed.UNIT;
    /** Largest width and height. */
    public static final int SIZE_LIMIT = 1024 * Fixed.UNIT;
    /** Most characters of a name. */
    public static final int NAME_LIMIT = 32;
    /** Most lines of a file, and most characters of a line. */
    public static final int LINE_LIMIT = 1024;

    private static final List<String> SHIPPED = List.of("courtyard", "foundry", "catacombs");

    private final String name;
    private final int width;
    private final int height;
    private final int[] boxes;
    private final int[] spawns;
    private final Walls playerWalls;
    private final Walls shotWalls;

    ArenaMap(final String name, final int width, final int height, final int[] boxes, final int[] spawns)
    {
        this.name = name;
        this.width = width;
        this.height = height;
        this.boxes = boxes;
        this.spawns = spawns;
        playerWalls = new Walls(boxes, width, height, ArenaRules.PLAYER_HALF);
        shotWalls = new Walls(boxes, width, height, ArenaRules.SHOT_HALF);
    }

    /** The maps in the game's jar: small, middling, and large with corridors. */
    public static List<String> shippedNames()
    {
        return SHIPPED;
    }

    /**
     * Read a map in the game's jar.
     *
     * @param shippedName name from {@link #shippedNames()}.
     * @throws IllegalArgumentException if no map has this name.
     */
    public static ArenaMap shipped(final String shippedName)
    {
        if (!SHIPPED.contains(shippedName))
        {
            throw new IllegalArgumentException("no map \"" + shippedName + "\", there are " + SHIPPED);
        }
        final String file = shippedName + ".map";
        try (InputStream resource = ArenaMap.class.getResourceAsStream(file))
        {
            if (null == resource)
            {
                throw new IllegalStateException(file + " is not among the resources");
            }
            return read(file, new InputStreamReader(resource, StandardCharsets.UTF_8));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Read a map.
     *
     * @param file   its name, for messages.
     * @param reader of the text, which is read to its end and not closed.
     * @throws IOException        if the reader fails.
     * @throws MapFormatException if the map is malformed or beyond a limit.
     */
    public static ArenaMap read(final String file, final Reader reader) throws IOException
    {
        return new ArenaMapReader(file).read(new BufferedReader(reader));
    }

    /** Name for people. */
    public String name()
    {
        return name;
    }

    /** Extent along x. */
    public int width()
    {
        return width;
    }

    /** Extent along y. */
    public int height()
    {
        return height;
    }

    /** How many boxes there are. */
    public int boxCount()
    {
        return boxes.length / 4;
    }

    /**
     * One side of a box, for drawing.
     *
     * @param box  index, from 0.
     * @param side 0 to 3: least x, least y, largest x, largest y.
     */
    public int box(final int box, final int side)
    {
        return boxes[4 * box + side];
    }

    /** How many spawn points there are. */
    public int spawnCount()
    {
        return spawns.length / 2;
    }

    /** Where a player spawns. */
    public int spawnX(final int spawn)
    {
        return spawns[2 * spawn];
    }

    /** Where a player spawns. */
    public int spawnY(final int spawn)
    {
        return spawns[2 * spawn + 1];
    }

    /** The walls as a player's middle sees them. */
    public Walls playerWalls()
    {
        return playerWalls;
    }

    /** The walls as a projectile's middle sees them. */
    public Walls shotWalls()
    {
        return shotWalls;
    }

    /** Hash of everything in the map but its name: a server and its clients compare it. */
    public long fingerprint()
    {
        long hash = SimulationHash.mix(SimulationHash.mix(SimulationHash.START, width), height);
        for (final int side : boxes)
        {
            hash = SimulationHash.mix(hash, side);
        }
        hash = SimulationHash.mix(hash, boxes.length);
        for (final int coordinate : spawns)
        {
            hash = SimulationHash.mix(hash, coordinate);
        }
        return hash;
    }
}
