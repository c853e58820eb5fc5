package io.escapement.rooms.host;

import io.escapement.config.ConfigException;
import io.escapement.rooms.RoomType;
import io.escapement.rooms.log.HostConfig;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * The room types of a host with their versions. Rooms open with the first version of a type, the oldest that is
 * registered before the host is made, until a Reload names another. A version that is registered later, or in a further
 * application of the same log, has no effect by itself. Any thread may add a version and find a version. Handing a
 * Reload to the host's thread also publishes its version.
 */
final class TypeVersions
{
    private static final Comparator<RoomType> ORDER =
        Comparator.comparingInt(RoomType::id).thenComparingInt(RoomType::version);

    /** By id, then by version. Replaced as a whole. */
    private volatile List<RoomType> all = List.of();
    /** By id. Empty until the host is made. */
    private List<RoomType> fixedFirst = List.of();
    private HostConfig log;

    /**
     * Register a type, or another version of one.
     *
     * @param type frozen by this call.
     */
    public synchronized void add(final RoomType type)
    {
        boolean isKnown = false;
        for (final RoomType other : all)
        {
            if (other.id() == type.id())
            {
                isKnown = true;
                check(type, other);
            }
        }
        ConfigException.check(isKnown || fixedFirst.isEmpty(),
            "roomType", type, "register the first version of a type before the host is made");
        final List<RoomType> more = new ArrayList<>(all);
        more.add(type.freeze());
        more.sort(ORDER);
        all = List.copyOf(more);
    }

    private static void check(final RoomType type, final RoomType other)
    {
        ConfigException.check(other.name().equals(type.name()), "roomType", type, "give it another id than " + other);
        ConfigException.check(other.version() != type.version(), "roomType", type, "give it another version, " +
            "or another id than " + other);
        ConfigException.check(!other.isEphemeral() && !type.isEphemeral(), "roomType", type,
            "ephemeral rooms have no snapshot that another version could take over: register one version");
    }

    /** Choose the versions with which rooms open at first, for good. */
    public synchronized void fixFirst()
    {
        fixedFirst = first();
    }

    /**
     * Open rooms at first with the versions at the start of a log, as far as they are registered.
     *
     * @param header of the log.
     */
    public synchronized void beginAs(final HostConfig header)
    {
        log = header;
    }

    /** The version of each type with which rooms open before a Reload, by id. */
    public synchronized List<RoomType> first()
    {
        if (!fixedFirst.isEmpty())
        {
            return fixedFirst;
        }
        final List<RoomType> first = new ArrayList<>();
        for (final RoomType type : all)
        {
            if (first.isEmpty() || first.get(first.size() - 1).id() != type.id())
            {
                first.add(type);
            }
        }
        if (null != log)
        {
            for (final HostConfig.Type logged : log.types())
            {
                first.replaceAll((type) -> type.id() == logged.typeId() ?
                    Objects.requireNonNullElse(find(logged.typeId(), logged.version()), type) : type);
            }
        }
        return List.copyOf(first);
    }

    /** All versions of all types, by id and version. */
    public List<RoomType> all()
    {
        return all;
    }

    /**
     * Find a version of a type.
     *
     * @param typeId  of the type.
     * @param version of its logic.
     * @return the type, or null if it is not registered.
     */
    public RoomType find(final int typeId, final int version)
    {
        final List<RoomType> types = all;
        for (int i = 0; i < types.size(); i++)
        {
            final RoomType type = types.get(i);
            if (type.id() == typeId && type.version() == version)
            {
                return type;
            }
        }
        return null;
    }
}
