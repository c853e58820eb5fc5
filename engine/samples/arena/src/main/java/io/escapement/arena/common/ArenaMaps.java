package io.escapement.arena.common;

import io.escapement.arena.simulation.ArenaMap;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;

/** The maps of the game, all read at start, so that opening a room reads no file. Immutable. */
public final class ArenaMaps
{
    /** The map of an arena that is opened without one. */
    public static final String DEFAULT = ArenaMap.shippedNames().get(0);

    private final List<String> names = ArenaMap.shippedNames();
    private final List<ArenaMap> maps = new ArrayList<>();

    /** Reads all maps. */
    public ArenaMaps()
    {
        for (final String name : names)
        {
            maps.add(ArenaMap.shipped(name));
        }
    }

    /** The map with this name, or null. */
    public ArenaMap byName(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return byName(new String(bytes, StandardCharsets.UTF_8));
    }

    /** The map with this name, or null. */
    public ArenaMap byName(final String name)
    {
        final int index = names.indexOf(name);
        return index < 0 ? null : maps.get(index);
    }
}
