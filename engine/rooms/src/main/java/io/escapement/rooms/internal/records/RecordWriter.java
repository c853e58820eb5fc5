package io.escapement.rooms.internal.records;

import io.escapement.rooms.output.RecordSink;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import static io.escapement.rooms.internal.records.RecordHeader.ALIGNMENT;
import static io.escapement.rooms.internal.records.RecordHeader.CHECK_OFFSET;
import static io.escapement.rooms.internal.records.RecordHeader.END_KIND;
import static io.escapement.rooms.internal.records.RecordHeader.FILE_CHECK_OFFSET;
import static io.escapement.rooms.internal.records.RecordHeader.FILE_HEADER_LENGTH;
import static io.escapement.rooms.internal.records.RecordHeader.FILE_KIND_OFFSET;
import static io.escapement.rooms.internal.records.RecordHeader.FILE_ZERO_OFFSET;
import static io.escapement.rooms.internal.records.RecordHeader.FORMAT_VERSION;
import static io.escapement.rooms.internal.records.RecordHeader.FORMAT_VERSION_OFFSET;
import static io.escapement.rooms.internal.records.RecordHeader.HEADER_CHECK_OFFSET;
import static io.escapement.rooms.internal.records.RecordHeader.KIND_OFFSET;
import static io.escapement.rooms.internal.records.RecordHeader.LENGTH_OFFSET;
import static io.escapement.rooms.internal.records.RecordHeader.LOG;
import static io.escapement.rooms.internal.records.RecordHeader.MAGIC;
import static io.escapement.rooms.internal.records.RecordHeader.MAGIC_OFFSET;
import static io.escapement.rooms.internal.records.RecordHeader.MAX_RECORD_LENGTH;
import static io.escapement.rooms.internal.records.RecordHeader.SNAPSHOT;
import static io.escapement.rooms.internal.records.RecordHeader.recordLength;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Writes a file of records to a {@link RecordSink}: the file header on construction, then one append for each record.
 * It allocates nothing once its buffer has grown to the longest record. The end record completes the file.
 */
public final class RecordWriter
{
    private final RecordSink sink;
    private final RecordChecksum checksum = new RecordChecksum();
    private final ExpandableArrayBuffer record = new ExpandableArrayBuffer();
    private long ordinal;
    private boolean ended;

    /**
     * Begin a file.
     *
     * @param sink     for the bytes.
     * @param fileKind {@link RecordHeader#LOG} or {@link RecordHeader#SNAPSHOT}.
     */
    public RecordWriter(final RecordSink sink, final int fileKind)
    {
        if (LOG != fileKind && SNAPSHOT != fileKind)
        {
            throw new IllegalArgumentException("file kind must be " + LOG + " or " + SNAPSHOT + ": " + fileKind);
        }

        this.sink = sink;
        record.putLong(MAGIC_OFFSET, MAGIC, LITTLE_ENDIAN);
        record.putInt(FORMAT_VERSION_OFFSET, FORMAT_VERSION, LITTLE_ENDIAN);
        record.putInt(FILE_KIND_OFFSET, fileKind, LITTLE_ENDIAN);
        record.putInt(FILE_CHECK_OFFSET, checksum.ofFileHeader(record, 0), LITTLE_ENDIAN);
        record.putInt(FILE_ZERO_OFFSET, 0, LITTLE_ENDIAN);
        sink.append(record, 0, FILE_HEADER_LENGTH);
    }

    /**
     * Append a record.
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
     * Append the end record, the last one.
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

    /** Append an end record without a body. */
    public void end()
    {
        end(record, 0, 0);
    }

    /** Number of appended records, including the end record. */
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
            throw new IllegalStateException("the file is complete: its end record was written");
        }

        final ExpandableArrayBuffer record = this.record;
        final int recordLength = recordLength(length);
        // Zero the last 8 bytes, of which the body then overwrites those that are not padding.
        record.putLong(recordLength - ALIGNMENT, 0L);
        record.putBytes(RecordHeader.LENGTH, buffer, offset, length);
        record.putInt(LENGTH_OFFSET, length, LITTLE_ENDIAN);
        record.putInt(KIND_OFFSET, kind, LITTLE_ENDIAN);
        record.putInt(HEADER_CHECK_OFFSET, checksum.ofRecordHeader(length, kind, ordinal), LITTLE_ENDIAN);
        record.putInt(CHECK_OFFSET, checksum.ofRecordBody(record, RecordHeader.LENGTH, length), LITTLE_ENDIAN);
        sink.append(record, 0, recordLength);
        ordinal++;
    }
}
