package io.escapement.rooms.internal.records;

import org.agrona.BitUtil;

/** The layout of a file of records and of the header of each record, as the package {@code rooms.log} draws it. */
public final class RecordHeader
{
    /** File kind of a turn log. */
    public static final int LOG = 1;

    /** File kind of a snapshot. */
    public static final int SNAPSHOT = 2;

    /** File kind of a segment of a journal. */
    public static final int JOURNAL = 3;

    /** The first eight bytes of every file: "ESCAPMNT". */
    public static final long MAGIC = 0x544E_4D50_4143_5345L;

    /**
     * Version of the layout, with that of a snapshot's records, and of the hashes of output and state. A reader
     * refuses other versions.
     */
    public static final int FORMAT_VERSION = 1;

    /** Record kind of the end record. All other kinds are greater. */
    static final int END_KIND = 1;

    /**
     * Longest body of a record in bytes. The limit keeps a damaged length from making a reader walk gigabytes. 64 MiB
     * hold a turn of 30,000 commands of the greatest length, or a snapshot of a very large room.
     */
    public static final int MAX_RECORD_LENGTH = 64 * 1024 * 1024;

    /** Every record begins at a multiple of this many bytes. */
    static final int ALIGNMENT = 8;

    /** Length of the header of the file in bytes. */
    public static final int FILE_HEADER_LENGTH = 24;

    /** Length of the header of a record in bytes. */
    public static final int LENGTH = 16;

    public static final int MAGIC_OFFSET = 0;
    public static final int FORMAT_VERSION_OFFSET = 8;
    public static final int FILE_KIND_OFFSET = 12;
    public static final int FILE_CHECK_OFFSET = 16;
    public static final int FILE_ZERO_OFFSET = 20;

    public static final int LENGTH_OFFSET = 0;
    public static final int KIND_OFFSET = 4;
    public static final int HEADER_CHECK_OFFSET = 8;
    public static final int CHECK_OFFSET = 12;

    private RecordHeader()
    {
    }

    /**
     * Length of a record with its header and its padding.
     *
     * @param bodyLength in bytes.
     */
    public static int recordLength(final int bodyLength)
    {
        return BitUtil.align(LENGTH + bodyLength, ALIGNMENT);
    }
}
