package io.escapement.cluster;

import io.aeron.archive.CatalogView;
import io.aeron.archive.client.AeronArchive;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import static io.aeron.logbuffer.FrameDescriptor.FRAME_ALIGNMENT;
import static io.aeron.protocol.DataHeaderFlyweight.HEADER_LENGTH;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * A recording of an archive that does not run, and the checks of its frames. It was made with CRC32C checksums: each
 * frame contains a checksum instead of its session.
 *
 * @param recordingId   of the recording.
 * @param startPosition of its first frame.
 * @param stopPosition  after its last frame, negative if the archive ended while it recorded.
 * @param initialTermId of the stream.
 * @param segmentLength of its files.
 * @param termLength    of the stream.
 * @param sessionId     of the stream.
 * @param streamId      of the stream.
 */
record CatalogEntry(
    long recordingId,
    long startPosition,
    long stopPosition,
    int initialTermId,
    int segmentLength,
    int termLength,
    int sessionId,
    int streamId)
{
    private static final String CATALOG = "archive.catalog";
    private static final String SEGMENT_SUFFIX = ".rec";
    private static final long NO_POSITION = AeronArchive.NULL_POSITION;

    /** The recordings of an archive. Empty if it has no catalog. */
    static List<CatalogEntry> list(final Path archive)
    {
        final List<CatalogEntry> entries = new ArrayList<>();
        if (Files.exists(archive.resolve(CATALOG)))
        {
            CatalogView.listRecordings(archive.toFile(), (controlSessionId, correlationId, recordingId,
                startTimestamp, stopTimestamp, startPosition, stopPosition, initialTermId, segmentFileLength,
                termBufferLength, mtuLength, sessionId, streamId, strippedChannel, originalChannel, sourceIdentity) ->
                entries.add(new CatalogEntry(recordingId, startPosition, stopPosition, initialTermId,
                    segmentFileLength, termBufferLength, sessionId, streamId)));
        }
        return entries;
    }

    /** The recording with a number. */
    static CatalogEntry find(final Path archive, final long recordingId)
    {
        for (final CatalogEntry entry : list(archive))
        {
            if (recordingId == entry.recordingId)
            {
                return entry;
            }
        }
        throw new IllegalStateException(archive + ": has no recording " + recordingId);
    }

    boolean isStopped()
    {
        return NO_POSITION != stopPosition;
    }

    /** The segment that starts at a position. */
    Path segment(final Path archive, final long base)
    {
        return archive.resolve(recordingId + "-" + base + SEGMENT_SUFFIX);
    }

    /** Position of the last segment, negative without segments. */
    long lastSegment(final Path archive)
    {
        final String prefix = recordingId + "-";
        long last = NO_POSITION;
        try (Stream<Path> files = Files.list(archive))
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
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        return last;
    }

    /** Length of a frame with its padding. */
    static int alignedLength(final UnsafeBuffer segment, final int offset)
    {
        return BitUtil.align(segment.getInt(offset, LITTLE_ENDIAN), FRAME_ALIGNMENT);
    }

    static boolean isPadding(final UnsafeBuffer segment, final int offset)
    {
        return DataHeaderFlyweight.HDR_TYPE_PAD == type(segment, offset);
    }

    /**
     * Whether a frame continues the stream, and is whole.
     *
     * @param segment a mapped file.
     * @param base    position of the segment.
     * @param offset  of the frame in the segment.
     * @throws IllegalStateException if the recording was made without checksums.
     */
    boolean hasFrame(final UnsafeBuffer segment, final long base, final int offset)
    {
        if (offset > segment.capacity() - HEADER_LENGTH)
        {
            return false;
        }
        final long position = base + offset;
        final int frameLength = segment.getInt(offset, LITTLE_ENDIAN);
        final int termOffset = (int)(position & (termLength - 1));
        final boolean isContinued = frameLength >= HEADER_LENGTH && frameLength <= termLength - termOffset &&
            segment.getInt(offset + DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET, LITTLE_ENDIAN) == termOffset &&
            segment.getInt(offset + DataHeaderFlyweight.TERM_ID_FIELD_OFFSET, LITTLE_ENDIAN) ==
                initialTermId + (int)(position >>> LogBufferDescriptor.positionBitsToShift(termLength)) &&
            segment.getInt(offset + DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET, LITTLE_ENDIAN) == streamId;
        if (isContinued && isWhole(segment, offset))
        {
            return true;
        }
        // With checksums the field of the session has the checksum.
        if (isContinued &&
            segment.getInt(offset + DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET, LITTLE_ENDIAN) == sessionId)
        {
            throw new IllegalStateException("recording " + recordingId +
                " was made without CRC32C checksums, so its tail cannot be verified");
        }
        return false;
    }

    /** Whether the payload of a frame is as recorded. Of padding only the header is recorded. */
    private static boolean isWhole(final UnsafeBuffer segment, final int offset)
    {
        final int alignedLength = alignedLength(segment, offset);
        if (alignedLength > segment.capacity() - offset)
        {
            return false;
        }
        if (isPadding(segment, offset))
        {
            return true;
        }
        final CRC32C crc = new CRC32C();
        final ByteBuffer bytes = segment.byteBuffer();
        bytes.limit(offset + alignedLength).position(offset + HEADER_LENGTH);
        crc.update(bytes);
        bytes.clear();
        return DataHeaderFlyweight.HDR_TYPE_DATA == type(segment, offset) && (int)crc.getValue() ==
            segment.getInt(offset + DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET, LITTLE_ENDIAN);
    }

    private static int type(final UnsafeBuffer segment, final int offset)
    {
        return segment.getShort(offset + DataHeaderFlyweight.TYPE_FIELD_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }
}
