package io.escapement.engine.monitor;

/** A turn of a loop exceeded the stall limit. The stack trace shows the loop's thread when the stall was detected. */
public final class Stall extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final int loop;
    private final long roomId;

    /**
     * Describe a stall.
     *
     * @param loop   number of the loop.
     * @param roomId of the room that was running, or 0.
     * @param heldNs duration of the turn so far.
     * @param thread of the loop, or null if it has not started.
     */
    public Stall(final int loop, final long roomId, final long heldNs, final Thread thread)
    {
        super((0 == roomId ? "no room, but the engine's own work," : "room " + roomId) + " has held loop " + loop +
            " for " + heldNs / 1_000_000 + " ms", null, false, true);
        this.loop = loop;
        this.roomId = roomId;
        if (null != thread)
        {
            setStackTrace(thread.getStackTrace());
        }
    }

    /** Number of the loop. */
    public int loop()
    {
        return loop;
    }

    /** The room that was running, 0 if the loop was between rooms. */
    public long roomId()
    {
        return roomId;
    }
}
