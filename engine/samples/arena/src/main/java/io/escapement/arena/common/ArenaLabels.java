package io.escapement.arena.common;

/** The labels of an arena in the directory. All values but OWNER and PASSWORD are UTF-8. */
public final class ArenaLabels
{
    /** Its name. */
    public static final int NAME = 0;
    /** The player who owns it: 8 bytes, little-endian, or 0 without an owner. */
    public static final int OWNER = 1;
    /** Name of its map. */
    public static final int MAP = 2;
    /** One byte: 1 if the lobby asks for a password. */
    public static final int PASSWORD = 3;

    private ArenaLabels()
    {
    }
}
