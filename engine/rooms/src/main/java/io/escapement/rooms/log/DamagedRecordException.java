package io.escapement.rooms.log;

/**
 * A file of records is damaged, cut off, or not what it was opened as. Nothing of it should be used.
 */
public final class DamagedRecordException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final long offset;
    private final String reason;

    /**
     * @param offset from the start of the file, at or within the damaged record.
     * @param reason what is wrong there.
     */
    public DamagedRecordException(final long offset, final String reason)
    {
        super("damaged at offset " + offset + ": " + reason);
        this.offset = offset;
        this.reason = reason;
    }

    /**
     * Where the damage is.
     *
     * @return offset from the start of the file, at or within the damaged record.
     */
    public long offset()
    {
        return offset;
    }

    /**
     * What the damage is.
     *
     * @return the reason in words.
     */
    public String reason()
    {
        return reason;
    }
}
