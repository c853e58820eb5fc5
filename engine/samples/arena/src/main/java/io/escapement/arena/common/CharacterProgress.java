package io.escapement.arena.common;

/** The progress of a character: totals, so that a save may be repeated. A mutable carrier that its owner reuses. */
public final class CharacterProgress
{
    private long characterId;
    private long kills;
    private long deaths;
    private long keyHigh;
    private long keyLow;

    /** The character's id. */
    public long characterId()
    {
        return characterId;
    }

    /** Total number of players that it killed. */
    public long kills()
    {
        return kills;
    }

    /** Total number of its deaths. */
    public long deaths()
    {
        return deaths;
    }

    /** First half of the save's idempotency key: the room. */
    public long keyHigh()
    {
        return keyHigh;
    }

    /** Second half of the key: the number of the save in its room, rising. A retry has the same number. */
    public long keyLow()
    {
        return keyLow;
    }

    /** Set the progress. */
    public void set(final long newCharacterId, final long newKills, final long newDeaths)
    {
        characterId = newCharacterId;
        kills = newKills;
        deaths = newDeaths;
    }

    /** Set the idempotency key. */
    public void key(final long newKeyHigh, final long newKeyLow)
    {
        keyHigh = newKeyHigh;
        keyLow = newKeyLow;
    }
}
