package io.escapement.accounts;

/**
 * A save of a character, with totals.
 *
 * @param accountId   whose character it is.
 * @param characterId the character.
 * @param keyHigh     who saves: the room.
 * @param keyLow      rises with every save of that room.
 * @param kills       in all.
 * @param deaths      in all.
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
    /** Whether the other, which came later, is in truth an older one of the same room. */
    boolean isAfter(final Save other)
    {
        return keyHigh == other.keyHigh && keyLow >= other.keyLow;
    }
}
