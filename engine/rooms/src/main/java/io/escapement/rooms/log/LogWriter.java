package io.escapement.rooms.log;

import io.escapement.codecs.layout.SchemaRules;
import io.escapement.codecs.room.LogHeaderEncoder;
import io.escapement.codecs.room.RoomEncoder;
import io.escapement.rooms.output.RecordSink;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import static io.escapement.rooms.log.LogRecords.ALIGNMENT;
import static io.escapement.rooms.log.LogRecords.END_KIND;
import static io.escapement.rooms.log.LogRecords.FILE_HEADER_LENGTH;
import static io.escapement.rooms.log.LogRecords.MAX_BODY_LENGTH;

/**
 * Writes a snapshot or a log in one piece to a {@link RecordSink}: the file header on construction, then one append for
 * each record. It does not allocate after its buffer has grown to the longest record. The end record completes the
 * file.
 */
public final class LogWriter
{
    private final RecordSink sink;
    private final LogRecords records = new LogRecords();
    private final ExpandableArrayBuffer record = new ExpandableArrayBuffer();
    private long position;
    private boolean isEnded;

    /**
     * Begin a file.
     *
     * @param sink     for the bytes.
     * @param fileKind {@link LogRecords#LOG} or {@link LogRecords#SNAPSHOT}.
     */
    public LogWriter(final RecordSink sink, final int fileKind)
    {
        this.sink = sink;
        records.putFileHeader(record, 0, fileKind);
        position = FILE_HEADER_LENGTH;
        sink.append(record, 0, FILE_HEADER_LENGTH);
    }

    /**
     * Begin the log of a host.
     *
     * @param sink   for the bytes.
     * @param config of the host.
     */
    public LogWriter(final RecordSink sink, final HostConfig config)
    {
        this(sink, LogRecords.LOG);
        final ExpandableArrayBuffer body = new ExpandableArrayBuffer();
        append(LogHeaderEncoder.TEMPLATE_ID, body, 0, config.encode(body, 0));
    }

    /** Mark the log: its messages are replaced by their hashes. Before the snapshot. */
    public void hashed()
    {
        append(LogRecords.HASHED_KIND, record, 0, 0);
    }

    /**
     * Begin the log with a snapshot. Before any message.
     *
     * @param buffer with the file of the snapshot.
     * @param length of the snapshot in bytes.
     */
    public void snapshot(final DirectBuffer buffer, final int length)
    {
        append(LogRecords.SNAPSHOT_KIND, buffer, 0, length);
    }

    /**
     * Append a message. Its template id is the kind of its record.
     *
     * @param buffer with the message.
     * @param offset of its header.
     * @param length of the message in bytes.
     */
    public void append(final DirectBuffer buffer, final int offset, final int length)
    {
        append(SchemaRules.templateId(buffer, offset), buffer, offset, length);
    }

    /**
     * Append a record.
     *
     * @param kind   of the record, greater than {@link LogRecords#END_KIND}.
     * @param buffer that holds the body.
     * @param offset of the body.
     * @param length of the body in bytes, up to {@link LogRecords#MAX_BODY_LENGTH}.
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
     * Append the hashes that a replay compares at the end.
     *
     * @param turn       of the host, its last.
     * @param outputHash running hash of all output up to the end of that turn.
     * @param hash       of the state after it.
     */
    public void appendHashes(final long turn, final long outputHash, final long hash)
    {
        final ExpandableArrayBuffer body = new ExpandableArrayBuffer();
        append(body, 0, new RoomEncoder().stateHash(body, 0, turn, outputHash, hash));
    }

    /** Append the end record, the last record. */
    public void end()
    {
        write(END_KIND, record, 0, 0);
        isEnded = true;
    }

    private void write(final int kind, final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < 0 || length > MAX_BODY_LENGTH)
        {
            throw new IllegalArgumentException("record length out of 0.." + MAX_BODY_LENGTH + ": " + length);
        }
        if (isEnded)
        {
            throw new IllegalStateException("the file is complete: its end record was written");
        }

        record.checkLimit(LogRecords.recordLength(length) + ALIGNMENT);
        record.putBytes(LogRecords.HEADER_LENGTH, buffer, offset, length);
        final int recordLength = records.seal(record, 0, kind, length, 0, position);
        sink.append(record, 0, recordLength);
        position += recordLength;
    }
}
