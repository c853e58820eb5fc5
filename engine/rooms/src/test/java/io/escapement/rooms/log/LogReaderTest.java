package io.escapement.rooms.log;

import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.output.ByteSink;
import io.escapement.rooms.output.RecordSink;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class LogReaderTest
{
    private static final int KIND = 16;

    @Test
    void shouldReadWrittenRecords()
    {
        final ByteSink sink = Logs.snapshot();
        final LogReader reader = new LogReader(sink.buffer(), 0, sink.length(), LogRecords.SNAPSHOT);
        assertReadsSnapshot(reader);
        reader.rewind();
        assertReadsSnapshot(reader);
    }

    @Test
    void shouldReadFromTheMiddleOfDirectMemory()
    {
        final byte[] bytes = Logs.snapshot().toArray();
        final int offset = 24;
        final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(bytes.length + 2 * offset));
        buffer.setMemory(0, buffer.capacity(), (byte)-1);
        buffer.putBytes(offset, bytes);

        assertReadsSnapshot(new LogReader(buffer, offset, bytes.length, LogRecords.SNAPSHOT));
    }

    @Test
    void shouldReadFromTheMiddleOfAnArray()
    {
        final byte[] bytes = Logs.snapshot().toArray();
        final byte[] array = new byte[bytes.length + 40];
        System.arraycopy(bytes, 0, array, 24, bytes.length);

        assertReadsSnapshot(new LogReader(
            new UnsafeBuffer(array, 16, bytes.length + 8), 8, bytes.length, LogRecords.SNAPSHOT));
    }

    @Test
    void shouldReadARecordOfManyChunksFromDirectMemory()
    {
        final byte[] body = new byte[100_003];
        new Random(1).nextBytes(body);
        final ByteSink sink = new ByteSink();
        final LogWriter writer = new LogWriter(sink, LogRecords.SNAPSHOT);
        writer.append(KIND, new UnsafeBuffer(body), 0, body.length);
        writer.end();

        final UnsafeBuffer direct = new UnsafeBuffer(ByteBuffer.allocateDirect(sink.length()));
        direct.putBytes(0, sink.toArray());
        final LogReader reader = new LogReader(direct, 0, direct.capacity(), LogRecords.SNAPSHOT);

        assertTrue(reader.next());
        assertArrayEquals(body, bodyOf(reader));
        assertFalse(reader.next());
        assertTrue(reader.isEnded());
        assertEquals(0, reader.bodyLength());
    }

    @Test
    void shouldAppendEachRecordOnce()
    {
        final int[] appends = new int[1];
        final RecordSink sink = (buffer, offset, length) ->
        {
            assertEquals(0, length % LogRecords.ALIGNMENT);
            appends[0]++;
        };

        final LogWriter writer = new LogWriter(sink, LogRecords.LOG);
        writer.append(KIND, new UnsafeBuffer(new byte[13]), 0, 13);
        writer.end();

        assertEquals(3, appends[0]);
    }

    @Test
    void shouldWriteTheSameBytesAfterLongerRecords()
    {
        final ByteSink clean = new ByteSink();
        final LogWriter cleanWriter = new LogWriter(clean, LogRecords.SNAPSHOT);
        cleanWriter.append(KIND, new UnsafeBuffer(new byte[64]), 0, 64);
        cleanWriter.append(KIND, new UnsafeBuffer(new byte[3]), 0, 3);

        final ByteSink dirty = new ByteSink();
        final LogWriter dirtyWriter = new LogWriter(dirty, LogRecords.SNAPSHOT);
        final UnsafeBuffer ones = new UnsafeBuffer(new byte[64]);
        ones.setMemory(0, 64, (byte)-1);
        dirtyWriter.append(KIND, ones, 0, 64);
        dirtyWriter.append(KIND, new UnsafeBuffer(new byte[3]), 0, 3);

        final int start = LogRecords.FILE_HEADER_LENGTH + LogRecords.recordLength(64);
        assertArrayEquals(
            Arrays.copyOfRange(clean.toArray(), start, clean.length()),
            Arrays.copyOfRange(dirty.toArray(), start, dirty.length()));
    }

    @Test
    void shouldRefuseToWriteUnreadableRecords()
    {
        final DirectBuffer buffer = new UnsafeBuffer(new byte[8]);
        final LogWriter writer = new LogWriter(new ByteSink(), LogRecords.SNAPSHOT);

        assertThrows(IllegalArgumentException.class, () -> writer.append(LogRecords.END_KIND, buffer, 0, 8));
        assertThrows(
            IllegalArgumentException.class,
            () -> writer.append(KIND, buffer, 0, LogRecords.MAX_BODY_LENGTH + 1));
        assertThrows(IllegalArgumentException.class, () -> writer.append(KIND, buffer, 0, -1));
        writer.end();
        assertThrows(IllegalStateException.class, () -> writer.append(KIND, buffer, 0, 8));
        assertThrows(IllegalStateException.class, writer::end);
    }

    @Test
    void shouldRefuseAnotherFileKind()
    {
        final ByteSink sink = Logs.snapshot();
        final DamagedRecordException ex = assertThrows(
            DamagedRecordException.class,
            () -> new LogReader(sink.buffer(), 0, sink.length(), LogRecords.LOG));

        assertEquals(LogRecords.FILE_KIND_OFFSET, ex.offset());
    }

    @Test
    void shouldRefuseALengthOverTheLimitThoughItsChecksumIsRight()
    {
        final byte[] bytes = Logs.snapshot().toArray();
        final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
        final int start = LogRecords.FILE_HEADER_LENGTH;
        for (final int length : new int[]{LogRecords.MAX_BODY_LENGTH + 1, -1, Integer.MIN_VALUE})
        {
            buffer.putInt(start, length, ByteOrder.LITTLE_ENDIAN);
            buffer.putInt(start + LogRecords.HEADER_LENGTH - Integer.BYTES,
                new RecordChecksum().ofRecordHeader(buffer, start, start), ByteOrder.LITTLE_ENDIAN);
            // Also where it would be a truncation.
            for (final boolean isUnfinishedAllowed : new boolean[]{false, true})
            {
                final LogReader reader =
                    new LogReader(buffer, 0, bytes.length, LogRecords.SNAPSHOT, isUnfinishedAllowed);
                assertEquals(start, assertThrows(DamagedRecordException.class, reader::next).offset());
            }
        }
    }

    @Test
    void shouldDetectSwappedRecords()
    {
        final ByteSink sink = new ByteSink();
        final LogWriter writer = new LogWriter(sink, LogRecords.SNAPSHOT);
        writer.append(KIND, new UnsafeBuffer(new byte[]{1, 1, 1, 1}), 0, 4);
        writer.append(KIND, new UnsafeBuffer(new byte[]{2, 2, 2, 2}), 0, 4);
        writer.end();
        final byte[] bytes = sink.toArray();
        final int length = LogRecords.recordLength(4);
        final int first = LogRecords.FILE_HEADER_LENGTH;
        final byte[] changed = bytes.clone();
        System.arraycopy(bytes, first, changed, first + length, length);
        System.arraycopy(bytes, first + length, changed, first, length);

        final DamagedRecordException ex =
            assertThrows(DamagedRecordException.class, () -> snapshotReader(changed).verifyAll());
        assertEquals(LogRecords.FILE_HEADER_LENGTH, ex.offset());
    }

    @Test
    void shouldDetectBytesAfterTheEnd()
    {
        final byte[] bytes = Logs.snapshot().toArray();
        final byte[] longer = Arrays.copyOf(bytes, bytes.length + 1);

        final DamagedRecordException ex =
            assertThrows(DamagedRecordException.class, () -> snapshotReader(longer).verifyAll());
        assertEquals(bytes.length, ex.offset());
    }

    @Test
    void shouldNameOffsetAndReason()
    {
        final DamagedRecordException ex = new DamagedRecordException(4711, "checksum of record 3");

        assertEquals(4711, ex.offset());
        assertEquals("checksum of record 3", ex.reason());
        assertEquals("damaged at offset 4711: checksum of record 3", ex.getMessage());
    }

    private static LogReader snapshotReader(final byte[] bytes)
    {
        return new LogReader(new UnsafeBuffer(bytes), 0, bytes.length, LogRecords.SNAPSHOT);
    }

    private static void assertReadsSnapshot(final LogReader reader)
    {
        reader.verifyAll();
        for (int length = 0; length < 20; length += 3)
        {
            final byte[] body = new byte[length];
            new Random(length).nextBytes(body);
            assertTrue(reader.next());
            assertEquals(KIND + length, reader.kind());
            assertEquals(0, reader.recordOffset() % LogRecords.ALIGNMENT);
            assertArrayEquals(body, bodyOf(reader));
        }

        assertFalse(reader.isEnded());
        assertFalse(reader.next());
        assertTrue(reader.isEnded());
        assertEquals(LogRecords.END_KIND, reader.kind());
        assertEquals(0, reader.bodyLength());
        assertFalse(reader.next());
    }

    private static byte[] bodyOf(final LogReader reader)
    {
        final byte[] body = new byte[reader.bodyLength()];
        reader.buffer().getBytes(reader.bodyOffset(), body);

        return body;
    }
}
