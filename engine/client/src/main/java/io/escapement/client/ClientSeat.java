package io.escapement.client;

/** The seat of a player in a room, held through this trunk. */
public final class ClientSeat
{
    private final long roomId;
    private final int loop;
    private final int index;
    private final int generation;
    private final long playerId;
    private boolean isSpectator;
    private long sequence;
    private long acceptedSequence;
    private boolean isPresent;
    /** The messages of this seat that a {@link Resender} keeps. */
    private int firstKept = Resender.NONE;
    private int lastKept = Resender.NONE;
    private boolean isResending;
    /** Of the resent messages, the last. */
    private long resentSequence;
    private Object attachment;
    private KeptJoin keptJoin;

    ClientSeat(final long roomId, final int loop, final int index, final int generation, final long playerId)
    {
        this.roomId = roomId;
        this.loop = loop;
        this.index = index;
        this.generation = generation;
        this.playerId = playerId;
    }

    /** Id of the room. */
    public long roomId()
    {
        return roomId;
    }

    /** Index of the seat in its room, from 0. */
    public int index()
    {
        return index;
    }

    /** Generation of the seat: distinguishes it from earlier seats of the same index. */
    public int generation()
    {
        return generation;
    }

    /** Id of the player. */
    public long playerId()
    {
        return playerId;
    }

    /** Whether the player only watches: the engine refuses its messages. */
    public boolean isSpectator()
    {
        return isSpectator;
    }

    void isSpectator(final boolean value)
    {
        isSpectator = value;
    }

    /**
     * Sequence of the last message sent. The next message takes the number after it, which is above
     * {@link #acceptedSequence()}.
     */
    public long sequence()
    {
        return sequence;
    }

    /**
     * Sequence of the last message that the engine had accepted when the player joined, returned or was resumed. If the
     * trunk resends, it is the sequence of the last {@link TrunkListener#onAccepted} since then. Messages above it that
     * were sent before a return are lost, or still in flight if the connection is the same. A trunk that resends also
     * resends them.
     */
    public long acceptedSequence()
    {
        return acceptedSequence;
    }

    /** Whether messages flow. False while the seat is away or its trunk is down. */
    public boolean isPresent()
    {
        return isPresent;
    }

    /** The object that the application attached, or null. */
    public Object attachment()
    {
        return attachment;
    }

    /**
     * Attach an object of the application, to find it when the seat is passed to a callback.
     *
     * @param value any object, or null.
     */
    public void attachment(final Object value)
    {
        attachment = value;
    }

    /**
     * Leave out the next number, as a gateway does that counts a player's messages and refuses one itself: the engine
     * accepts gaps.
     */
    public void skipSequence()
    {
        sequence++;
    }

    /** The join that got this seat, if its trunk keeps joins to rejoin. */
    KeptJoin keptJoin()
    {
        return keptJoin;
    }

    void keptJoin(final KeptJoin value)
    {
        keptJoin = value;
    }

    int loop()
    {
        return loop;
    }

    /** Numbers are not used again: a message under way with the same number may be accepted first. */
    void present(final long lastAccepted)
    {
        acceptedSequence = lastAccepted;
        sequence = Math.max(sequence, lastAccepted);
        isPresent = true;
    }

    void away()
    {
        isPresent = false;
        isResending = false;
    }

    /** False if it was known already. */
    boolean accepted(final long lastAccepted)
    {
        final boolean isNew = lastAccepted > acceptedSequence;
        acceptedSequence = Math.max(acceptedSequence, lastAccepted);
        return isNew;
    }

    /** Whether messages must be resent before any other. */
    boolean isResending()
    {
        return isResending;
    }

    void isResending(final boolean value)
    {
        isResending = value;
        if (value)
        {
            resentSequence = acceptedSequence;
        }
    }

    long resentSequence()
    {
        return resentSequence;
    }

    void resent(final long value)
    {
        resentSequence = value;
    }

    /** The first message that {@link Resender} keeps, or {@code NONE}. */
    int firstKept()
    {
        return firstKept;
    }

    int lastKept()
    {
        return lastKept;
    }

    void kept(final int first, final int last)
    {
        firstKept = first;
        lastKept = last;
    }
}
