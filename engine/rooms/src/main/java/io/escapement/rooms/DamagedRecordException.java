package io.escapement.rooms;

/** A file of records is damaged, truncated, or of another kind than expected. Do not use any of its content. */
public final class DamagedRecordException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final long offset;
    private final String reason;

    /**
     * For readers of records.
     *
     * @param offset from the start of the file, at or within the damaged record.
     * @param reason the damage there.
     */
    public DamagedRecordException(final long offset, final String reason)
    {
        super("damaged at offset " + offset + ": " + reason);
        this.offset = offset;
        this.reason = reason;
    }

    /** Offset from the start of the file, at or within the damaged record. */
    public long offset()
    {
        return offset;
    }

    /** The kind of damage, for people. */
    public String reason()
    {
        return reason;
    }
}
