package io.escapement.arena.simulation;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.Arrays;

/** Reads one map. Refuses a wrong map, naming the line. */
final class ArenaMapReader
{
    private static final int MAX_NUMBER_LENGTH = 8;

    private final String file;
    private final int[] boxes = new int[4 * ArenaMap.BOX_LIMIT];
    private final int[] spawns = new int[2 * ArenaMap.SPAWN_LIMIT];
    private final int[] spawnLines = new int[ArenaMap.SPAWN_LIMIT];
    private int boxLength;
    private int spawnLength;
    private String name;
    private int width;
    private int height;
    private int line;

    ArenaMapReader(final String file)
    {
        this.file = file;
    }

    ArenaMap read(final BufferedReader reader) throws IOException
    {
        for (String text = reader.readLine(); null != text; text = reader.readLine())
        {
            line++;
            check(line <= ArenaMap.LINE_LIMIT, "more than " + ArenaMap.LINE_LIMIT + " lines");
            check(text.length() <= ArenaMap.LINE_LIMIT, "more than " + ArenaMap.LINE_LIMIT + " characters");
            final String trimmed = text.trim();
            if (!trimmed.isEmpty() && '#' != trimmed.charAt(0))
            {
                take(trimmed);
            }
        }
        line = 0;
        check(null != name, "no name");
        check(0 != width, "no size");
        check(spawnLength >= 2 * ArenaMap.LEAST_SPAWNS,
            spawnLength / 2 + " spawn points, but at least " + ArenaMap.LEAST_SPAWNS + " are needed");
        final ArenaMap map = new ArenaMap(
            name, width, height, Arrays.copyOf(boxes, boxLength), Arrays.copyOf(spawns, spawnLength));
        checkSpawns(map);
        return map;
    }

    private void take(final String text)
    {
        final String[] words = text.split("\\s+");
        switch (words[0])
        {
            case "name" -> takeName(text.substring("name".length()).trim());
            case "size" -> takeSize(words);
            case "box" -> takeBox(words);
            case "spawn" -> takeSpawn(words);
            default -> throw refusal("\"" + words[0] + "\" is none of name, size, box, spawn");
        }
    }

    private void takeName(final String text)
    {
        check(null == name, "a second name");
        check(!text.isEmpty(), "the name is empty");
        check(text.length() <= ArenaMap.NAME_LIMIT, "the name has more than " + ArenaMap.NAME_LIMIT + " characters");
        name = text;
    }

    private void takeSize(final String[] words)
    {
        check(0 == width, "a second size");
        checkCount(words, 2);
        width = number(words[1]);
        height = number(words[2]);
        checkSize(width);
        checkSize(height);
    }

    private void checkSize(final int size)
    {
        check(size >= ArenaMap.LEAST_SIZE && size <= ArenaMap.SIZE_LIMIT,
            "width and height are " + ArenaMap.LEAST_SIZE / Fixed.UNIT + " to " + ArenaMap.SIZE_LIMIT / Fixed.UNIT);
    }

    private void takeBox(final String[] words)
    {
        check(0 != width, "a box before the size");
        checkCount(words, 4);
        check(boxLength < boxes.length, "more than " + ArenaMap.BOX_LIMIT + " boxes");
        final int x = number(words[1]);
        final int y = number(words[2]);
        final int boxWidth = number(words[3]);
        final int boxHeight = number(words[4]);
        check(boxWidth > 0 && boxHeight > 0, "the box is empty");
        check(x + (long)boxWidth <= width && y + (long)boxHeight <= height, "the box reaches beyond the map");
        boxes[boxLength++] = x;
        boxes[boxLength++] = y;
        boxes[boxLength++] = x + boxWidth;
        boxes[boxLength++] = y + boxHeight;
    }

    private void takeSpawn(final String[] words)
    {
        check(0 != width, "a spawn point before the size");
        checkCount(words, 2);
        check(spawnLength < spawns.length, "more than " + ArenaMap.SPAWN_LIMIT + " spawn points");
        final int x = number(words[1]);
        final int y = number(words[2]);
        check(x <= width && y <= height, "the spawn point is not on the map");
        for (int i = 0; i < spawnLength; i += 2)
        {
            check(Math.abs(x - spawns[i]) >= ArenaMap.SPAWN_DISTANCE ||
                Math.abs(y - spawns[i + 1]) >= ArenaMap.SPAWN_DISTANCE,
                "too close to the spawn point of line " + spawnLines[i / 2]);
        }
        spawnLines[spawnLength / 2] = line;
        spawns[spawnLength++] = x;
        spawns[spawnLength++] = y;
    }

    // This is last, because a box may be below the spawn point that it covers.
    private void checkSpawns(final ArenaMap map)
    {
        for (int i = 0; i < map.spawnCount(); i++)
        {
            line = spawnLines[i];
            check(map.playerWalls().isFree(map.spawnX(i), map.spawnY(i)), "the spawn point is in a wall");
        }
    }

    private void checkCount(final String[] words, final int count)
    {
        check(words.length - 1 == count, words[0] + " takes " + count + " numbers, not " + (words.length - 1));
    }

    /** Digits, and quarters after a point: fixed-point numbers hold them exactly. */
    private int number(final String word)
    {
        final int point = word.indexOf('.');
        final String whole = point < 0 ? word : word.substring(0, point);
        final int quarters = point < 0 ? 0 : quarters(word.substring(point + 1));
        boolean isNumber = !whole.isEmpty() && word.length() <= MAX_NUMBER_LENGTH && quarters >= 0;
        for (int i = 0; i < whole.length(); i++)
        {
            isNumber &= whole.charAt(i) >= '0' && whole.charAt(i) <= '9';
        }
        check(isNumber, "\"" + word + "\" is not a number of units with quarters at most, like 12 or 12.25");
        final long value = Long.parseLong(whole) * Fixed.UNIT + (long)quarters * (Fixed.UNIT / 4);
        check(value <= ArenaMap.SIZE_LIMIT, "\"" + word + "\" is larger than any map");
        return (int)value;
    }

    private static int quarters(final String digits)
    {
        return switch (digits)
        {
            case "0", "00" -> 0;
            case "25" -> 1;
            case "5", "50" -> 2;
            case "75" -> 3;
            default -> -1;
        };
    }

    private void check(final boolean isRight, final String reason)
    {
        if (!isRight)
        {
            throw refusal(reason);
        }
    }

    private MapFormatException refusal(final String reason)
    {
        return new MapFormatException(file, line, reason);
    }
}
