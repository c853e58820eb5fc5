package io.escapement.client;

/** A seat that a player of this trunk has. */
public final class ClientSeat
{
    final long roomId;
    final int loop;
    final int index;
    int generation;
    long playerId;
    long sequence;
    boolean isPresent;
    private Object attachment;

    ClientSeat(final long roomId, final int loop, final int index, final int generation, final long playerId)
    {
        this.roomId = roomId;
        this.loop = loop;
        this.index = index;
        this.generation = generation;
        this.playerId = playerId;
    }

    /**
     * The room.
     *
     * @return its id.
     */
    public long roomId()
    {
        return roomId;
    }

    /**
     * The place at the table.
     *
     * @return from 0.
     */
    public int index()
    {
        return index;
    }

    /**
     * Tells this seat from those that were at its place before.
     *
     * @return the generation.
     */
    public int generation()
    {
        return generation;
    }

    /**
     * Who has it.
     *
     * @return the player's id.
     */
    public long playerId()
    {
        return playerId;
    }

    /**
     * The number of the last message that was sent, or of the last one that the engine accepted before a break.
     *
     * @return the sequence.
     */
    public long sequence()
    {
        return sequence;
    }

    /**
     * Whether messages come and go.
     *
     * @return false while the seat is held.
     */
    public boolean isPresent()
    {
        return isPresent;
    }

    /**
     * What the holder of the client put here.
     *
     * @return anything, or null.
     */
    public Object attachment()
    {
        return attachment;
    }

    /**
     * Put something here, to find it again when the seat comes by.
     *
     * @param value anything.
     */
    public void attachment(final Object value)
    {
        attachment = value;
    }
}
