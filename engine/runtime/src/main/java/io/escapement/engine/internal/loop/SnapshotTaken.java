package io.escapement.engine.internal.loop;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** For the flight recorder: a snapshot of a loop with a journal. A loop has one object, which it reuses. */
@Name("escapement.Snapshot")
@Label("Snapshot")
@Description("From the copy of the first room until the file was verified and renamed, or the snapshot failed")
@Category("Escapement")
@StackTrace(false)
final class SnapshotTaken extends Event
{
    @Label("Loop")
    private final int loop;

    @Label("Rooms")
    private int rooms;

    @Label("Completed")
    private boolean isCompleted;

    private transient boolean isBegun;

    SnapshotTaken(final int loop)
    {
        this.loop = loop;
    }

    void onBegin(final int openRooms)
    {
        isBegun = isEnabled();
        rooms = openRooms;
        begin();
    }

    void onEnd(final boolean isFileComplete)
    {
        if (isBegun)
        {
            isBegun = false;
            isCompleted = isFileComplete;
            end();
            commit();
        }
    }
}
