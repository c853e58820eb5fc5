package io.escapement.engine.internal.queue;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A queue with and without a pool of chunks, next to a naive twin. */
class ByteFifoTest
{
    private static final int CAPACITY = 1_024;
    private static final int CHUNKS = 4;
    private static final int STEPS = 20_000;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldGiveBackTheBytesOfEachMessageInOrder(final long seed)
    {
        final SplittableRandom random = new SplittableRandom(seed);
        final boolean isPooled = 0 == seed % 2;
        final ByteFifo queue = new ByteFifo(CAPACITY);
        final ChunkPool pool = new ChunkPool(CHUNKS * ChunkPool.CHUNK_LENGTH);
        final int limit = isPooled ? 3 * ChunkPool.CHUNK_LENGTH : CAPACITY;
        if (isPooled)
        {
            queue.pool(pool, limit);
        }
        final ArrayDeque<byte[]> twin = new ArrayDeque<>();
        int bytes = 0;
        for (int step = 0; step < STEPS; step++)
        {
            final boolean isFilling = step / 400 % 2 == 0;
            if (random.nextInt(10) < (isFilling ? 8 : 2))
            {
                final byte[] message = new byte[1 + random.nextInt(limit / 20)];
                random.nextBytes(message);
                final int at = queue.claim(message.length);
                if (ByteFifo.NO_ROOM == at)
                {
                    assertTrue(bytes + message.length > limit - ChunkPool.CHUNK_LENGTH, "seed " + seed);
                    continue;
                }
                queue.buffer().putBytes(at, message);
                twin.add(message);
                bytes += message.length;
            }
            else if (!twin.isEmpty())
            {
                final byte[] expected = twin.remove();
                assertTrue(queue.headEnd() - queue.head() >= expected.length, "seed " + seed + ": contiguous");
                final byte[] actual = new byte[expected.length];
                queue.headBuffer().getBytes(queue.head(), actual);
                assertArrayEquals(expected, actual, "seed " + seed);
                queue.drop(actual.length);
                bytes -= actual.length;
            }
            if (random.nextInt(2_000) == 0)
            {
                queue.clear();
                twin.clear();
                bytes = 0;
            }
            assertEquals(bytes, queue.size(), "seed " + seed);
            assertEquals(0 == bytes, queue.isEmpty(), "seed " + seed);
        }
        queue.clear();
        assertEquals(CHUNKS * ChunkPool.CHUNK_LENGTH, pool.free(), "all chunks are given back");
    }

    @Test
    void shouldTakeNoChunkForWhatItsOwnMemoryHolds()
    {
        final ByteFifo queue = new ByteFifo(CAPACITY);
        final ChunkPool pool = new ChunkPool(ChunkPool.CHUNK_LENGTH);
        queue.pool(pool, ChunkPool.CHUNK_LENGTH);
        for (int i = 0; i < 3 * CAPACITY; i++)
        {
            assertNotEquals(ByteFifo.NO_ROOM, queue.claim(10));
            assertEquals(ChunkPool.CHUNK_LENGTH, pool.free());
            queue.drop(10);
        }
    }

    @Test
    void shouldRefuseWhatThePoolHasNoChunkFor()
    {
        final ChunkPool pool = new ChunkPool(ChunkPool.CHUNK_LENGTH);
        final ByteFifo[] queues = {new ByteFifo(CAPACITY), new ByteFifo(CAPACITY)};
        Arrays.stream(queues).forEach((queue) -> queue.pool(pool, 2 * ChunkPool.CHUNK_LENGTH));
        assertNotEquals(ByteFifo.NO_ROOM, queues[0].claim(CAPACITY + 1));
        assertEquals(ByteFifo.NO_ROOM, queues[1].claim(CAPACITY + 1));
        assertNotEquals(ByteFifo.NO_ROOM, queues[1].claim(CAPACITY), "its own memory is left");
        queues[0].drop(CAPACITY + 1);
        assertNotEquals(ByteFifo.NO_ROOM, queues[1].claim(CAPACITY + 1));
    }

    @Test
    void shouldRefuseAMessageThatIsLongerThanAChunk()
    {
        final ByteFifo queue = new ByteFifo(CAPACITY);
        queue.pool(new ChunkPool(4 * ChunkPool.CHUNK_LENGTH), 4 * ChunkPool.CHUNK_LENGTH);
        assertEquals(ByteFifo.NO_ROOM, queue.claim(ChunkPool.CHUNK_LENGTH + 1));
        assertNotEquals(ByteFifo.NO_ROOM, queue.claim(ChunkPool.CHUNK_LENGTH));
    }
}
