package io.escapement.rooms.log;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import static io.escapement.rooms.log.RecordHeader.ALIGNMENT;
import static io.escapement.rooms.log.RecordHeader.CHECK_OFFSET;
import static io.escapement.rooms.log.RecordHeader.END_KIND;
import static io.escapement.rooms.log.RecordHeader.FILE_CHECK_OFFSET;
import static io.escapement.rooms.log.RecordHeader.FILE_HEAD_LENGTH;
import static io.escapement.rooms.log.RecordHeader.FILE_KIND_OFFSET;
import static io.escapement.rooms.log.RecordHeader.FILE_ZERO_OFFSET;
import static io.escapement.rooms.log.RecordHeader.FORMAT_VERSION;
import static io.escapement.rooms.log.RecordHeader.FORMAT_VERSION_OFFSET;
import static io.escapement.rooms.log.RecordHeader.HEAD_CHECK_OFFSET;
import static io.escapement.rooms.log.RecordHeader.KIND_OFFSET;
import static io.escapement.rooms.log.RecordHeader.LENGTH_OFFSET;
import static io.escapement.rooms.log.RecordHeader.LOG;
import static io.escapement.rooms.log.RecordHeader.MAGIC;
import static io.escapement.rooms.log.RecordHeader.MAGIC_OFFSET;
import static io.escapement.rooms.log.RecordHeader.MAX_RECORD_LENGTH;
import static io.escapement.rooms.log.RecordHeader.RECORD_HEAD_LENGTH;
import static io.escapement.rooms.log.RecordHeader.SNAPSHOT;
import static io.escapement.rooms.log.RecordHeader.recordLength;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Writes a file of records to a {@link RecordSink}: the file head at once, then each record with one append. Allocates
 * nothing once its buffer has grown to the longest record. The file is whole when the end record was written.
 */
public final class RecordWriter
{
    private final RecordSink sink;
    private final RecordChecksum checksum = new RecordChecksum();
    private final ExpandableArrayBuffer frame = new ExpandableArrayBuffer();
    private long ordinal;
    private boolean ended;

    /**
     * Begins a file.
     *
     * @param sink     that takes the bytes.
     * @param fileKind {@link RecordHeader#LOG} or {@link RecordHeader#SNAPSHOT}.
     */
    public RecordWriter(final RecordSink sink, final int fileKind)
    {
        if (LOG != fileKind && SNAPSHOT != fileKind)
        {
            throw new IllegalArgumentException("no such file kind: " + fileKind);
        }

        this.sink = sink;
        frame.putLong(MAGIC_OFFSET, MAGIC, LITTLE_ENDIAN);
        frame.putInt(FORMAT_VERSION_OFFSET, FORMAT_VERSION, LITTLE_ENDIAN);
        frame.putInt(FILE_KIND_OFFSET, fileKind, LITTLE_ENDIAN);
        frame.putInt(FILE_CHECK_OFFSET, checksum.ofFileHead(frame, 0), LITTLE_ENDIAN);
        frame.putInt(FILE_ZERO_OFFSET, 0, LITTLE_ENDIAN);
        sink.append(frame, 0, FILE_HEAD_LENGTH);
    }

    /**
     * Appends a record.
     *
     * @param kind   of the record, greater than {@link RecordHeader#END_KIND}.
     * @param buffer that holds the body.
     * @param offset of the body.
     * @param length of the body in bytes, up to {@link RecordHeader#MAX_RECORD_LENGTH}.
     */
    public void append(final int kind, final DirectBuffer buffer, final int offset, final int length)
    {
        if (kind <= END_KIND)
        {
            throw new IllegalArgumentException("record kind must be greater than " + END_KIND + ": " + kind);
        }

        write(kind, buffer, offset, length);
    }

    /**
     * Appends the end record. Nothing may be appended after it.
     *
     * @param buffer that holds the body.
     * @param offset of the body.
     * @param length of the body in bytes; may be 0.
     */
    public void end(final DirectBuffer buffer, final int offset, final int length)
    {
        write(END_KIND, buffer, offset, length);
        ended = true;
    }

    /**
     * Appends an end record without a body. Nothing may be appended after it.
     */
    public void end()
    {
        end(frame, 0, 0);
    }

    /**
     * How many records were appended, the end record included.
     *
     * @return number of records.
     */
    public long recordCount()
    {
        return ordinal;
    }

    private void write(final int kind, final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < 0 || length > MAX_RECORD_LENGTH)
        {
            throw new IllegalArgumentException("record length out of 0.." + MAX_RECORD_LENGTH + ": " + length);
        }

        if (ended)
        {
            throw new IllegalStateException("the end record was written");
        }

        final ExpandableArrayBuffer frame = this.frame;
        final int recordLength = recordLength(length);
        // Zeroes the padding, before the body goes over what is not padding.
        frame.putLong(recordLength - ALIGNMENT, 0L);
        frame.putBytes(RECORD_HEAD_LENGTH, buffer, offset, length);
        frame.putInt(LENGTH_OFFSET, length, LITTLE_ENDIAN);
        frame.putInt(KIND_OFFSET, kind, LITTLE_ENDIAN);
        frame.putInt(HEAD_CHECK_OFFSET, checksum.ofRecordHead(length, kind, ordinal), LITTLE_ENDIAN);
        frame.putInt(CHECK_OFFSET, checksum.goOn(frame, RECORD_HEAD_LENGTH, length), LITTLE_ENDIAN);
        sink.append(frame, 0, recordLength);
        ordinal++;
    }
}
