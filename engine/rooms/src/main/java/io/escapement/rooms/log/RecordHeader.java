package io.escapement.rooms.log;

import org.agrona.BitUtil;

/**
 * The layout of a file of records, as drawn in the package's description. All numbers are little-endian.
 */
public final class RecordHeader
{
    /**
     * First eight bytes of every file: "ESCAPMNT".
     */
    public static final long MAGIC = 0x544E_4D50_4143_5345L;

    /**
     * Version of the framing. Another one is refused.
     */
    public static final int FORMAT_VERSION = 1;

    /**
     * File kind of a turn log.
     */
    public static final int LOG = 1;

    /**
     * File kind of a snapshot.
     */
    public static final int SNAPSHOT = 2;

    /**
     * Record kind of the last record. A file's own kinds are greater.
     */
    public static final int END_KIND = 1;

    /**
     * Longest body of a record in bytes. A damaged length must not make a reader reserve or walk gigabytes; 64 MiB is
     * a turn of thirty thousand commands of the greatest length, or a snapshot of a very large room.
     */
    public static final int MAX_RECORD_LENGTH = 64 * 1024 * 1024;

    /**
     * Every record begins at a multiple of this many bytes.
     */
    public static final int ALIGNMENT = 8;

    /**
     * Length of the file head in bytes.
     */
    public static final int FILE_HEAD_LENGTH = 24;

    /**
     * Length of a record's head in bytes.
     */
    public static final int RECORD_HEAD_LENGTH = 16;

    static final int MAGIC_OFFSET = 0;
    static final int FORMAT_VERSION_OFFSET = 8;
    static final int FILE_KIND_OFFSET = 12;
    static final int FILE_CHECK_OFFSET = 16;
    static final int FILE_ZERO_OFFSET = 20;

    static final int LENGTH_OFFSET = 0;
    static final int KIND_OFFSET = 4;
    static final int HEAD_CHECK_OFFSET = 8;
    static final int CHECK_OFFSET = 12;

    private RecordHeader()
    {
    }

    /**
     * Length of a whole record, padding included.
     *
     * @param bodyLength length of its body in bytes, not over {@link #MAX_RECORD_LENGTH}.
     * @return length of the record in bytes.
     */
    public static int recordLength(final int bodyLength)
    {
        return BitUtil.align(RECORD_HEAD_LENGTH + bodyLength, ALIGNMENT);
    }
}
