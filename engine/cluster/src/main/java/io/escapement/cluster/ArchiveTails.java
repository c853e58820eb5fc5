package io.escapement.cluster;

import io.aeron.archive.codecs.CatalogHeaderDecoder;
import io.aeron.archive.codecs.RecordingDescriptorDecoder;
import io.aeron.archive.codecs.RecordingDescriptorHeaderDecoder;
import io.aeron.archive.codecs.RecordingState;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.agrona.BitUtil;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import static io.aeron.logbuffer.FrameDescriptor.FRAME_ALIGNMENT;
import static io.aeron.protocol.DataHeaderFlyweight.HEADER_LENGTH;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Cuts off what a kill has left half written at the end of the recordings of an archive, before the archive starts. The
 * recording position has never covered it.
 *
 * <p>Only recordings without a stop position are touched, those that were written when the archive ended, and of those
 * the last segment. It is read from its first frame on; the first frame that does not continue the stream, or whose
 * CRC32C is wrong, ends it. Bytes behind the end are erased too: they are of a block that was never acknowledged, and
 * would come back to life when the recording has grown up to them.
 */
final class ArchiveTails
{
    private static final String CATALOG = "archive.catalog";
    private static final String SEGMENT_SUFFIX = ".rec";
    private static final long NO_POSITION = -1;
    private static final int IN_ORDER = -1;

    private final Path directory;
    private final List<String> repairs = new ArrayList<>();
    private final CRC32C crc = new CRC32C();

    private ArchiveTails(final Path directory)
    {
        this.directory = directory;
    }

