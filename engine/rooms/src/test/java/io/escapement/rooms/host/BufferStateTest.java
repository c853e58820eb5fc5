package io.escapement.rooms.host;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A state is read back as it was written, and not beyond its end. */
class BufferStateTest
{
    private final BufferStateWriter writer = new BufferStateWriter();
    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[]{1, 2, 3, 4, 5});

    @Test
    void shouldReadWhatWasWritten()
    {
        writer.putLong(-7);
        writer.reset();
        writer.putInt(Integer.MIN_VALUE);
        writer.putBoolean(true);
        writer.putBoolean(false);
        writer.putDouble(-0.5);
        writer.putBytes(bytes, 1, 3);
        final BufferStateReader reader = new BufferStateReader(writer.buffer(), 0, writer.length());
        assertEquals(Integer.MIN_VALUE, reader.getInt());
        assertTrue(reader.getBoolean());
        assertEquals(false, reader.getBoolean());
        assertEquals(-0.5, reader.getDouble());
        final UnsafeBuffer read = new UnsafeBuffer(new byte[8]);
        assertEquals(3, reader.getBytes(read, 2));
        assertEquals(0x0004_0302_0000L, read.getLong(0));
        assertEquals(0, reader.remaining());
    }

    /** Behind the state are bytes of the next record. */
    @Test
    void shouldRefuseToReadBeyondTheEnd()
    {
        writer.putLong(3);
        writer.putLong(-1);
        final UnsafeBuffer read = new UnsafeBuffer(new byte[64]);
        final BufferStateReader reader = new BufferStateReader(writer.buffer(), 0, Long.BYTES + 2);
        final Exception refusal = assertThrows(IllegalStateException.class, () -> reader.getBytes(read, 0));
        assertTrue(refusal.getMessage().contains("of 3 bytes") && refusal.getMessage().contains("with 2 left"),
            refusal::getMessage);
        assertThrows(IllegalStateException.class, reader::getLong);
        assertThrows(IllegalStateException.class,
            () -> new BufferStateReader(writer.buffer(), Long.BYTES, Long.BYTES).getBytes(read, 0), "a length of -1");
        assertThrows(ArithmeticException.class, () -> new BufferStateReader(bigNumber(), 0, Long.BYTES).getInt());
    }

    @Test
    void shouldReadBytesWithTheArgumentsThatWroteThem()
    {
        writer.putBytes(bytes, 1, 3);
        writer.putBytes(bytes, 0, 0);
        writer.putLong(7);
        final UnsafeBuffer read = new UnsafeBuffer(new byte[8]);
        final BufferStateReader reader = new BufferStateReader(writer.buffer(), 0, writer.length());
        reader.getBytes(read, 2, 3);
        reader.getBytes(read, 8, 0);
        assertEquals(0x0004_0302_0000L, read.getLong(0));
        assertEquals(7, reader.getLong());
    }

    @Test
    void shouldRefuseBytesOfAnotherLength()
    {
        writer.putBytes(bytes, 1, 3);
        final UnsafeBuffer read = new UnsafeBuffer(new byte[8]);
        for (final int length : new int[]{-1, 0, 2, 4, 8})
        {
            final Exception refusal = assertThrows(IllegalStateException.class,
                () -> new BufferStateReader(writer.buffer(), 0, writer.length()).getBytes(read, 0, length));
            assertEquals("read of " + length + " bytes where 3 bytes were written", refusal.getMessage());
        }
        final Exception refusal = assertThrows(IllegalStateException.class,
            () -> new BufferStateReader(writer.buffer(), 0, Long.BYTES + 2).getBytes(read, 0, 3));
        assertEquals("read of 3 bytes past the end of a state with 2 left", refusal.getMessage());
        assertEquals(0, read.getLong(0), "the destination is as it was");
    }

    private static UnsafeBuffer bigNumber()
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[Long.BYTES]);
        buffer.putLong(0, 1L << 31);
        return buffer;
    }
}
