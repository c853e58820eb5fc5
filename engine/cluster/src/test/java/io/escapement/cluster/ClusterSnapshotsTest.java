package io.escapement.cluster;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The chunks of a snapshot stream, without a stream. */
class ClusterSnapshotsTest
{
    private static final int LOOPS = 2;
    private static final int MOST = 100;

    private final UnsafeBuffer first = random(1_000);
    private final UnsafeBuffer second = random(84);
    private final List<UnsafeBuffer> chunks = new ArrayList<>();

    @Test
    void shouldReadWhatWasWritten()
    {
        write();
        final ClusterSnapshots read = read(LOOPS);
        assertEquals(first, read.snapshot(0));
        assertEquals(second, read.snapshot(1));
        assertTrue(chunks.size() > 10, "several chunks");
    }

    @Test
    void shouldRefuseAStreamWithoutOneOfItsChunks()
    {
        write();
        for (int i = 0; i < chunks.size() - 1; i++)
        {
            final UnsafeBuffer chunk = chunks.remove(i);
            assertThrows(IllegalStateException.class, () -> read(LOOPS), "without chunk " + i);
            chunks.add(i, chunk);
        }
        Collections.swap(chunks, 2, 3);
        assertThrows(IllegalStateException.class, () -> read(LOOPS), "in another order");
    }

    @Test
    void shouldRefuseTheSnapshotOfAnEngineWithOtherLoops()
    {
        write();
        assertTrue(assertThrows(IllegalStateException.class, () -> read(1)).getMessage().contains("loop 1"));
        assertTrue(assertThrows(IllegalStateException.class, () -> read(3)).getMessage().contains("2 loops"));
    }

    private void write()
    {
        final ClusterSnapshots snapshots = new ClusterSnapshots(LOOPS, NoOpIdleStrategy.INSTANCE);
        snapshots.write(this::add, MOST, 0, first, 0, first.capacity());
        snapshots.write(this::add, MOST, 1, second, 0, second.capacity());
        snapshots.writeEnd(this::add);
    }

    private ClusterSnapshots read(final int loops)
    {
        final ClusterSnapshots snapshots = new ClusterSnapshots(loops, NoOpIdleStrategy.INSTANCE);
        chunks.forEach((chunk) -> snapshots.onChunk(chunk, 0, chunk.capacity()));
        return snapshots;
    }

    private void add(final DirectBuffer buffer, final int offset, final int length)
    {
        final UnsafeBuffer copy = new UnsafeBuffer(new byte[length]);
        copy.putBytes(0, buffer, offset, length);
        chunks.add(copy);
    }

    private static UnsafeBuffer random(final int length)
    {
        final byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return new UnsafeBuffer(bytes);
    }
}
