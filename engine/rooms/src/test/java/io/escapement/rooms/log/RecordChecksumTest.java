package io.escapement.rooms.log;

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
        final int expected = crc(Arrays.copyOfRange(bytes, OFFSET, OFFSET + LogRecords.FILE_CHECK_OFFSET));
        assertEquals(expected, checksum.ofFileHeader(heap, OFFSET));
        assertEquals(expected, checksum.ofFileHeader(direct, OFFSET));
    }

    @Test
    void shouldCoverTheHeaderOfARecordWithItsPosition()
    {
        final byte[] covered = Arrays.copyOfRange(bytes, OFFSET, OFFSET + LogRecords.HEADER_LENGTH - 4 + Long.BYTES);
        new UnsafeBuffer(covered).putLong(LogRecords.HEADER_LENGTH - 4, 0x4000_0000_0000_eeffL);
        for (final UnsafeBuffer buffer : new UnsafeBuffer[]{heap, direct, address})
        {
            assertEquals(crc(covered), checksum.ofRecordHeader(buffer, OFFSET, 0x4000_0000_0000_eeffL));
        }
    }

    @Test
    void shouldCoverABodyAndAProposalWithoutItsChecksum()
    {
        final int check = OFFSET + 17;
        final byte[] body = Arrays.copyOfRange(bytes, OFFSET, OFFSET + LENGTH);
        final byte[] around = new byte[LENGTH - Integer.BYTES];
        System.arraycopy(bytes, OFFSET, around, 0, check - OFFSET);
        System.arraycopy(bytes, check + Integer.BYTES, around, check - OFFSET, around.length - check + OFFSET);
        for (final UnsafeBuffer buffer : new UnsafeBuffer[]{heap, direct, address})
        {
            assertEquals(crc(body), checksum.ofBytes(buffer, OFFSET, LENGTH));
            assertEquals(crc(around), checksum.ofBytesAround(buffer, OFFSET, LENGTH, check));
        }
    }

    private static int crc(final byte[] covered)
    {
        final CRC32C crc = new CRC32C();
        crc.update(covered);
        return (int)crc.getValue();
    }
}
