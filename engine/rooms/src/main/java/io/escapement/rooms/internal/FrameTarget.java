package io.escapement.rooms.internal;

import io.escapement.rooms.RoomLogic;

/** A room's frames, as the phase group that runs them needs them. */
interface FrameTarget
{
    long roomId();

    long ordinal();

    /** Index of the room in its group. */
    void groupPosition(int position);

    /** Do what the last callback requested. */
    void settle();

    /** A frame that the group ran has thrown. */
    void onThrown(Throwable thrown);

    /** Count the frames that the group ran, and run the next one here. */
    void leaveStep();

    /** Run the frames that are due, up to the group's frame number lastN with its deadline. */
    void run(PhaseGroup group, long lastN, long lastDeadlineNs);

    /** Calls the logics of rooms in step. */
    interface Caller
    {
        /** Call a frame. Returns whether it sent something. */
        boolean call(FrameTarget target, RoomIdentity room, RoomLogic logic, long frame, long elapsedNs);
    }

    /** Reads ahead what the frames of several rooms of a group begin with. */
    interface Prefetcher
    {
        void prefetch(PhaseGroup group, int from, int to);
    }
}
