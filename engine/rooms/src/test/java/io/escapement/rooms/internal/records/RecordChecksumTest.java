package io.escapement.rooms.internal.records;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Compares with checksums over the bytes of a file, so that a writer and a reader cannot be wrong together. */
class RecordChecksumTest
{
    private static final int OFFSET = 24;
    private static final int LENGTH = 20_000;

    private final RecordChecksum checksum = new RecordChecksum();
    private final byte[] bytes = new byte[OFFSET + LENGTH];
    private final UnsafeBuffer heap = new UnsafeBuffer(bytes);
    private final UnsafeBuffer direct = new UnsafeBuffer(ByteBuffer.allocateDirect(bytes.length));
    private final UnsafeBuffer address = new UnsafeBuffer(direct.addressOffset(), bytes.length);

    RecordChecksumTest()
    {
        for (int i = 0; i < bytes.length; i++)
        {
            bytes[i] = (byte)(i * 31 + (i >> 8));
        }
        direct.putBytes(0, bytes);
    }

    @Test
    void shouldCoverAFileHeaderUpToItsChecksum()
    {
        final int expected = crc(Arrays.copyOfRange(bytes, OFFSET, OFFSET + RecordHeader.FILE_CHECK_OFFSET));
        assertEquals(expected, checksum.ofFileHeader(heap, OFFSET));
        assertEquals(expected, checksum.ofFileHeader(direct, OFFSET));
    }

    @Test
    void shouldCoverTheHeaderOfARecordAndItsBody()
    {
        final byte[] header = {0x20, 0x4e, 0, 0, 0x7, 0, 0, 0, (byte)0xff, (byte)0xee, 0, 0, 0, 0, 0, 0x40};
        final byte[] record = Arrays.copyOf(header, header.length + LENGTH);
        System.arraycopy(bytes, OFFSET, record, header.length, LENGTH);
        for (final UnsafeBuffer buffer : new UnsafeBuffer[]{heap, direct, address})
        {
            assertEquals(crc(header), checksum.ofRecordHeader(LENGTH, 7, 0x4000_0000_0000_eeffL));
            assertEquals(crc(record), checksum.ofRecordBody(buffer, OFFSET, LENGTH));
        }
    }

    private static int crc(final byte[] covered)
    {
        final CRC32C crc = new CRC32C();
        crc.update(covered);
        return (int)crc.getValue();
    }
}
