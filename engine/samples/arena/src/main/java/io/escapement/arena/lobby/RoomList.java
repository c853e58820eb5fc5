package io.escapement.arena.lobby;

import io.escapement.accounts.NameKeys;
import io.escapement.arena.common.ArenaLabels;
import io.escapement.arena.common.Texts;
import io.escapement.arena.room.ArenaRoom;
import io.escapement.codecs.room.DirectoryChange;
import io.escapement.rooms.DirectoryEntry;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;

/**
 * The arenas, in the order in which the directory reported them. The map is only for lookup, because its order is
 * arbitrary.
 */
final class RoomList
{
    /** Most arenas in the list. The directory may have more. */
    static final int LIMIT = 4_096;

    private final List<RoomEntry> inOrder = new ArrayList<>();
    private final Long2ObjectHashMap<RoomEntry> byIdMap = new Long2ObjectHashMap<>();

    int size()
    {
        return inOrder.size();
    }

    RoomEntry at(final int index)
    {
        return inOrder.get(index);
    }

    RoomEntry byId(final long roomId)
    {
        return byIdMap.get(roomId);
    }

    /** The entry of a room, created if necessary, or null if the list is full. */
    RoomEntry of(final long roomId)
    {
        RoomEntry entry = byIdMap.get(roomId);
        if (null == entry && inOrder.size() < LIMIT)
        {
            entry = new RoomEntry(roomId);
            inOrder.add(entry);
            byIdMap.put(roomId, entry);
        }
        return entry;
    }

    void onDirectory(final DirectoryEntry change)
    {
        if (DirectoryChange.RESET == change.change())
        {
            inOrder.clear();
            byIdMap.clear();
        }
        if (!ArenaRoom.isType(change.typeId()))
        {
            return;
        }
        switch (change.change())
        {
            case CLOSED -> inOrder.remove(byIdMap.remove(change.roomId()));
            case OPENED, OCCUPANCY, LABEL ->
            {
                final RoomEntry entry = of(change.roomId());
                if (null != entry)
                {
                    entry.seats = change.seatLimit();
                    entry.seatsTaken = change.seatsTaken();
                    label(entry, change);
                }
            }
            default ->
            {
            }
        }
    }

    boolean isNameTaken(final NameKeys keys, final RoomEntry except)
    {
        for (final RoomEntry entry : inOrder)
        {
            if (entry != except && entry.keys().isTakenBy(keys))
            {
                return true;
            }
        }
        return false;
    }

    int countOf(final long ownerId)
    {
        int count = 0;
        for (final RoomEntry entry : inOrder)
        {
            count += entry.ownerId == ownerId ? 1 : 0;
        }
        return count;
    }

    void write(final StateWriter writer)
    {
        writer.putInt(inOrder.size());
        for (final RoomEntry entry : inOrder)
        {
            entry.write(writer);
        }
    }

    void read(final StateReader reader)
    {
        for (int left = reader.getInt(); left > 0; left--)
        {
            final RoomEntry entry = RoomEntry.read(reader);
            inOrder.add(entry);
            byIdMap.put(entry.roomId, entry);
        }
    }

    private static void label(final RoomEntry entry, final DirectoryEntry change)
    {
        if (DirectoryChange.LABEL != change.change())
        {
            return;
        }
        final byte[] value = Texts.bytes(change.valueBuffer(), change.valueOffset(), change.valueLength());
        switch (change.labelKey())
        {
            case ArenaLabels.NAME -> entry.name(value);
            case ArenaLabels.MAP -> entry.mapName = value;
            case ArenaLabels.OWNER -> entry.ownerId = Long.BYTES != value.length ? 0 :
                change.valueBuffer().getLong(change.valueOffset(), ByteOrder.LITTLE_ENDIAN);
            case ArenaLabels.PASSWORD ->
            {
                // Once the entry is ready the lobby ignores the label, which lags a change in flight.
                entry.hasPassword |= 1 == value.length && 0 != value[0] && !entry.isReady;
                entry.isReady = true;
            }
            default ->
            {
            }
        }
    }
}
