package io.escapement.rooms.host;

import io.escapement.rooms.RoomLogic;

/** Calls the frames of rooms that are in step with their phase group. It touches nothing of the room but its logic. */
final class FrameCalls
{
    private final RoomServices services;

    FrameCalls(final RoomServices services)
    {
        this.services = services;
    }

    /** Call a frame. Returns whether it sent something. */
    boolean call(
        final RoomFrames frames,
        final RoomIdentity room,
        final RoomLogic logic,
        final long frame,
        final long elapsedNs)
    {
        final DirtyRooms dirtyRooms = services.dirtyRooms;
        final int dirty = dirtyRooms.size();
        services.host.touch();
        services.guard.enter(room);
        try
        {
            logic.onFrame(frame, elapsedNs);
            services.exitCallback();
        }
        catch (final Throwable t)
        {
            frames.onThrown(t);
        }
        if (services.isUnsettled())
        {
            frames.settle();
        }
        return dirty != dirtyRooms.size();
    }
}
