package io.escapement.rooms.internal;

import io.escapement.rooms.RoomType;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.List;
import org.agrona.collections.Int2IntHashMap;

/** The frame rates that the governor has capped, by room type. */
final class RateCaps
{
    private static final int NONE = 0;

    private final Int2IntHashMap capByTypeMap = new Int2IntHashMap(NONE);

    void set(final int typeId, final int rateHz)
    {
        if (NONE == rateHz)
        {
            capByTypeMap.remove(typeId);
        }
        else
        {
            capByTypeMap.put(typeId, rateHz);
        }
    }

    int effectiveHz(final RoomType type, final int requestedHz)
    {
        final int cap = capByTypeMap.get(type.id());
        return NONE == cap ? requestedHz : Math.min(cap, requestedHz);
    }

    void write(final StateWriter writer, final List<RoomType> types)
    {
        for (final RoomType type : types)
        {
            writer.putInt(capByTypeMap.get(type.id()));
        }
    }

    void read(final StateReader reader, final List<RoomType> types)
    {
        for (final RoomType type : types)
        {
            set(type.id(), reader.getInt());
        }
    }
}