    /**
     * Repair all recordings. Nobody else may use the archive.
     *
     * @param directory of the archive, which must have recorded with CRC32C checksums.
     * @return a line for each repaired file, for people.
     */
    static List<String> repair(final Path directory)
    {
        final ArchiveTails tails = new ArchiveTails(directory);
        try
        {
            tails.repairAll();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        return List.copyOf(tails.repairs);
    }

    private void repairAll() throws IOException
    {
        final Path catalog = directory.resolve(CATALOG);
        if (!Files.exists(catalog))
        {
            return;
        }
        final UnsafeBuffer buffer = new UnsafeBuffer(Files.readAllBytes(catalog));
        final RecordingDescriptorHeaderDecoder header = new RecordingDescriptorHeaderDecoder();
        final RecordingDescriptorDecoder recording = new RecordingDescriptorDecoder();
        int offset = CatalogHeaderDecoder.BLOCK_LENGTH;
        while (offset + RecordingDescriptorHeaderDecoder.BLOCK_LENGTH + RecordingDescriptorDecoder.BLOCK_LENGTH <=
            buffer.capacity())
        {
            header.wrap(buffer, offset, RecordingDescriptorHeaderDecoder.BLOCK_LENGTH,
                RecordingDescriptorHeaderDecoder.SCHEMA_VERSION);
            if (header.length() <= 0)
            {
                return;
            }
            recording.wrap(buffer, offset + RecordingDescriptorHeaderDecoder.BLOCK_LENGTH,
                RecordingDescriptorDecoder.BLOCK_LENGTH, RecordingDescriptorDecoder.SCHEMA_VERSION);
            if (RecordingState.VALID == header.state() && NO_POSITION == recording.stopPosition())
            {
                repair(recording);
            }
            offset += RecordingDescriptorHeaderDecoder.BLOCK_LENGTH + header.length();
        }
    }

    private void repair(final RecordingDescriptorDecoder recording) throws IOException
    {
        final long base = lastSegment(recording.recordingId());
        if (base < 0)
        {
            return;
        }
        final Path file = directory.resolve(recording.recordingId() + "-" + base + SEGMENT_SUFFIX);
        final int segmentLength = recording.segmentFileLength();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE))
        {
            final int length = (int)Math.min(segmentLength, channel.size());
            final int end = findEnd(channel, recording, base, length);
            if (end >= 0)
            {
                channel.truncate(end);
                // As the archive makes a segment: sparse, and of its full length.
                channel.write(ByteBuffer.wrap(new byte[1]), segmentLength - 1L);
                channel.force(true);
                repairs.add(file + ": cut off at " + end + " of " + length + " bytes");
            }
        }
    }

    /** Returns the offset at which to cut, negative if the segment is in order. */
    private int findEnd(
        final FileChannel channel, final RecordingDescriptorDecoder recording, final long base, final int length)
        throws IOException
    {
        if (0 == length)
        {
            return IN_ORDER;
        }
        final MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, length);
        try
        {
            final UnsafeBuffer segment = new UnsafeBuffer(mapped);
            final int end = walk(segment, mapped, recording, base);
            return isZero(segment, end) ? IN_ORDER : end;
        }
        finally
        {
            BufferUtil.free(mapped);
        }
    }

    private int walk(
        final UnsafeBuffer segment,
        final ByteBuffer bytes,
        final RecordingDescriptorDecoder recording,
        final long base)
    {
        final int termLength = recording.termBufferLength();
        final int termBits = LogBufferDescriptor.positionBitsToShift(termLength);
        final long startOffset = recording.startPosition() & (termLength - 1);
        int offset = recording.startPosition() - startOffset == base ? (int)startOffset : 0;
        while (offset <= segment.capacity() - HEADER_LENGTH)
        {
            final long position = base + offset;
            final int frameLength = segment.getInt(offset, LITTLE_ENDIAN);
            final int termOffset = (int)(position & (termLength - 1));
            final boolean isContinued = frameLength >= HEADER_LENGTH && frameLength <= termLength - termOffset &&
                segment.getInt(offset + DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET, LITTLE_ENDIAN) == termOffset &&
                segment.getInt(offset + DataHeaderFlyweight.TERM_ID_FIELD_OFFSET, LITTLE_ENDIAN) ==
                    recording.initialTermId() + (int)(position >>> termBits) &&
                segment.getInt(offset + DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET, LITTLE_ENDIAN) ==
                    recording.streamId();
            if (!isContinued || !isWhole(segment, bytes, offset, frameLength))
            {
                checkRecordedWithChecksums(segment, offset, isContinued, recording);
                return offset;
            }
            offset += BitUtil.align(frameLength, FRAME_ALIGNMENT);
        }
        return offset;
    }

    /** Whether the payload of a frame is the one that was recorded. Of padding only the header is recorded. */
    private boolean isWhole(
        final UnsafeBuffer segment, final ByteBuffer bytes, final int offset, final int frameLength)
    {
        final int type = segment.getShort(offset + DataHeaderFlyweight.TYPE_FIELD_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
        final int alignedLength = BitUtil.align(frameLength, FRAME_ALIGNMENT);
        if (alignedLength > segment.capacity() - offset)
        {
            return false;
        }
        if (DataHeaderFlyweight.HDR_TYPE_PAD == type)
        {
            return true;
        }
        crc.reset();
        bytes.limit(offset + alignedLength).position(offset + HEADER_LENGTH);
        crc.update(bytes);
        bytes.clear();
        return DataHeaderFlyweight.HDR_TYPE_DATA == type && (int)crc.getValue() ==
            segment.getInt(offset + DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET, LITTLE_ENDIAN);
    }

    /** With checksums the field of the session has the checksum. */
    private static void checkRecordedWithChecksums(
        final UnsafeBuffer segment,
        final int offset,
        final boolean isContinued,
        final RecordingDescriptorDecoder recording)
    {
        if (isContinued && recording.sessionId() ==
            segment.getInt(offset + DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET, LITTLE_ENDIAN))
        {
            throw new IllegalStateException("recording " + recording.recordingId() +
                " was made without CRC32C checksums, so its tail cannot be verified");
        }
    }

    private static boolean isZero(final UnsafeBuffer segment, final int from)
    {
        int i = from;
        for (; i <= segment.capacity() - Long.BYTES; i += Long.BYTES)
        {
            if (0 != segment.getLong(i))
            {
                return false;
            }
        }
        for (; i < segment.capacity(); i++)
        {
            if (0 != segment.getByte(i))
            {
                return false;
            }
        }
        return true;
    }

    /** Position of the last segment of a recording, negative if it has none. */
    private long lastSegment(final long recordingId) throws IOException
    {
        final String prefix = recordingId + "-";
        long last = NO_POSITION;
        try (Stream<Path> files = Files.list(directory))
        {
            for (final Path file : (Iterable<Path>)files::iterator)
            {
                final String name = file.getFileName().toString();
                if (name.startsWith(prefix) && name.endsWith(SEGMENT_SUFFIX))
                {
                    last = Math.max(last,
                        Long.parseLong(name.substring(prefix.length(), name.length() - SEGMENT_SUFFIX.length())));
                }
            }
        }
        return last;
    }
}
