package io.escapement.cluster;

import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Publication;
import io.aeron.cluster.codecs.MessageHeaderDecoder;
import io.aeron.cluster.codecs.SnapshotMark;
import io.aeron.cluster.codecs.SnapshotMarkerDecoder;
import io.aeron.logbuffer.FragmentHandler;
import io.escapement.rooms.loop.LoopLimits;
import java.nio.ByteBuffer;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * The snapshots of an engine's loops in the snapshot stream of its service: chunks of at most a fragment, each with a
 * number that counts over the whole stream, and an end.
 *
 * <pre>
 *   { loop:int32 | number:int32 | length of the loop's snapshot:int64 | bytes }  ...  { -1 | number | loops }
 * </pre>
 */
final class ClusterSnapshots
{
    /** Receives chunks, and copies them. */
    @FunctionalInterface
    interface Sink
    {
        void append(DirectBuffer buffer, int offset, int length);
    }

    private static final int LOOP = 0;
    private static final int NUMBER = 4;
    private static final int LENGTH = 8;
    private static final int HEADER_LENGTH = 16;
    private static final int END = -1;
    private static final int FRAGMENT_LIMIT = 64;

    private final UnsafeBuffer[] snapshots;
    private final IdleStrategy idle;
    private final UnsafeBuffer chunk = new UnsafeBuffer(new byte[64 * 1_024]);
    private int number;
    private int filled;
    private int fillingLoop = END;
    private boolean isComplete;

    ClusterSnapshots(final int loops, final IdleStrategy idle)
    {
        snapshots = new UnsafeBuffer[loops];
        this.idle = idle;
    }

    /** Write the snapshot of a loop, in chunks of a length at most. */
    void write(
        final Sink sink,
        final int maxChunkLength,
        final int loop,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final int most = Math.min(chunk.capacity(), maxChunkLength) - HEADER_LENGTH;
        int done = 0;
        do
        {
            final int size = Math.min(most, length - done);
            chunk.putBytes(HEADER_LENGTH, buffer, offset + done, size);
            send(sink, loop, length, HEADER_LENGTH + size);
            done += size;
        }
        while (done < length);
    }

    /** Write the end. */
    void writeEnd(final Sink sink)
    {
        send(sink, END, snapshots.length, HEADER_LENGTH);
    }

    /** Read the snapshots of all loops. */
    void read(final Image image)
    {
        final FragmentHandler handler = (buffer, offset, length, header) -> onChunk(buffer, offset, length);
        while (!isComplete)
        {
            final int fragments = image.poll(handler, FRAGMENT_LIMIT);
            if (0 == fragments && (image.isClosed() || image.isEndOfStream()))
            {
                throw new IllegalStateException("the snapshot ends behind chunk " + number);
            }
            idle.idle(fragments);
        }
        checkAll();
    }

    /** Read the snapshots of all loops from the recording of a node that does not run. */
    static List<DirectBuffer> read(final RecordedMessages messages)
    {
        long loops = 0;
        while (messages.next())
        {
            // The last chunk has it.
            loops = messages.length() < HEADER_LENGTH || END != messages.buffer().getInt(
                messages.offset() + LOOP, LITTLE_ENDIAN) ? 0 :
                messages.buffer().getLong(messages.offset() + LENGTH, LITTLE_ENDIAN);
        }
        check(loops > 0 && loops <= LoopLimits.MAX_LOOPS, "no end");
        final ClusterSnapshots snapshots = new ClusterSnapshots((int)loops, NoOpIdleStrategy.INSTANCE);
        final MessageHeaderDecoder header = new MessageHeaderDecoder();
        final SnapshotMarkerDecoder marker = new SnapshotMarkerDecoder();
        messages.rewind();
        boolean isBehindMarker = false;
        while (messages.next())
        {
            if (isBehindMarker)
            {
                snapshots.onChunk(messages.buffer(), messages.offset(), messages.length());
            }
            else if (SnapshotMarkerDecoder.TEMPLATE_ID ==
                header.wrap(messages.buffer(), messages.offset()).templateId())
            {
                // The cluster's own part is first.
                isBehindMarker = SnapshotMark.END ==
                    marker.wrapAndApplyHeader(messages.buffer(), messages.offset(), header).mark();
            }
        }
        snapshots.checkAll();
        return List.of(snapshots.snapshots);
    }

    /** The snapshot of a loop that was read. */
    DirectBuffer snapshot(final int loop)
    {
        return snapshots[loop];
    }

    void onChunk(final DirectBuffer buffer, final int offset, final int length)
    {
        check(length >= HEADER_LENGTH && !isComplete, "a chunk of " + length + " bytes");
        final int loop = buffer.getInt(offset + LOOP, LITTLE_ENDIAN);
        check(number == buffer.getInt(offset + NUMBER, LITTLE_ENDIAN), "chunk " + number + " is missing");
        number++;
        final long total = buffer.getLong(offset + LENGTH, LITTLE_ENDIAN);
        if (END == loop)
        {
            check(total == snapshots.length, total + " loops, this engine has " + snapshots.length);
            checkFilled();
            isComplete = true;
            return;
        }
        check(loop >= 0 && loop < snapshots.length, "loop " + loop + ", this engine has " + snapshots.length);
        if (null == snapshots[loop])
        {
            checkFilled();
            check(total > 0 && total <= Integer.MAX_VALUE, "a snapshot of " + total + " bytes");
            snapshots[loop] = new UnsafeBuffer(ByteBuffer.allocateDirect((int)total));
            fillingLoop = loop;
            filled = 0;
        }
        final int size = length - HEADER_LENGTH;
        check(loop == fillingLoop && size <= snapshots[loop].capacity() - filled, "more of loop " + loop);
        snapshots[loop].putBytes(filled, buffer, offset + HEADER_LENGTH, size);
        filled += size;
    }

    private void checkAll()
    {
        for (int i = 0; i < snapshots.length; i++)
        {
            check(null != snapshots[i], "no snapshot of loop " + i);
        }
    }

    private void checkFilled()
    {
        check(END == fillingLoop || filled == snapshots[fillingLoop].capacity(), "a part of loop " + fillingLoop);
    }

    /** A sink that offers to a publication until it takes the chunk. */
    Sink sink(final ExclusivePublication publication)
    {
        return (buffer, offset, length) ->
        {
            idle.reset();
            for (long position = publication.offer(buffer, offset, length); position < 0;
                position = publication.offer(buffer, offset, length))
            {
                check(Publication.BACK_PRESSURED == position || Publication.ADMIN_ACTION == position,
                    "the recording of the snapshot has ended: " + Publication.errorString(position));
                idle.idle();
            }
        };
    }

    private void send(final Sink sink, final int loop, final long total, final int length)
    {
        chunk.putInt(LOOP, loop, LITTLE_ENDIAN);
        chunk.putInt(NUMBER, number++, LITTLE_ENDIAN);
        chunk.putLong(LENGTH, total, LITTLE_ENDIAN);
        sink.append(chunk, 0, length);
    }

    private static void check(final boolean isTrue, final String message)
    {
        if (!isTrue)
        {
            throw new IllegalStateException("snapshot of the cluster: " + message);
        }
    }
}
