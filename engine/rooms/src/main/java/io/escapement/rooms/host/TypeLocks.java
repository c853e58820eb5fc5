package io.escapement.rooms.host;

import io.escapement.rooms.RoomType;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.util.List;
import org.agrona.collections.IntHashSet;

/** The room types with rooms that an operator has locked against new players. */
final class TypeLocks
{
    private final IntHashSet lockedTypes = new IntHashSet();

    void set(final int typeId, final boolean isLocked)
    {
        if (isLocked)
        {
            lockedTypes.add(typeId);
        }
        else
        {
            lockedTypes.remove(typeId);
        }
    }

    boolean isLocked(final RoomType type)
    {
        return lockedTypes.contains(type.id());
    }

    /** Whether a type is locked: otherwise the locks are no part of the hash. */
    boolean isHashed(final List<RoomType> types)
    {
        return 0 != written(types);
    }

    /** Write the locked types, by id. */
    void write(final StateWriter writer, final List<RoomType> types)
    {
        writer.putInt(written(types));
        for (final RoomType type : types)
        {
            if (isLocked(type))
            {
                writer.putInt(type.id());
            }
        }
    }

    void read(final StateReader reader, final List<RoomType> types)
    {
        for (int left = Restored.inRange(reader.getInt(), 0, types.size(), "locked types"); left > 0; left--)
        {
            final int typeId = reader.getInt();
            boolean isKnown = false;
            for (final RoomType type : types)
            {
                isKnown |= type.id() == typeId;
            }
            Restored.check(isKnown, "a lock of type " + typeId);
            set(typeId, true);
        }
    }

    private int written(final List<RoomType> types)
    {
        int count = 0;
        for (final RoomType type : types)
        {
            count += isLocked(type) ? 1 : 0;
        }
        return count;
    }
}
