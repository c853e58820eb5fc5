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
    private static final int NO_TYPE = 0;

    /** As rooms open at first, in the order of their ids, so that it does not depend on the program. */
    private final List<RoomType> types;
    private final TypeVersions versions;
    private final CachePrefetcher prefetcher = new CachePrefetcher();
    private final RoomTable rooms;
    private final RoomServices services;
    private final RollingSnapshot snapshot = new RollingSnapshot();
    private final Int2ObjectHashMap<RoomType> typeByIdMap = new Int2ObjectHashMap<>();

    HostState(final TurnLogHeader config, final TypeVersions versions, final HostSinks sinks)
    {
        this.versions = versions;
        types = versions.first();
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

    /** The type of an id, in the version with which its rooms open now; or null. */
    RoomType type(final int typeId)
    {
        return typeByIdMap.get(typeId);
    }

    /** A version of a type, or null. */
    RoomType type(final int typeId, final int version)
    {
        return versions.find(typeId, version);
    }

    /** Rooms of this type open with this version from now on. */
    void openAs(final RoomType type)
    {
        typeByIdMap.put(type.id(), type);
    }

    RoomInstance newRoom(final RoomType type, final long roomId, final long ordinal, final RoomLimits limits)
    {
        final int firstVersion = first(type.id()).version();
        final RoomIdentity identity =
            new RoomIdentity(type, firstVersion, roomId, ordinal, rooms.takeSlot(limits), limits);
        final RoomInstance room = make(identity);
        rooms.add(room);
        return room;
    }

    private RoomType first(final int typeId)
    {
        for (int i = 0; i < types.size(); i++)
        {
            if (types.get(i).id() == typeId)
            {
                return types.get(i);
            }
        }
        throw new IllegalArgumentException("type " + typeId);
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

    /** Hash of everything that the future depends on. */
    long hash()
    {
        final StateHash hash = new StateHash();
        write(hash);
        if (0 != services.incarnation.number())
        {
            services.incarnation.write(hash);
        }
        if (services.typeLocks.isHashed(types))
        {
            services.typeLocks.write(hash, types);
        }
        services.loop.write(hash);
        if (isAnyReloaded())
        {
            writeVersions(hash);
        }
        for (RoomInstance room = rooms.first(); null != room; room = room.next())
        {
            hash.putLong(RoomSnapshot.hash(room, services.wheel));
            room.status().write(hash);
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

    private boolean isAnyReloaded()
    {
        boolean isAny = false;
        for (int i = 0; i < types.size(); i++)
        {
            isAny |= type(types.get(i).id()) != types.get(i);
        }
        return isAny;
    }

    /** Write with which version the rooms of each type open. The hash covers it once a Reload has changed it. */
    void writeVersions(final StateWriter writer)
    {
        for (int i = 0; i < types.size(); i++)
        {
            writer.putInt(types.get(i).id());
            writer.putInt(type(types.get(i).id()).version());
        }
        writer.putInt(NO_TYPE);
    }

    /** Read the versions; types and versions that are not registered are skipped if others are accepted. */
    void readVersions(final StateReader reader, final boolean isOtherAccepted)
    {
        for (int typeId = reader.getInt(); NO_TYPE != typeId; typeId = reader.getInt())
        {
            final RoomType type = registered(typeId, reader.getInt(), isOtherAccepted);
            Restored.check(null != type || isOtherAccepted, "type " + typeId + ", which is not in the header");
            if (null != type)
            {
                openAs(type);
            }
        }
    }

    /** The version of a type that a snapshot names, or the present one in place of it if others are accepted. */
    RoomType registered(final int typeId, final int version, final boolean isOtherAccepted)
    {
        final RoomType exact = type(typeId, version);
        final RoomType type = type(typeId);
        if (null == exact && null != type && !isOtherAccepted)
        {
            throw new IllegalArgumentException("the snapshot has rooms of " + type.name() + " (type " + typeId +
                ") in version " + version + ", which is not registered");
        }
        return null == exact ? type : exact;
    }

    void read(final StateReader reader)
    {
        services.trace.read(reader);
        services.draining(reader.getBoolean());
        services.links.read(reader);
        services.rateCaps.read(reader, types());
    }
}
