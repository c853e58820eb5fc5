package io.escapement.engine.internal.loop;

import io.escapement.rooms.host.RoomHost;

/** Has snapshots of a loop's host taken when they are due. In the loop's thread. */
interface Snapshots
{
    /**
     * The turns after the newest snapshot start here.
     *
     * @param nowNs      engine time.
     * @param recoveryNs time that these turns have taken in a recovery.
     */
    void begin(long nowNs, long recoveryNs);

    /** Turns have run for this time. */
    void onTurns(long workNs);

    /** Whether the loop must not park. */
    boolean isWaiting(long nowNs);

    /** Take a step between turns, while the loop leads and has run the whole log. Returns the work done. */
    int step(RoomHost host, long nowNs);
}
