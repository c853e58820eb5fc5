package io.escapement.engine.monitor;

/** A room has held its loop for too long. The stack is that of the loop's thread, as it was found. */
public final class Stall extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final int loop;
    private final long roomId;

    /**
     * Describes a stall.
     *
     * @param loop   that is held.
     * @param roomId of the room that holds it, or 0.
     * @param heldNs how long it has been held so far.
     * @param thread of the loop, or null if it has ended.
     */
    public Stall(final int loop, final long roomId, final long heldNs, final Thread thread)
    {
        super("room " + roomId + " has held loop " + loop + " for " + heldNs / 1_000_000 + " ms", null, false, true);
        this.loop = loop;
        this.roomId = roomId;
        if (null != thread)
        {
            setStackTrace(thread.getStackTrace());
        }
    }

    /**
     * The loop that is held.
     *
     * @return its number.
     */
    public int loop()
    {
        return loop;
    }

    /**
     * The room that holds it, 0 when it was no room.
     *
     * @return its id.
     */
    public long roomId()
    {
        return roomId;
    }
}
