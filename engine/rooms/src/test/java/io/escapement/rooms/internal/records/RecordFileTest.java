package io.escapement.rooms.internal.records;

import io.escapement.rooms.DamagedRecordException;
import io.escapement.rooms.log.Logs;
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

class RecordFileTest
{
    private static final int KIND = 16;

    @Test
    void shouldReadWrittenRecords()
    {
        final ByteSink sink = Logs.snapshot();
        final RecordReader reader = new RecordReader(sink.buffer(), 0, sink.length(), RecordHeader.SNAPSHOT);
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

        assertReadsSnapshot(new RecordReader(buffer, offset, bytes.length, RecordHeader.SNAPSHOT));
    }

    @Test
    void shouldReadFromTheMiddleOfAnArray()
    {
        final byte[] bytes = Logs.snapshot().toArray();
        final byte[] array = new byte[bytes.length + 40];
        System.arraycopy(bytes, 0, array, 24, bytes.length);

        assertReadsSnapshot(new RecordReader(
            new UnsafeBuffer(array, 16, bytes.length + 8), 8, bytes.length, RecordHeader.SNAPSHOT));
    }

    @Test
    void shouldReadARecordOfManyChunksFromDirectMemory()
    {
        final byte[] body = new byte[100_003];
        new Random(1).nextBytes(body);
        final ByteSink sink = new ByteSink();
        final RecordWriter writer = new RecordWriter(sink, RecordHeader.SNAPSHOT);
        writer.append(KIND, new UnsafeBuffer(body), 0, body.length);
        writer.end(new UnsafeBuffer(body), 3, 5);
        assertEquals(2, writer.recordCount());

        final UnsafeBuffer direct = new UnsafeBuffer(ByteBuffer.allocateDirect(sink.length()));
        direct.putBytes(0, sink.toArray());
        final RecordReader reader = new RecordReader(direct, 0, direct.capacity(), RecordHeader.SNAPSHOT);

        assertTrue(reader.next());
        assertArrayEquals(body, bodyOf(reader));
        assertFalse(reader.next());
        assertTrue(reader.ended());
        assertEquals(5, reader.bodyLength());
    }

    @Test
    void shouldAppendEachRecordOnce()
    {
        final int[] appends = new int[1];
        final RecordSink sink = (buffer, offset, length) ->
        {
            assertEquals(0, length % RecordHeader.ALIGNMENT);
            appends[0]++;
        };

        final RecordWriter writer = new RecordWriter(sink, RecordHeader.LOG);
        writer.append(KIND, new UnsafeBuffer(new byte[13]), 0, 13);
        writer.end();

        assertEquals(3, appends[0]);
    }

    @Test
    void shouldWriteTheSameBytesAfterLongerRecords()
    {
        final ByteSink clean = new ByteSink();
        final RecordWriter cleanWriter = new RecordWriter(clean, RecordHeader.SNAPSHOT);
        cleanWriter.append(KIND, new UnsafeBuffer(new byte[64]), 0, 64);
        cleanWriter.append(KIND, new UnsafeBuffer(new byte[3]), 0, 3);

        final ByteSink dirty = new ByteSink();
        final RecordWriter dirtyWriter = new RecordWriter(dirty, RecordHeader.SNAPSHOT);
        final UnsafeBuffer ones = new UnsafeBuffer(new byte[64]);
        ones.setMemory(0, 64, (byte)-1);
        dirtyWriter.append(KIND, ones, 0, 64);
        dirtyWriter.append(KIND, new UnsafeBuffer(new byte[3]), 0, 3);

        final int start = RecordHeader.FILE_HEADER_LENGTH + RecordHeader.recordLength(64);
        assertArrayEquals(
            Arrays.copyOfRange(clean.toArray(), start, clean.length()),
            Arrays.copyOfRange(dirty.toArray(), start, dirty.length()));
    }

    @Test
    void shouldRefuseToWriteUnreadableRecords()
    {
        final DirectBuffer buffer = new UnsafeBuffer(new byte[8]);
        final RecordWriter writer = new RecordWriter(new ByteSink(), RecordHeader.SNAPSHOT);

        assertThrows(IllegalArgumentException.class, () -> new RecordWriter(new ByteSink(), 3));
        assertThrows(IllegalArgumentException.class, () -> writer.append(RecordHeader.END_KIND, buffer, 0, 8));
        assertThrows(
            IllegalArgumentException.class,
            () -> writer.append(KIND, buffer, 0, RecordHeader.MAX_RECORD_LENGTH + 1));
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
            () -> new RecordReader(sink.buffer(), 0, sink.length(), RecordHeader.LOG));

        assertEquals(RecordHeader.FILE_KIND_OFFSET, ex.offset());
    }

    @Test
    void shouldRefuseALengthOverTheLimitBeforeReadingOn()
    {
        final byte[] bytes = Logs.snapshot().toArray();
        new UnsafeBuffer(bytes).putInt(
            RecordHeader.FILE_HEADER_LENGTH, RecordHeader.MAX_RECORD_LENGTH + 1, ByteOrder.LITTLE_ENDIAN);
        final RecordReader reader = snapshotReader(bytes);

        final DamagedRecordException ex = assertThrows(DamagedRecordException.class, reader::next);
        assertEquals(RecordHeader.FILE_HEADER_LENGTH, ex.offset());
        assertTrue(ex.reason().startsWith("record length out of"), ex.reason());
    }

    @Test
    void shouldDetectSwappedRecords()
    {
        final ByteSink sink = new ByteSink();
        final RecordWriter writer = new RecordWriter(sink, RecordHeader.SNAPSHOT);
        writer.append(KIND, new UnsafeBuffer(new byte[]{1, 1, 1, 1}), 0, 4);
        writer.append(KIND, new UnsafeBuffer(new byte[]{2, 2, 2, 2}), 0, 4);
        writer.end();
        final byte[] bytes = sink.toArray();
        final int length = RecordHeader.recordLength(4);
        final int first = RecordHeader.FILE_HEADER_LENGTH;
        final byte[] changed = bytes.clone();
        System.arraycopy(bytes, first, changed, first + length, length);
        System.arraycopy(bytes, first + length, changed, first, length);

        final DamagedRecordException ex =
            assertThrows(DamagedRecordException.class, () -> snapshotReader(changed).verifyAll());
        assertEquals(RecordHeader.FILE_HEADER_LENGTH, ex.offset());
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

    private static RecordReader snapshotReader(final byte[] bytes)
    {
        return new RecordReader(new UnsafeBuffer(bytes), 0, bytes.length, RecordHeader.SNAPSHOT);
    }

    private static void assertReadsSnapshot(final RecordReader reader)
    {
        assertEquals(7, reader.verifyAll());
        for (int length = 0; length < 20; length += 3)
        {
            final byte[] body = new byte[length];
            new Random(length).nextBytes(body);
            assertTrue(reader.next());
            assertEquals(KIND + length, reader.kind());
            assertEquals(0, reader.recordOffset() % RecordHeader.ALIGNMENT);
            assertArrayEquals(body, bodyOf(reader));
        }

        assertFalse(reader.ended());
        assertFalse(reader.next());
        assertTrue(reader.ended());
        assertEquals(RecordHeader.END_KIND, reader.kind());
        assertEquals(0, reader.bodyLength());
        assertFalse(reader.next());
    }

    private static byte[] bodyOf(final RecordReader reader)
    {
        final byte[] body = new byte[reader.bodyLength()];
        reader.buffer().getBytes(reader.bodyOffset(), body);

        return body;
    }
}
