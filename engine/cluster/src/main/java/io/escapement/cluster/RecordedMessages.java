package io.escapement.cluster;

import io.aeron.BufferBuilder;
import io.aeron.archive.client.AeronArchive;
import io.aeron.logbuffer.FrameDescriptor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.BufferUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import static io.aeron.protocol.DataHeaderFlyweight.HEADER_LENGTH;

/**
 * The messages of a recording in order, read from the files of an archive that does not run. If the archive ended while
 * it recorded, the first frame of the last segment that is not whole is the end, as at a start.
 */
final class RecordedMessages implements AutoCloseable
{
    private final Path archive;
    private final CatalogEntry recording;
    private final long from;
    private final long lastSegment;
    private final BufferBuilder builder = new BufferBuilder();
    private final UnsafeBuffer segment = new UnsafeBuffer();
    private MappedByteBuffer mapped;
    private long base;
    private long position;
    private DirectBuffer buffer;
    private int offset;
    private int length;

    /**
     * Begin in front of the first message.
     *
     * @param archive   directory of it.
     * @param recording of this archive.
     * @param from      position of the first message to read.
     */
    RecordedMessages(final Path archive, final CatalogEntry recording, final long from)
    {
        this.archive = archive;
        this.recording = recording;
        this.from = from;
        lastSegment = recording.lastSegment(archive);
        rewind();
    }

    /** Return to the position before the first message. */
    void rewind()
    {
        close();
        position = from;
        builder.reset();
    }

    /**
     * Move to the next message.
     *
     * @return false after the last.
     * @throws IllegalStateException that names the damaged file.
     */
    boolean next()
    {
        while (hasFrame())
        {
            final int frame = (int)(position - base);
            position += CatalogEntry.alignedLength(segment, frame);
            if (!CatalogEntry.isPadding(segment, frame) && isMessage(frame))
            {
                return true;
            }
        }
        return false;
    }

    /** The buffer with the message, until the next call of {@link #next()}. */
    DirectBuffer buffer()
    {
        return buffer;
    }

    int offset()
    {
        return offset;
    }

    int length()
    {
        return length;
    }

    /** Whether the end of the recording is known. */
    boolean isStopped()
    {
        return recording.isStopped();
    }

    /** Release the memory for reading. */
    @Override
    public void close()
    {
        BufferUtil.free(mapped);
        mapped = null;
    }

    /** Take a frame. Returns whether it completes a message. */
    private boolean isMessage(final int frame)
    {
        final int flags = FrameDescriptor.frameFlags(segment, frame);
        final int frameLength = FrameDescriptor.frameLength(segment, frame);
        if (FrameDescriptor.UNFRAGMENTED == (byte)flags)
        {
            set(segment, frame + HEADER_LENGTH, frameLength - HEADER_LENGTH);
            return true;
        }
        if (0 != (flags & FrameDescriptor.BEGIN_FRAG_FLAG))
        {
            builder.reset();
        }
        builder.append(segment, frame + HEADER_LENGTH, frameLength - HEADER_LENGTH);
        set(builder.buffer(), 0, builder.limit());
        return 0 != (flags & FrameDescriptor.END_FRAG_FLAG);
    }

    private void set(final DirectBuffer messages, final int messageOffset, final int messageLength)
    {
        buffer = messages;
        offset = messageOffset;
        length = messageLength;
    }

    private boolean hasFrame()
    {
        if (recording.isStopped() && position >= recording.stopPosition())
        {
            return false;
        }
        if (null == mapped || position >= base + recording.segmentLength())
        {
            close();
            base = AeronArchive.segmentFileBasePosition(
                recording.startPosition(), position, recording.termLength(), recording.segmentLength());
            if (!recording.isStopped() && base > lastSegment)
            {
                return false;
            }
            map(recording.segment(archive, base));
        }
        if (recording.hasFrame(segment, base, (int)(position - base)))
        {
            return true;
        }
        if (recording.isStopped() || base != lastSegment)
        {
            throw new IllegalStateException(recording.segment(archive, base) + ": damaged at " + (position - base));
        }
        return false;
    }

    private void map(final Path file)
    {
        if (!Files.exists(file))
        {
            throw new IllegalStateException(file + ": a part of the log is missing");
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ))
        {
            mapped = channel.map(
                FileChannel.MapMode.READ_ONLY, 0, Math.min(recording.segmentLength(), channel.size()));
            segment.wrap(mapped);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(file + ": cannot be read: " + ex, ex);
        }
    }
}
