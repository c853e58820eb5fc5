package io.escapement.engine.internal.durable;

import io.escapement.codecs.Codes;
import io.escapement.codecs.RoomCommands;
import io.escapement.codecs.room.LogHeaderDecoder;
import io.escapement.rooms.log.JournalRecords;
import io.escapement.rooms.log.TurnLogHeader;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * The start of a segment: the header of the file, and the first record.
 *
 * <pre>
 *   body of the first record
 *   0   synced          bytes of the journal that were on the disk when the record was made, as in every record
 *   8   version         of this layout
 *   12  loop
 *   16  incarnation     of the engine that wrote the segment
 *   20  check before    checksum of the last record of the segment before, 0 in the first
 *   24  journal's id
 *   32  position        of the segment in the journal
 *   40  first number    of the messages in the segment; messages are numbered from 1
 *   48  LogHeader       with its message header: limits and types of the host
 * </pre>
 *
 * @param loop        number of the loop.
 * @param incarnation of the engine that wrote the segment.
 * @param checkBefore checksum of the last record of the segment before.
 * @param journalId   random number of the journal.
 * @param position    of the segment in the journal.
 * @param firstNumber of the messages in the segment.
 * @param log         limits and types of the host.
 */
record SegmentHeader(
    int loop, int incarnation, int checkBefore, long journalId, long position, long firstNumber, TurnLogHeader log)
{
    /** Record kind of the header. */
    static final int KIND = LogHeaderDecoder.TEMPLATE_ID;
    /** Record kind of the end of a journal that was closed in order. */
    static final int END_KIND = 1;
    /** Bytes before the message in the body of every record. */
    static final int PREFIX_LENGTH = Long.BYTES;

    private static final int VERSION = 1;
    private static final int VERSION_OFFSET = 8;
    private static final int LOOP_OFFSET = 12;
    private static final int INCARNATION_OFFSET = 16;
    private static final int CHECK_BEFORE_OFFSET = 20;
    private static final int JOURNAL_ID_OFFSET = 24;
    private static final int POSITION_OFFSET = 32;
    private static final int FIRST_NUMBER_OFFSET = 40;
    private static final int LOG_OFFSET = 48;

    /** The start of a segment with everything that is the same in all segments of an incarnation. */
    static ExpandableArrayBuffer template(
        final int loop, final int incarnation, final long journalId, final TurnLogHeader log)
    {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        new JournalRecords().putFileHeader(buffer, 0);
        final int body = JournalRecords.FILE_HEADER_LENGTH + JournalRecords.HEADER_LENGTH;
        buffer.putInt(body + VERSION_OFFSET, VERSION, LITTLE_ENDIAN);
        buffer.putInt(body + LOOP_OFFSET, loop, LITTLE_ENDIAN);
        buffer.putInt(body + INCARNATION_OFFSET, incarnation, LITTLE_ENDIAN);
        buffer.putLong(body + JOURNAL_ID_OFFSET, journalId, LITTLE_ENDIAN);
        buffer.putInt(JournalRecords.FILE_HEADER_LENGTH, LOG_OFFSET + log.encode(buffer, body + LOG_OFFSET));
        return buffer;
    }

    /** Length of a segment's start. */
    static int length(final DirectBuffer template)
    {
        return JournalRecords.FILE_HEADER_LENGTH +
            JournalRecords.recordLength(template.getInt(JournalRecords.FILE_HEADER_LENGTH));
    }

    /** Write the start of a segment, of {@link #length(DirectBuffer)} bytes. */
    static void put(
        final DirectBuffer template,
        final JournalRecords records,
        final MutableDirectBuffer buffer,
        final int index,
        final long position,
        final long synced,
        final long firstNumber,
        final int checkBefore)
    {
        final int bodyLength = template.getInt(JournalRecords.FILE_HEADER_LENGTH);
        final int record = index + JournalRecords.FILE_HEADER_LENGTH;
        final int body = record + JournalRecords.HEADER_LENGTH;
        buffer.putBytes(
            index, template, 0, JournalRecords.FILE_HEADER_LENGTH + JournalRecords.HEADER_LENGTH + bodyLength);
        buffer.putLong(body, synced, LITTLE_ENDIAN);
        buffer.putInt(body + CHECK_BEFORE_OFFSET, checkBefore, LITTLE_ENDIAN);
        buffer.putLong(body + POSITION_OFFSET, position, LITTLE_ENDIAN);
        buffer.putLong(body + FIRST_NUMBER_OFFSET, firstNumber, LITTLE_ENDIAN);
        records.seal(buffer, record, KIND, bodyLength, position + JournalRecords.FILE_HEADER_LENGTH);
    }

    /** Decode the first record of a segment, whose checksums are right. */
    static SegmentHeader decode(
        final DirectBuffer buffer, final int offset, final int bodyLength, final String path)
    {
        if (bodyLength < LOG_OFFSET)
        {
            throw new JournalException(path + ": the header of the segment has " + bodyLength + " bytes");
        }
        final int version = buffer.getInt(offset + VERSION_OFFSET, LITTLE_ENDIAN);
        if (VERSION != version)
        {
            throw new JournalException(path + ": journal version " + version + ", this build reads " + VERSION);
        }
        final int refusal =
            RoomCommands.validateLogRecord(buffer, offset + LOG_OFFSET, bodyLength - LOG_OFFSET);
        if (0 != refusal)
        {
            throw new JournalException(path + ": the log header of the segment is refused: " +
                Codes.nameOf(refusal) + ": another build wrote it");
        }
        return new SegmentHeader(
            buffer.getInt(offset + LOOP_OFFSET, LITTLE_ENDIAN),
            buffer.getInt(offset + INCARNATION_OFFSET, LITTLE_ENDIAN),
            buffer.getInt(offset + CHECK_BEFORE_OFFSET, LITTLE_ENDIAN),
            buffer.getLong(offset + JOURNAL_ID_OFFSET, LITTLE_ENDIAN),
            buffer.getLong(offset + POSITION_OFFSET, LITTLE_ENDIAN),
            buffer.getLong(offset + FIRST_NUMBER_OFFSET, LITTLE_ENDIAN),
            TurnLogHeader.decode(buffer, offset + LOG_OFFSET));
    }
}
