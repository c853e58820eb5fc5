package io.escapement.arena;

import io.escapement.arena.simulation.ArenaMap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/** The maps that come with the game, read once: opening a room is no time to read a file. Immutable. */
public final class ArenaMaps
{
    /** The map of an arena of which nothing else was said. */
    public static final String DEFAULT = ArenaMap.shippedNames().get(0);

    private final List<String> names = ArenaMap.shippedNames();
    private final List<ArenaMap> maps = new ArrayList<>();

    /** Reads them all. */
    public ArenaMaps()
    {
        for (final String name : names)
        {
            maps.add(ArenaMap.shipped(name));
        }
    }

    /**
     * A map by its name in a message.
     *
     * @param buffer with the name.
     * @param offset of the name.
     * @param length of the name in bytes.
     * @return the map, or null when there is none of this name.
     */
    public ArenaMap byName(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return byName(new String(bytes, StandardCharsets.UTF_8));
    }

    /**
     * A map by its name.
     *
     * @param name of {@link ArenaMap#shippedNames()}.
     * @return the map, or null when there is none of this name.
     */
    public ArenaMap byName(final String name)
    {
        final int index = names.indexOf(name);
        return index < 0 ? null : maps.get(index);
    }
}
