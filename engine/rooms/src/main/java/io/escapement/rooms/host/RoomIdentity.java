package io.escapement.rooms.host;

import io.escapement.rooms.RoomType;

/** The properties of one open room, all fixed but the version of its type. Parts of a room compare references. */
final class RoomIdentity
{
    private final long roomId;
    private final long ordinal;
    private final int slot;
    private final int firstVersion;
    private final RoomLimits limits;
    private RoomType type;

    /** Its ordinal rises with every room that its host opens. The wheel knows it by its slot, which is reused. */
    RoomIdentity(
        final RoomType type,
        final int firstVersion,
        final long roomId,
        final long ordinal,
        final int slot,
        final RoomLimits limits)
    {
        this.type = type;
        this.firstVersion = firstVersion;
        this.roomId = roomId;
        this.ordinal = ordinal;
        this.slot = slot;
        this.limits = limits;
    }

    RoomType type()
    {
        return type;
    }

    /** Another version of the type has taken over the room. */
    void type(final RoomType newer)
    {
        type = newer;
    }

    /** Whether a Reload gave the room its version. Then its hash must cover the version. */
    boolean isReloaded()
    {
        return type.version() != firstVersion;
    }

    long roomId()
    {
        return roomId;
    }

    long ordinal()
    {
        return ordinal;
    }

    int slot()
    {
        return slot;
    }

    RoomLimits limits()
    {
        return limits;
    }

    @Override
    public String toString()
    {
        return "room " + roomId + " of " + type;
    }
}
