package io.escapement.rooms.host;

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

    /** Write the caps that are set, by id. */
    void write(final StateWriter writer, final List<RoomType> types)
    {
        int count = 0;
        for (final RoomType type : types)
        {
            count += isWritten(type) ? 1 : 0;
        }
        writer.putInt(count);
        for (final RoomType type : types)
        {
            if (isWritten(type))
            {
                writer.putInt(type.id());
                writer.putInt(capByTypeMap.get(type.id()));
            }
        }
    }

    void read(final StateReader reader, final List<RoomType> types)
    {
        for (int left = Restored.inRange(reader.getInt(), 0, types.size(), "rate caps"); left > 0; left--)
        {
            final int typeId = reader.getInt();
            boolean isKnown = false;
            for (final RoomType type : types)
            {
                isKnown |= type.id() == typeId;
            }
            Restored.check(isKnown, "a rate cap of type " + typeId);
            set(typeId, Restored.inRange(reader.getInt(), 1, Frames.MAX_RATE_HZ, "a rate cap"));
        }
    }

    private boolean isWritten(final RoomType type)
    {
        return NONE != capByTypeMap.get(type.id());
    }
}
