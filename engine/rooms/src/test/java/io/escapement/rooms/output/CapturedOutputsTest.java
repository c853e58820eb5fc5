package io.escapement.rooms.output;

import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Captured output comes out as it went in, and equal output has equal bytes. */
class CapturedOutputsTest
{
    private static final UnsafeBuffer BYTES = new UnsafeBuffer(new byte[]{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});

    private final CapturedOutputs captured = new CapturedOutputs();

    @Test
    void shouldRepeatEveryCallInOrder()
    {
        fill(captured);
        final Noting noting = new Noting();
        captured.forEach(noting);
        assertEquals(List.of(
            "message -1 -2 1 3 -3 [2, 3, 4]", "link 4 []", "command [1]", "edge [1, 2, 3, 4, 5, 6, 7, 8]",
            "program [1, 2, 3, 4, 5, 6, 7, 8, 9]", "edge [12]"), noting.calls);

        // 18 numbers, and the bodies padded to 8 bytes.
        assertEquals(18 * Long.BYTES + 6 * Long.BYTES, captured.length());
        final CapturedOutputs copy = new CapturedOutputs();
        captured.forEach(copy);
        assertArrayEquals(bytes(captured), bytes(copy));
    }

    /** Bytes that an earlier, longer message left behind are not part of the output. */
    @Test
    void shouldBeEqualAfterAReset()
    {
        captured.toEdge(new UnsafeBuffer(new byte[]{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}), 0, 14);
        captured.toEdge(new UnsafeBuffer(new byte[]{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}), 0, 14);
        captured.reset();
        assertEquals(0, captured.length());
        final CapturedOutputs fresh = new CapturedOutputs();
        fill(captured);
        fill(fresh);
        assertArrayEquals(bytes(fresh), bytes(captured));
    }

    @Test
    void shouldGrowBeforeItIsNeeded()
    {
        captured.ensureCapacity(1_000_000);
        assertEquals(0, captured.length());
        // The bytes can be read to that length although none are captured yet.
        assertEquals(0, captured.buffer().getByte(999_999));
        assertThrows(IndexOutOfBoundsException.class, () -> new CapturedOutputs().buffer().getByte(999_999));
    }

    @Test
    void shouldCollectBytes()
    {
        final ByteSink sink = new ByteSink();
        sink.append(BYTES, 2, 3);
        sink.append(BYTES, 0, 1);
        assertArrayEquals(new byte[]{3, 4, 5, 1}, sink.toArray());
        assertEquals(4, sink.length());
        assertEquals(1, sink.buffer().getByte(3));
        sink.reset();
        sink.append(BYTES, 11, 1);
        assertArrayEquals(new byte[]{12}, sink.toArray());
    }

    private static void fill(final Outputs outputs)
    {
        outputs.message(-1, -2, 1, 3, -3, BYTES, 1, 3);
        outputs.flush();
        outputs.toLink(4, BYTES, 0, 0);
        outputs.onCommand(BYTES, 0, 1);
        outputs.toEdge(BYTES, 0, 8);
        outputs.toApplication(BYTES, 0, 9);
        outputs.toEdge(BYTES, 11, 1);
    }

    private static byte[] bytes(final CapturedOutputs outputs)
    {
        final byte[] bytes = new byte[outputs.length()];
        outputs.buffer().getBytes(0, bytes);
        return bytes;
    }

    private static final class Noting implements Outputs
    {
        private final List<String> calls = new ArrayList<>();

        @Override
        public void message(
            final int link,
            final long roomId,
            final int outputClass,
            final int audience,
            final long selector,
            final DirectBuffer buffer,
            final int offset,
            final int length)
        {
            note("message " + link + " " + roomId + " " + outputClass + " " + audience + " " + selector,
                buffer, offset, length);
        }

        @Override
        public void toLink(final int link, final DirectBuffer buffer, final int offset, final int length)
        {
            note("link " + link, buffer, offset, length);
        }

        @Override
        public void onCommand(final DirectBuffer buffer, final int offset, final int length)
        {
            note("command", buffer, offset, length);
        }

        @Override
        public void toEdge(final DirectBuffer buffer, final int offset, final int length)
        {
            note("edge", buffer, offset, length);
        }

        @Override
        public void toApplication(final DirectBuffer buffer, final int offset, final int length)
        {
            note("program", buffer, offset, length);
        }

        @Override
        public void flush()
        {
            calls.add("flush");
        }

        private void note(final String call, final DirectBuffer buffer, final int offset, final int length)
        {
            final List<Byte> bytes = new ArrayList<>();
            for (int i = 0; i < length; i++)
            {
                bytes.add(buffer.getByte(offset + i));
            }
            calls.add(call + " " + bytes);
        }
    }
}
