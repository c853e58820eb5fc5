package io.escapement.rooms.internal.loop;

import io.escapement.rooms.StateHash;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** The queue against a list, with bursts that make it move and grow. */
class CommandFifoTwinTest
{
    private static final long SEED = 5_105;

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final UnsafeBuffer source = new UnsafeBuffer(new byte[2_048]);

    @Test
    void shouldHoldWhatAListHolds()
    {
        for (int round = 0; round < 20; round++)
        {
            final CommandFifo fifo = new CommandFifo();
            final List<byte[]> twin = new ArrayList<>();
            int sent = 0;
            long last = 0;
            int length = 0;
            for (int step = 0; step < 6_000; step++)
            {
                // Bursts, then phases in which the queue empties.
                final int dice = random.nextInt(0 == (step / 500 & 1) ? 5 : 9);
                if (dice < 3)
                {
                    final byte[] command = new byte[random.nextInt(4) == 0 ? random.nextInt(2_000) : 30];
                    random.nextBytes(command);
                    source.putBytes(8, command);
                    fifo.add(source, 8, command.length);
                    twin.add(command);
                    last++;
                    length += CommandFifo.entryLength(command.length);
                }
                else if (3 == dice && sent < twin.size())
                {
                    assertEquals(last - twin.size() + sent + 1, fifo.unsentNumber(), this::seed);
                    assertCommand(twin.get(sent), fifo.buffer(), fifo.unsentOffset(), fifo.unsentLength());
                    fifo.sent();
                    sent++;
                }
                else if (4 == dice && 0 == random.nextInt(20))
                {
                    fifo.sendAgain();
                    sent = 0;
                }
                else if (dice >= 4 && !twin.isEmpty())
                {
                    assertCommand(twin.get(0), fifo.buffer(), fifo.oldestOffset(), fifo.oldestLength());
                    length -= CommandFifo.entryLength(twin.remove(0).length);
                    fifo.drop();
                    sent = Math.max(0, sent - 1);
                }
                assertEquals(twin.size(), fifo.count(), this::seed);
                assertEquals(twin.size() - sent, fifo.unsent(), this::seed);
                assertEquals(length, fifo.length(), this::seed);
                assertEquals(last, fifo.last(), this::seed);
            }
            assertEquals(hash(last, twin), hash(fifo), this::seed);
        }
    }

    private static long hash(final CommandFifo fifo)
    {
        final StateHash hash = new StateHash();
        fifo.write(hash);
        return hash.value();
    }

    private static long hash(final long last, final List<byte[]> twin)
    {
        final StateHash hash = new StateHash();
        hash.putLong(last);
        hash.putInt(twin.size());
        twin.forEach((command) -> hash.putBytes(new UnsafeBuffer(command), 0, command.length));
        return hash.value();
    }

    private void assertCommand(final byte[] expected, final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] actual = new byte[length];
        buffer.getBytes(offset, actual);
        assertArrayEquals(expected, actual, this::seed);
    }

    private String seed()
    {
        return "seed " + SEED;
    }
}
