package io.escapement.rooms.log;

import io.escapement.rooms.DamagedRecordException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Records that are sealed and checked in place, on the heap and in direct memory. */
class LogRecordsTest
{
    private static final int LENGTH = 512;
    private static final long POSITION = 123_456_789_000L;
    private static final long SYNCED = 987_654_321L;

    private final Random random = new Random(3);
    private final LogRecords records = new LogRecords();

    @Test
    void shouldSealTheSameRecordEverywhere()
    {
        for (int bodyLength = 0; bodyLength < 100; bodyLength++)
        {
            final byte[] body = new byte[bodyLength];
            random.nextBytes(body);
            final UnsafeBuffer heap = sealed(new UnsafeBuffer(new byte[LENGTH]), 8, body);
            final UnsafeBuffer direct = sealed(new UnsafeBuffer(ByteBuffer.allocateDirect(LENGTH)), 8, body);
            // A part of a larger direct buffer, as a ring is of its tail.
            final ByteBuffer twice = ByteBuffer.allocateDirect(2 * LENGTH);
            final UnsafeBuffer part = sealed(new UnsafeBuffer(twice, LENGTH, LENGTH), 8, body);
            for (int i = 0; i < LENGTH; i++)
            {
                assertEquals(heap.getByte(i), direct.getByte(i), bodyLength + " at " + i);
                assertEquals(heap.getByte(i), part.getByte(i), bodyLength + " at " + i);
            }
            final int length = LogRecords.recordLength(bodyLength);
            assertEquals(length, records.check(heap, 8, LENGTH, POSITION));
            assertEquals(length, records.check(part, 8, LENGTH, POSITION));
            assertEquals(LogRecords.DAMAGED, records.check(heap, 8, 8 + length - 1, POSITION), "cut off");
            assertEquals(LogRecords.DAMAGED, records.check(heap, 8, LENGTH, POSITION + 8), "of another position");
            assertEquals(7, LogRecords.kind(part, 8));
            assertEquals(SYNCED, LogRecords.synced(part, 8));
            final int headerEnd = 8 + LogRecords.HEADER_LENGTH;
            assertEquals(length, records.checkHeader(heap, 8, headerEnd, POSITION), "only its header");
            assertEquals(bodyLength, LogRecords.bodyLength(part, 8));
        }
    }

    @Test
    void shouldHaveTheChecksumsOfTheFormat()
    {
        final byte[] body = {1, 2, 3};
        final UnsafeBuffer buffer = sealed(new UnsafeBuffer(ByteBuffer.allocateDirect(LENGTH)), 0, body);
        final UnsafeBuffer header = new UnsafeBuffer(new byte[28]);
        header.putInt(0, body.length);
        header.putInt(4, 7);
        header.putLong(8, SYNCED);
        header.putInt(16, crc(body));
        header.putLong(20, POSITION);
        assertEquals(crc(body), buffer.getInt(16));
        assertEquals(crc(header.byteArray()), LogRecords.checksum(buffer, 0));
        assertEquals(24, LogRecords.HEADER_LENGTH);
    }

    @Test
    void shouldDetectEveryFlippedBit()
    {
        final byte[] body = new byte[29];
        random.nextBytes(body);
        final UnsafeBuffer buffer = sealed(new UnsafeBuffer(new byte[LENGTH]), 0, body);
        final int length = LogRecords.recordLength(body.length);
        for (int bit = 0; bit < 8 * length; bit++)
        {
            final byte flipped = (byte)(buffer.getByte(bit / 8) ^ 1 << bit % 8);
            buffer.putByte(bit / 8, flipped);
            assertEquals(LogRecords.DAMAGED, records.check(buffer, 0, LENGTH, POSITION), "bit " + bit);
            buffer.putByte(bit / 8, (byte)(flipped ^ 1 << bit % 8));
        }
        assertEquals(length, records.check(buffer, 0, LENGTH, POSITION));
    }

    @Test
    void shouldFindNoRecordInZeros()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[LENGTH]);
        assertEquals(LogRecords.NONE, records.check(buffer, 0, LENGTH, POSITION));
        assertEquals(LogRecords.NONE, records.check(buffer, LENGTH - 8, LENGTH, POSITION));
        assertEquals(LogRecords.NONE, records.check(buffer, LENGTH, LENGTH, POSITION));
        buffer.putByte(LENGTH - 1, (byte)1);
        assertEquals(LogRecords.DAMAGED, records.check(buffer, LENGTH - 8, LENGTH, POSITION));
    }

    @Test
    void shouldCheckTheHeaderOfTheFile()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[LENGTH]);
        records.putFileHeader(buffer, 0, LogRecords.LOG);
        records.checkFileHeader(buffer, 0, LENGTH, LogRecords.LOG);
        assertEquals(2, buffer.getInt(12), "the kind of a log");
        assertEquals(LogRecords.FILE_KIND_OFFSET, assertThrows(DamagedRecordException.class,
            () -> records.checkFileHeader(buffer, 0, LENGTH, LogRecords.SNAPSHOT)).offset());
        buffer.putByte(3, (byte)0);
        assertThrows(DamagedRecordException.class,
            () -> records.checkFileHeader(buffer, 0, LENGTH, LogRecords.LOG));
    }

    private static int crc(final byte[] covered)
    {
        final CRC32C crc = new CRC32C();
        crc.update(covered);
        return (int)crc.getValue();
    }

    private UnsafeBuffer sealed(final UnsafeBuffer buffer, final int offset, final byte[] body)
    {
        // Bytes of an older record, which the padding must not keep.
        buffer.setMemory(offset, LogRecords.recordLength(body.length), (byte)-1);
        buffer.putBytes(offset + LogRecords.HEADER_LENGTH, body);
        assertEquals(
            LogRecords.recordLength(body.length), records.seal(buffer, offset, 7, body.length, SYNCED, POSITION));
        return buffer;
    }
}
