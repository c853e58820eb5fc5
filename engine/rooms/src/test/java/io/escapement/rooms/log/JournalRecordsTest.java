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
class JournalRecordsTest
{
    private static final int LENGTH = 512;
    private static final long POSITION = 123_456_789_000L;

    private final Random random = new Random(3);
    private final JournalRecords records = new JournalRecords();

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
            final int length = JournalRecords.recordLength(bodyLength);
            assertEquals(length, records.check(heap, 8, LENGTH, POSITION));
            assertEquals(length, records.check(part, 8, LENGTH, POSITION));
            assertEquals(JournalRecords.DAMAGED, records.check(heap, 8, 8 + length - 1, POSITION), "cut off");
            assertEquals(JournalRecords.DAMAGED, records.check(heap, 8, LENGTH, POSITION + 8), "of another position");
            assertEquals(7, JournalRecords.kind(part, 8));
            assertEquals(bodyLength, JournalRecords.bodyLength(part, 8));
        }
    }

    @Test
    void shouldHaveTheChecksumsOfTheFormat()
    {
        final byte[] body = {1, 2, 3};
        final UnsafeBuffer buffer = sealed(new UnsafeBuffer(ByteBuffer.allocateDirect(LENGTH)), 0, body);
        final CRC32C crc = new CRC32C();
        final UnsafeBuffer header = new UnsafeBuffer(new byte[16]);
        header.putInt(0, body.length);
        header.putInt(4, 7);
        header.putLong(8, POSITION);
        crc.update(header.byteArray());
        assertEquals((int)crc.getValue(), buffer.getInt(8));
        crc.update(body);
        assertEquals((int)crc.getValue(), JournalRecords.checksum(buffer, 0));
    }

    @Test
    void shouldDetectEveryFlippedBit()
    {
        final byte[] body = new byte[29];
        random.nextBytes(body);
        final UnsafeBuffer buffer = sealed(new UnsafeBuffer(new byte[LENGTH]), 0, body);
        final int length = JournalRecords.recordLength(body.length);
        for (int bit = 0; bit < 8 * length; bit++)
        {
            final byte flipped = (byte)(buffer.getByte(bit / 8) ^ 1 << bit % 8);
            buffer.putByte(bit / 8, flipped);
            assertEquals(JournalRecords.DAMAGED, records.check(buffer, 0, LENGTH, POSITION), "bit " + bit);
            buffer.putByte(bit / 8, (byte)(flipped ^ 1 << bit % 8));
        }
        assertEquals(length, records.check(buffer, 0, LENGTH, POSITION));
    }

    @Test
    void shouldFindNoRecordInZeros()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[LENGTH]);
        assertEquals(JournalRecords.NONE, records.check(buffer, 0, LENGTH, POSITION));
        assertEquals(JournalRecords.NONE, records.check(buffer, LENGTH - 8, LENGTH, POSITION));
        assertEquals(JournalRecords.NONE, records.check(buffer, LENGTH, LENGTH, POSITION));
        buffer.putByte(LENGTH - 1, (byte)1);
        assertEquals(JournalRecords.DAMAGED, records.check(buffer, LENGTH - 8, LENGTH, POSITION));
    }

    @Test
    void shouldCheckTheHeaderOfTheFile()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[LENGTH]);
        records.putFileHeader(buffer, 0);
        JournalRecords.checkFileHeader(buffer, 0, LENGTH);
        assertEquals(3, buffer.getInt(12), "the kind of a journal's file");
        assertThrows(DamagedRecordException.class, () -> JournalRecords.checkSnapshot(buffer, 0, LENGTH));
        buffer.putByte(3, (byte)0);
        assertThrows(DamagedRecordException.class, () -> JournalRecords.checkFileHeader(buffer, 0, LENGTH));
    }

    private UnsafeBuffer sealed(final UnsafeBuffer buffer, final int offset, final byte[] body)
    {
        // Bytes of an older record, which the padding must not keep.
        buffer.setMemory(offset, JournalRecords.recordLength(body.length), (byte)-1);
        buffer.putBytes(offset + JournalRecords.HEADER_LENGTH, body);
        assertEquals(
            JournalRecords.recordLength(body.length), records.seal(buffer, offset, 7, body.length, POSITION));
        return buffer;
    }
}
