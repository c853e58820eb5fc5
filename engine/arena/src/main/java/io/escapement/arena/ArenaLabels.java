package io.escapement.arena;

/** What an arena shows of itself in the directory. Values are text in UTF-8, but for the owner and the flag. */
public final class ArenaLabels
{
    /** Its name. */
    public static final int NAME = 0;
    /** The player who owns it: 8 bytes, little-endian; 0 when nobody does. */
    public static final int OWNER = 1;
    /** Name of its map. */
    public static final int MAP = 2;
    /** One byte: 1 when the lobby asks for a password. */
    public static final int PASSWORD = 3;

    private ArenaLabels()
    {
    }
}
