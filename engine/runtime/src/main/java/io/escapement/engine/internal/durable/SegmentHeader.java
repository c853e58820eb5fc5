package io.escapement.engine.internal.durable;

import io.escapement.codecs.Codes;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.LogHeaderDecoder;
import io.escapement.codecs.room.LogHeaderEncoder;
import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.MessageHeaderEncoder;
import io.escapement.rooms.log.HostConfig;
import io.escapement.rooms.log.LogRecords;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * The first record of a segment, a LogHeader.
 *
 * @param incarnation of the engine that wrote the segment.
 * @param checkBefore checksum of the last record of the segment before.
 * @param journalId   random number of the journal.
 * @param position    of the segment in the journal.
 * @param firstNumber of the messages in the segment.
 * @param config      of the host.
 */
record SegmentHeader(
    int incarnation, int checkBefore, long journalId, long position, long firstNumber, HostConfig config)
{
    /** Record kind of the header. */
    static final int KIND = LogHeaderDecoder.TEMPLATE_ID;

    private static final int BODY_OFFSET = LogRecords.FILE_HEADER_LENGTH + LogRecords.HEADER_LENGTH;
    private static final int FIELDS_OFFSET = BODY_OFFSET + MessageHeaderEncoder.ENCODED_LENGTH;

    /** The start of a segment with everything that is the same in all segments of an incarnation. */
    static ExpandableArrayBuffer template(final int incarnation, final long journalId, final HostConfig config)
    {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        new LogRecords().putFileHeader(buffer, 0, LogRecords.LOG);
        final int length = config.encode(buffer, BODY_OFFSET);
        new LogHeaderEncoder().wrap(buffer, FIELDS_OFFSET).incarnation(incarnation).journalId(journalId);
        buffer.putInt(LogRecords.FILE_HEADER_LENGTH, length, LITTLE_ENDIAN);
        return buffer;
    }

    /** Length of a segment's start. */
    static int length(final DirectBuffer template)
    {
        return LogRecords.FILE_HEADER_LENGTH +
            LogRecords.recordLength(LogRecords.bodyLength(template, LogRecords.FILE_HEADER_LENGTH));
    }

    /** Write the start of a segment, of {@link #length(DirectBuffer)} bytes. */
    static void put(
        final DirectBuffer template,
        final LogRecords records,
        final MutableDirectBuffer buffer,
        final int index,
        final long position,
        final long synced,
        final long firstNumber,
        final int checkBefore)
    {
        final int bodyLength = LogRecords.bodyLength(template, LogRecords.FILE_HEADER_LENGTH);
        buffer.putBytes(index, template, 0, BODY_OFFSET + bodyLength);
        final int fields = index + FIELDS_OFFSET;
        buffer.putLong(fields + LogHeaderEncoder.positionEncodingOffset(), position, LITTLE_ENDIAN);
        buffer.putLong(fields + LogHeaderEncoder.firstNumberEncodingOffset(), firstNumber, LITTLE_ENDIAN);
        buffer.putInt(fields + LogHeaderEncoder.checkBeforeEncodingOffset(), checkBefore, LITTLE_ENDIAN);
        records.seal(buffer, index + LogRecords.FILE_HEADER_LENGTH, KIND, bodyLength, synced,
            position + LogRecords.FILE_HEADER_LENGTH);
    }

    /** Decode the first record of a segment, after its checksums were verified. */
    static SegmentHeader decode(
        final DirectBuffer buffer, final int offset, final int bodyLength, final String path)
    {
        final int refusal = RoomCommands.validateLogRecord(buffer, offset, bodyLength);
        if (0 != refusal)
        {
            throw new JournalException(path + ": the log header of the segment is refused: " +
                Codes.nameOf(refusal) + ": another build wrote it");
        }
        final LogHeaderDecoder decoder = new LogHeaderDecoder();
        decoder.wrapAndApplyHeader(buffer, offset, new MessageHeaderDecoder());
        return new SegmentHeader(
            decoder.incarnation(),
            decoder.checkBefore(),
            decoder.journalId(),
            decoder.position(),
            decoder.firstNumber(),
            HostConfig.decode(buffer, offset));
    }

    int loop()
    {
        return config.loopLimits().loop();
    }
}
