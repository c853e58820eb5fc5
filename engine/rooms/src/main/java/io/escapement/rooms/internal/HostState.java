package io.escapement.rooms.internal;

import io.escapement.rooms.RoomType;
import io.escapement.rooms.StateHash;
import io.escapement.rooms.StateReader;
import io.escapement.rooms.StateWriter;
import io.escapement.rooms.log.TurnLogHeader;
import java.util.List;
import org.agrona.collections.Int2ObjectHashMap;

/** Everything that a host keeps between turns: its rooms, their types, and what the rooms share. */
final class HostState
{
    /** In the order of their ids, so that it does not depend on the program. */
    private final List<RoomType> types;
    private final CachePrefetcher prefetcher = new CachePrefetcher();
    private final RoomTable rooms;
    private final RoomServices services;
    private final RollingSnapshot snapshot = new RollingSnapshot();
    private final Int2ObjectHashMap<RoomType> typeByIdMap = new Int2ObjectHashMap<>();

    HostState(final TurnLogHeader config, final List<RoomType> types, final HostSinks sinks)
    {
        this.types = types;
        rooms = new RoomTable(config.roomLimit(), config.seatLimit(), config.timerLimit());
        services = new RoomServices(config, sinks, prefetcher, this::remove);
        for (final RoomType type : types)
        {
            typeByIdMap.put(type.id(), type);
        }
    }

    CachePrefetcher prefetcher()
    {
        return prefetcher;
    }

    RoomTable rooms()
    {
        return rooms;
    }

    RoomServices services()
    {
        return services;
    }

    /** The snapshot that is taken while turns run. */
    RollingSnapshot snapshot()
    {
        return snapshot;
    }

    List<RoomType> types()
    {
        return types;
    }

    /** The type of an id, or null. */
    RoomType type(final int typeId)
    {
        return typeByIdMap.get(typeId);
    }

    RoomInstance newRoom(final RoomType type, final long roomId, final long ordinal, final RoomLimits limits)
    {
        final RoomIdentity identity = new RoomIdentity(type, roomId, ordinal, rooms.takeSlot(limits), limits);
        final RoomInstance room = make(identity);
        rooms.add(room);
        return room;
    }

    private void remove(final RoomIdentity room)
    {
        snapshot.beforeRemoval(rooms.bySlot(room.slot()));
        rooms.remove(room);
    }

    private RoomInstance make(final RoomIdentity identity)
    {
        try
        {
            return new RoomInstance(identity, services);
        }
        catch (final VirtualMachineError failure)
        {
            services.onBroken(failure);
            throw failure;
        }
    }

    /** Hash of everything that the future depends on, without ephemeral rooms. */
    long hash()
    {
        final StateHash hash = new StateHash();
        write(hash);
        if (0 != services.incarnation.number())
        {
            services.incarnation.write(hash);
        }
        if (null != services.loop)
        {
            services.loop.write(hash);
        }
        for (RoomInstance room = rooms.first(); null != room; room = room.next())
        {
            if (!room.type().isEphemeral())
            {
                hash.putLong(RoomSnapshot.hash(room, services.wheel));
                if (null != services.loop)
                {
                    room.status().write(hash);
                }
            }
        }
        return hash.value();
    }

    /** Write the part of the host's own state that its hash covers. */
    void write(final StateWriter writer)
    {
        services.trace.write(writer);
        writer.putBoolean(services.isDraining());
        services.links.write(writer);
        services.rateCaps.write(writer, types());
    }

    void read(final StateReader reader)
    {
        services.trace.read(reader);
        services.draining(reader.getBoolean());
        services.links.read(reader);
        services.rateCaps.read(reader, types());
    }
}
