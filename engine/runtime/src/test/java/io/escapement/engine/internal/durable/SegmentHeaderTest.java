package io.escapement.engine.internal.durable;

import io.escapement.rooms.log.LogRecords;
import org.agrona.MutableDirectBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class SegmentHeaderTest
{
    private static final int BODY = LogRecords.FILE_HEADER_LENGTH + LogRecords.HEADER_LENGTH;
    private static final int SCHEMA_VERSION = BODY + 6;

    private final MutableDirectBuffer start = SegmentHeader.template(7, 11, SteppedJournal.header());

    @Test
    void shouldReadWhatItHasWritten()
    {
        SegmentHeader.put(start, new LogRecords(), start, 0, 4_096, 13, 5, 6);
        assertEquals(new SegmentHeader(7, 6, 11, 4_096, 5, SteppedJournal.header()), decode());
        assertEquals(13, LogRecords.synced(start, LogRecords.FILE_HEADER_LENGTH));
    }

    @Test
    void shouldNameASegmentWhoseMessagesAreOfAnotherVersion()
    {
        start.putShort(SCHEMA_VERSION, (short)1);
        assertEquals(
            "segment: the log header of the segment is refused: UNKNOWN_VERSION: another build wrote it",
            assertThrows(JournalException.class, this::decode).getMessage());
    }

    private SegmentHeader decode()
    {
        return SegmentHeader.decode(
            start, BODY, LogRecords.bodyLength(start, LogRecords.FILE_HEADER_LENGTH), "segment");
    }
}
