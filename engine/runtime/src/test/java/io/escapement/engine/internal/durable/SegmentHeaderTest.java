package io.escapement.engine.internal.durable;

import io.escapement.rooms.log.JournalRecords;
import org.agrona.MutableDirectBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

class SegmentHeaderTest
{
    private static final int BODY = JournalRecords.FILE_HEADER_LENGTH + JournalRecords.HEADER_LENGTH;
    private static final int VERSION = BODY + 8;
    /** Of the message LogHeader. */
    private static final int SCHEMA_VERSION = BODY + 48 + 6;

    private final MutableDirectBuffer start = SegmentHeader.template(3, 7, 11, SteppedJournal.header());

    @Test
    void shouldReadItsOwnVersion()
    {
        assertEquals(3, decode().loop());
        assertEquals(SteppedJournal.header(), decode().log());
    }

    @Test
    void shouldNameASegmentOfAnotherVersion()
    {
        for (final int version : new int[]{0, 2, Integer.MAX_VALUE})
        {
            start.putInt(VERSION, version);
            assertEquals("segment: journal version " + version + ", this build reads 1",
                assertThrows(JournalException.class, this::decode).getMessage());
        }
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
        return SegmentHeader.decode(start, BODY, start.getInt(JournalRecords.FILE_HEADER_LENGTH), "segment");
    }
}
