package io.escapement.arena.simulation;

/** A map that can't be used. The message names the file, the line and the reason. */
public final class MapFormatException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * Refuse a map.
     *
     * @param file   it was read from.
     * @param line   that is wrong, from 1; 0 if the file as a whole is.
     * @param reason for people.
     */
    public MapFormatException(final String file, final int line, final String reason)
    {
        super(file + (0 == line ? "" : ":" + line) + ": " + reason);
    }
}
