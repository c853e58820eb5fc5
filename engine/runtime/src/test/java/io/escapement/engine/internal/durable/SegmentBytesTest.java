package io.escapement.engine.internal.durable;

import io.escapement.rooms.log.LogRecords;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A segment read in parts has the same records as one that is in memory as a whole. */
final class SegmentBytesTest
{
    private static final long START = 4_096;
    private static final int KIND = 66;
    private static final int RECORDS = 400;
    private static final int SHORT_LENGTH = 12_000;
    private static final int LONG_LENGTH = SegmentBytes.PART_LENGTH + 1_000;
    private static final int CAPACITY = 16 * 1_024 * 1_024;
    private static final int DAMAGES = 200;

    private final long seed = Tests.seed();
    private final Random random = new Random(seed);
    private final LogRecords records = new LogRecords();
    private final UnsafeBuffer whole = new UnsafeBuffer(ByteBuffer.allocateDirect(CAPACITY));
    private final List<Integer> offsets = new ArrayList<>();
    private final SegmentBytes bytes = new SegmentBytes();
    private int length;

    @AfterEach
    void close()
    {
        bytes.close();
    }

    @Test
    void shouldReadRecordsOverTheEndsOfParts() throws IOException
    {
        for (int i = 0; i < RECORDS; i++)
        {
            add(random.nextInt(SHORT_LENGTH));
        }
        assertTrue(length > 3 * SegmentBytes.PART_LENGTH, "seed " + seed);
        open();
        shouldHaveTheRecords();
        // Once more from the front, as a run follows a scan.
        shouldHaveTheRecords();
    }

    /** Of the length of a part to the byte, one less and one more, and longer than memory was made for. */
    @Test
    void shouldReadRecordsAsLongAsAPart() throws IOException
    {
        final int body = SegmentBytes.PART_LENGTH - LogRecords.HEADER_LENGTH;
        for (final int bodyLength : new int[] {body - 8, body, body + 8, 1, LONG_LENGTH, 0, LONG_LENGTH * 2, body})
        {
            add(bodyLength);
        }
        open();
        shouldHaveTheRecords();
    }

    /** At each offset, as a search behind damage does. A length that is damaged has no memory made for it. */
    @Test
    void shouldFindTheSameBehindDamage() throws IOException
    {
        for (int i = 0; i < RECORDS / 2; i++)
        {
            add(random.nextInt(SHORT_LENGTH));
        }
        for (int i = 0; i < DAMAGES; i++)
        {
            final int offset = random.nextInt(length);
            whole.putByte(offset, (byte)(whole.getByte(offset) ^ 1 << random.nextInt(Byte.SIZE)));
        }
        length -= random.nextInt(SHORT_LENGTH);
        open();
        for (int offset = 0; offset < length; offset += LogRecords.ALIGNMENT)
        {
            assertEquals(records.check(whole, offset, length, START + offset), bytes.check(offset),
                "offset " + offset + ", seed " + seed);
            assertEquals(isZero(offset), bytes.isZero(offset), "offset " + offset + ", seed " + seed);
        }
        assertEquals(SegmentBytes.PART_LENGTH, bytes.buffer().capacity(), "seed " + seed);
    }

    @Test
    void shouldRefuseAFileLongerThanASegment()
    {
        assertThrows(JournalException.class,
            () -> bytes.open(new MemoryFile(1L + Integer.MAX_VALUE), "a file", START));
    }

    private void add(final int bodyLength)
    {
        final int offset = length;
        for (int i = 0; i < bodyLength; i++)
        {
            whole.putByte(offset + LogRecords.HEADER_LENGTH + i, (byte)random.nextInt());
        }
        length += records.seal(whole, offset, KIND, bodyLength, 0, START + offset);
        offsets.add(offset);
    }

    private void open() throws IOException
    {
        bytes.open(new MemoryFile(length), "a file", START);
    }

    private void shouldHaveTheRecords() throws IOException
    {
        for (int i = 0; i < offsets.size(); i++)
        {
            final int offset = offsets.get(i);
            final int end = i + 1 < offsets.size() ? offsets.get(i + 1) : length;
            assertEquals(end - offset, bytes.check(offset), "offset " + offset + ", seed " + seed);
            assertEquals(0, new UnsafeBuffer(whole, offset, end - offset)
                .compareTo(new UnsafeBuffer(bytes.buffer(), bytes.index(offset), end - offset)), "seed " + seed);
        }
        assertEquals(LogRecords.NONE, bytes.check(length));
    }

    private boolean isZero(final int offset)
    {
        for (int i = offset; i < Math.min(offset + Long.BYTES, length); i++)
        {
            if (0 != whole.getByte(i))
            {
                return false;
            }
        }
        return true;
    }

    /** The records in memory as a file. */
    private final class MemoryFile implements JournalFile
    {
        private final long fileLength;

        MemoryFile(final long fileLength)
        {
            this.fileLength = fileLength;
        }

        @Override
        public void read(final ByteBuffer target, final long offset)
        {
            assertTrue(offset + target.remaining() <= fileLength, "no byte behind the end");
            whole.getBytes((int)offset, target, target.remaining());
        }

        @Override
        public long length()
        {
            return fileLength;
        }

        @Override
        public void write(final ByteBuffer source, final long offset)
        {
            throw new UnsupportedOperationException();
        }

        @Override
        public void truncate(final long newLength)
        {
            throw new UnsupportedOperationException();
        }

        @Override
        public void force()
        {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close()
        {
            // Memory needs no end.
        }
    }
}
