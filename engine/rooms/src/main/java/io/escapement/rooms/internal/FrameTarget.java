package io.escapement.rooms.internal;

/** A room's frames, as the phase group that runs them needs them. */
interface FrameTarget
{
    long roomId();

    long ordinal();

    /** Index of the room in its group. */
    void groupPosition(int position);

    /** Run the frames that are due, up to the group's frame number lastN with its deadline. */
    void run(PhaseGroup group, long lastN, long lastDeadlineNs);

    /** Reads ahead what the frames of several targets begin with. */
    interface Prefetcher
    {
        void prefetch(FrameTarget[] targets, int from, int to);
    }
}
