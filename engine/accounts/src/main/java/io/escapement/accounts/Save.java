package io.escapement.accounts;

/**
 * A save of a character. All numbers are totals.
 *
 * @param accountId   owner of the character.
 * @param characterId the character.
 * @param keyHigh     random number of the saving room.
 * @param keyLow      increases with each save of that room.
 * @param kills       total.
 * @param deaths      total.
 * @param mapId       of the position.
 * @param x           of the position.
 * @param y           of the position.
 */
record Save(
    long accountId,
    long characterId,
    long keyHigh,
    long keyLow,
    int kills,
    int deaths,
    int mapId,
    double x,
    double y)
{
    /** Whether the other save, which arrived later, is a duplicate or an older save of the same room. */
    boolean supersedes(final Save other)
    {
        return keyHigh == other.keyHigh && keyLow >= other.keyLow;
    }
}
