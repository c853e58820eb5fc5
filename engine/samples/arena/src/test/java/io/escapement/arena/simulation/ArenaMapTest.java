package io.escapement.arena.simulation;

import java.util.ArrayDeque;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ArenaMapTest
{
    @ParameterizedTest
    @CsvSource({
        "courtyard, Courtyard, 32, 24, 9", "foundry, Foundry, 64, 48, 36", "catacombs, Catacombs, 160, 112, 177"})
    void shouldReadTheShippedMaps(
        final String file, final String name, final int width, final int height, final int boxes)
    {
        final ArenaMap map = ArenaMap.shipped(file);
        assertEquals(name, map.name());
        assertEquals(width * Fixed.UNIT, map.width());
        assertEquals(height * Fixed.UNIT, map.height());
        assertEquals(boxes, map.boxCount());
        assertTrue(map.spawnCount() >= ArenaRules.PLAYER_LIMIT);
        assertEquals(map.fingerprint(), ArenaMap.shipped(file).fingerprint());
    }

    @ParameterizedTest
    @ValueSource(strings = {"courtyard", "foundry", "catacombs"})
    void shouldLetAPlayerWalkFromEachSpawnPointToEachOther(final String file)
    {
        final ArenaMap map = ArenaMap.shipped(file);
        final boolean[] isReached = reachable(map, map.spawnX(0), map.spawnY(0));
        for (int i = 0; i < map.spawnCount(); i++)
        {
            assertTrue(isReached[cell(map, map.spawnX(i), map.spawnY(i))], "spawn point " + i + " is cut off");
        }
    }

    @Test
    void shouldTellMapsApart()
    {
        final ArenaMap map = Maps.open("box 40 40 10 10");
        assertEquals(map.fingerprint(), Maps.open("", "# a comment", "box 40.0 40.00  10 10").fingerprint());
        assertNotEquals(map.fingerprint(), Maps.open("box 40 40 10 10.25").fingerprint());
        assertNotEquals(map.fingerprint(), Maps.open("box 40 40 10 10", "spawn 90 90").fingerprint());
        assertEquals(40 * Fixed.UNIT, map.box(0, 0));
        assertEquals(50 * Fixed.UNIT, map.box(0, 3));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "wall 1 1 1 1        | \"wall\" is none of name, size, box, spawn",
        "name Other          | a second name",
        "size 50 50          | a second size",
        "box 1 1 1           | box takes 4 numbers, not 3",
        "box 1 1 1 1 1       | box takes 4 numbers, not 5",
        "box 1 1 0 1         | the box is empty",
        "box 99 1 1.25 1     | the box reaches beyond the map",
        "box -1 1 1 1        | \"-1\" is not a number of units with quarters at most, like 12 or 12.25",
        "box 1 1 x 1         | \"x\" is not a number of units with quarters at most, like 12 or 12.25",
        "box 1 1 0.3 1       | \"0.3\" is not a number of units with quarters at most, like 12 or 12.25",
        "box 1 1 .5 1        | \".5\" is not a number of units with quarters at most, like 12 or 12.25",
        "box 1 1 1. 1        | \"1.\" is not a number of units with quarters at most, like 12 or 12.25",
        "box 1 1 NaN 1       | \"NaN\" is not a number of units with quarters at most, like 12 or 12.25",
        "box 1 1 123456789 1 | \"123456789\" is not a number of units with quarters at most, like 12 or 12.25",
        "box 1 1 99999999 1  | \"99999999\" is larger than any map",
        "spawn 1             | spawn takes 2 numbers, not 1",
        "spawn 101 50        | the spawn point is not on the map",
        "spawn 0.25 50       | the spawn point is in a wall",
        "spawn 3.25 3        | too close to the spawn point of line 3"})
    void shouldRefuseALineAndNameIt(final String line, final String reason)
    {
        final MapFormatException ex = assertThrows(MapFormatException.class, () -> Maps.open("", line));
        assertEquals("made.map:20: " + reason, ex.getMessage());
    }

    @Test
    void shouldRefuseWhatIsMissingOrInTheWrongOrder()
    {
        assertRefused("made.map: no name", "size 20 20");
        assertRefused("made.map: no size", "name A");
        assertRefused("made.map: 1 spawn points, but at least 16 are needed", "name A", "size 20 20", "spawn 5 5");
        assertRefused("made.map:2: a box before the size", "name A", "box 1 1 1 1");
        assertRefused("made.map:1: a spawn point before the size", "spawn 1 1");
        assertRefused("made.map:1: the name is empty", "name");
        assertRefused("made.map:1: the name has more than 32 characters", "name " + "a".repeat(33));
        assertRefused("made.map:1: width and height are 8 to 1024", "size 7 20");
        assertRefused("made.map:1: width and height are 8 to 1024", "size 20 0");
        assertRefused("made.map:1: \"1024.25\" is larger than any map", "size 20 1024.25");
        assertRefused("made.map:1: more than 1024 characters", "#".repeat(1_025));
        assertRefused("made.map:1025: more than 1024 lines", "#\n".repeat(1_025));
        assertRefused("made.map:18: the spawn point is in a wall", manySpawns() + "spawn 20 20\nbox 19 19 2 2");
    }

    @Test
    void shouldRefuseMoreThanTheLimits()
    {
        final String box = "box 40 40 1 1\n";
        assertEquals(ArenaMap.BOX_LIMIT, Maps.open(box.repeat(ArenaMap.BOX_LIMIT)).boxCount());
        assertRefused("made.map:274: more than 256 boxes", manySpawns() + box.repeat(ArenaMap.BOX_LIMIT + 1));
        final StringBuilder spawns = new StringBuilder("name A\nsize 200 100\n");
        for (int i = 0; i < ArenaMap.SPAWN_LIMIT + 1; i++)
        {
            spawns.append("spawn ").append(2 + 2 * i).append(" 50\n");
        }
        assertRefused("made.map:67: more than 64 spawn points", spawns.toString());
    }

    @Test
    void shouldKnowNoOtherMaps()
    {
        final IllegalArgumentException ex = assertThrows(
            IllegalArgumentException.class, () -> ArenaMap.shipped("../secret"));
        assertEquals("no map \"../secret\", there are [courtyard, foundry, catacombs]", ex.getMessage());
    }

    @Test
    void shouldTellWhatIsInAWall()
    {
        final Walls walls = Maps.open("box 40 40 10 10").playerWalls();
        final int gap = ArenaRules.PLAYER_HALF + Walls.SKIN;
        assertTrue(walls.isFree(40 * Fixed.UNIT - gap, 45 * Fixed.UNIT));
        assertFalse(walls.isFree(40 * Fixed.UNIT - gap + 1, 45 * Fixed.UNIT));
        assertTrue(walls.isFree(gap, gap));
        assertFalse(walls.isFree(gap - 1, gap));
        assertFalse(walls.isFree(-1, gap));
        assertFalse(walls.isFree(Integer.MIN_VALUE, Integer.MAX_VALUE));
    }

    private static String manySpawns()
    {
        final StringBuilder text = new StringBuilder("name A\n" + "size 100 100\n");
        for (int i = 0; i < 15; i++)
        {
            text.append("spawn ").append(4 + 4 * i).append(" 4\n");
        }
        return text.toString();
    }

    private static void assertRefused(final String message, final String... lines)
    {
        assertEquals(message, assertThrows(MapFormatException.class, () -> Maps.of(lines)).getMessage());
    }

    /** In steps of a quarter unit. */
    private static boolean[] reachable(final ArenaMap map, final int fromX, final int fromY)
    {
        final int step = Fixed.UNIT / 4;
        final boolean[] isReached = new boolean[(map.width() / step + 1) * (map.height() / step + 1)];
        final ArrayDeque<int[]> open = new ArrayDeque<>();
        open.add(new int[] {fromX, fromY});
        final SweptBox box = new SweptBox(map.playerWalls());
        while (!open.isEmpty())
        {
            final int[] at = open.remove();
            for (int side = 0; side < 4; side++)
            {
                final int x = at[0] + (side == 0 ? step : side == 1 ? -step : 0);
                final int y = at[1] + (side == 2 ? step : side == 3 ? -step : 0);
                if (box.isWayFree(at[0], at[1], x, y) && !isReached[cell(map, x, y)])
                {
                    isReached[cell(map, x, y)] = true;
                    open.add(new int[] {x, y});
                }
            }
        }
        return isReached;
    }

    private static int cell(final ArenaMap map, final int x, final int y)
    {
        final int step = Fixed.UNIT / 4;
        return y / step * (map.width() / step + 1) + x / step;
    }
}
