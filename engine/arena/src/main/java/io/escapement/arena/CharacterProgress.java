package io.escapement.arena;

/** What is kept of a character's fights. Totals, not what was added. Used again and again by its owner. */
public final class CharacterProgress
{
    private long characterId;
    private long kills;
    private long deaths;
    private int x;
    private int y;
    private long keyHigh;
    private long keyLow;

    /** Of nobody. */
    public CharacterProgress()
    {
    }

    /**
     * The character.
     *
     * @return its id.
     */
    public long characterId()
    {
        return characterId;
    }

    /**
     * How many players it killed in its life.
     *
     * @return the total.
     */
    public long kills()
    {
        return kills;
    }

    /**
     * How often it died in its life.
     *
     * @return the total.
     */
    public long deaths()
    {
        return deaths;
    }

    /**
     * Where it was last.
     *
     * @return x, fixed point.
     */
    public int x()
    {
        return x;
    }

    /**
     * Where it was last.
     *
     * @return y, fixed point.
     */
    public int y()
    {
        return y;
    }

    /**
     * Which room says so. With {@link #keyLow()} it names this save and no other.
     *
     * @return the room's id.
     */
    public long keyHigh()
    {
        return keyHigh;
    }

    /**
     * Number of the save in its room.
     *
     * @return the number, rising; the same when a save is tried again.
     */
    public long keyLow()
    {
        return keyLow;
    }

    void set(final long newCharacterId, final long newKills, final long newDeaths, final int newX, final int newY)
    {
        characterId = newCharacterId;
        kills = newKills;
        deaths = newDeaths;
        x = newX;
        y = newY;
    }

    void key(final long newKeyHigh, final long newKeyLow)
    {
        keyHigh = newKeyHigh;
        keyLow = newKeyLow;
    }
}
