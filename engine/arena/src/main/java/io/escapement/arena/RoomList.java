package io.escapement.arena;

import io.escapement.codecs.room.DirectoryChange;
import io.escapement.rooms.DirectoryEntry;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.collections.Long2ObjectHashMap;

/** The arenas, in the order in which the lobby heard of them. The map is for looking up, never walked. */
final class RoomList
{
    /** Most arenas that are listed; the directory may know more. */
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

    /** The entry of a room, a new one if it is not known yet; null when the list is full. */
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

    /** News from the directory. */
    void on(final DirectoryEntry news)
    {
        if (!ArenaTypes.isArena(news.typeId()))
        {
            return;
        }
        switch (news.change())
        {
            case CLOSED -> inOrder.remove(byIdMap.remove(news.roomId()));
            case OPENED, OCCUPANCY, LABEL ->
            {
                final RoomEntry entry = of(news.roomId());
                if (null != entry)
                {
                    entry.seats = news.seatLimit();
                    entry.seatsTaken = news.seatsTaken();
                    label(entry, news);
                }
            }
            default ->
            {
            }
        }
    }

    boolean isNameTaken(final byte[] folded, final RoomEntry but)
    {
        for (final RoomEntry entry : inOrder)
        {
            if (entry != but && Arrays.equals(entry.foldedName, folded))
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

    private static void label(final RoomEntry entry, final DirectoryEntry news)
    {
        if (DirectoryChange.LABEL != news.change())
        {
            return;
        }
        final byte[] value = Texts.bytes(news.valueBuffer(), news.valueOffset(), news.valueLength());
        switch (news.labelKey())
        {
            case ArenaLabels.NAME -> entry.name(value);
            case ArenaLabels.MAP -> entry.mapName = value;
            case ArenaLabels.OWNER -> entry.ownerId = Long.BYTES != value.length ? 0 :
                news.valueBuffer().getLong(news.valueOffset(), ByteOrder.LITTLE_ENDIAN);
            case ArenaLabels.PASSWORD ->
            {
                // The lobby knows better than the label, which is behind a change that is under way.
                entry.hasPassword |= 1 == value.length && 0 != value[0] && !entry.isReady;
                entry.isReady = true;
            }
            default ->
            {
            }
        }
    }
}
