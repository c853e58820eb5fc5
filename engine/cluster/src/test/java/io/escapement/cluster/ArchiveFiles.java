package io.escapement.cluster;

import io.aeron.archive.codecs.CatalogHeaderEncoder;
import io.aeron.archive.codecs.RecordingDescriptorEncoder;
import io.aeron.archive.codecs.RecordingDescriptorHeaderEncoder;
import io.aeron.archive.codecs.RecordingState;
import io.aeron.protocol.DataHeaderFlyweight;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import static java.nio.ByteOrder.LITTLE_ENDIAN;

/** The files of an archive with one recording, in the format of Aeron Archive, written as a test needs them. */
final class ArchiveFiles
{
    static final int TERM_LENGTH = 1_024 * 1_024;
    static final int SEGMENT_LENGTH = 4 * TERM_LENGTH;
    static final int INITIAL_TERM_ID = 77;
    static final int STREAM_ID = 100;
    static final int SESSION_ID = 1_234;
    static final int PAGE_LENGTH = 4_096;

    static final int RECORDING_ID = 3;
    private static final int CATALOG_LENGTH = 64 * 1_024;

    private final Path directory;
    private final long base;
    private final byte[] bytes = new byte[SEGMENT_LENGTH];
    private final UnsafeBuffer segment = new UnsafeBuffer(bytes);
    private final List<Integer> frames = new ArrayList<>();
    private final CRC32C crc = new CRC32C();
    private int end;
    private boolean hasChecksums = true;

    ArchiveFiles(final Path directory, final long base)
    {
        this.directory = directory;
        this.base = base;
    }

    ArchiveFiles withoutChecksums()
    {
        hasChecksums = false;
        return this;
    }

    /** Write the catalog, with a stop position that is negative while the recording is active. */
    ArchiveFiles catalog(final long startPosition, final long stopPosition)
    {
        final UnsafeBuffer catalog = new UnsafeBuffer(new byte[CATALOG_LENGTH]);
        new CatalogHeaderEncoder().wrap(catalog, 0)
            .version(0x030100).length(CatalogHeaderEncoder.BLOCK_LENGTH).nextRecordingId(4).alignment(64);
        int offset = CatalogHeaderEncoder.BLOCK_LENGTH;
        // One that was stopped comes first, and has no files.
        for (int id = RECORDING_ID - 1; id <= RECORDING_ID; id++)
        {
            final RecordingDescriptorEncoder recording = new RecordingDescriptorEncoder()
                .wrap(catalog, offset + RecordingDescriptorHeaderEncoder.BLOCK_LENGTH)
                .recordingId(id).startPosition(startPosition)
                .stopPosition(RECORDING_ID == id ? stopPosition : 64)
                .initialTermId(INITIAL_TERM_ID).segmentFileLength(SEGMENT_LENGTH).termBufferLength(TERM_LENGTH)
                .mtuLength(1_408).sessionId(SESSION_ID).streamId(STREAM_ID)
                .strippedChannel("aeron:ipc").originalChannel("aeron:ipc").sourceIdentity("aeron:ipc");
            final int length = BitUtil.align(
                RecordingDescriptorHeaderEncoder.BLOCK_LENGTH + recording.encodedLength(), 64) -
                RecordingDescriptorHeaderEncoder.BLOCK_LENGTH;
            new RecordingDescriptorHeaderEncoder().wrap(catalog, offset).length(length).state(RecordingState.VALID);
            offset += RecordingDescriptorHeaderEncoder.BLOCK_LENGTH + length;
        }
        write(directory.resolve("archive.catalog"), catalog.byteArray());
        return this;
    }

    /** Begin behind the start of the segment. */
    ArchiveFiles from(final int offset)
    {
        end = offset;
        return this;
    }

    /** Append frames of one length until the next would end behind an offset, and pad the ends of terms. */
    ArchiveFiles fill(final int untilOffset, final int frameLength, final Random random)
    {
        final int length = BitUtil.align(frameLength, 32);
        while (end + length <= untilOffset)
        {
            final int left = TERM_LENGTH - end % TERM_LENGTH;
            if (left < length)
            {
                frame(DataHeaderFlyweight.HDR_TYPE_PAD, left, random);
            }
            else
            {
                frame(DataHeaderFlyweight.HDR_TYPE_DATA, frameLength, random);
            }
        }
        return this;
    }

    /** Append a frame of random bytes. */
    ArchiveFiles frame(final int type, final int frameLength, final Random random)
    {
        if (DataHeaderFlyweight.HDR_TYPE_DATA == type)
        {
            for (int i = DataHeaderFlyweight.HEADER_LENGTH; i < frameLength; i++)
            {
                // Without zeros, so that every torn byte is another one.
                bytes[end + i] = (byte)(1 + random.nextInt(255));
            }
        }
        return endFrame(type, frameLength);
    }

    /** Append a message in one frame. */
    ArchiveFiles message(final DirectBuffer message, final int length)
    {
        segment.putBytes(end + DataHeaderFlyweight.HEADER_LENGTH, message, 0, length);
        return endFrame(DataHeaderFlyweight.HDR_TYPE_DATA, DataHeaderFlyweight.HEADER_LENGTH + length);
    }

    private ArchiveFiles endFrame(final int type, final int frameLength)
    {
        final int alignedLength = BitUtil.align(frameLength, 32);
        final long position = base + end;
        segment.putInt(end, frameLength, LITTLE_ENDIAN);
        segment.putByte(end + DataHeaderFlyweight.FLAGS_FIELD_OFFSET, (byte)0xC0);
        segment.putShort(end + DataHeaderFlyweight.TYPE_FIELD_OFFSET, (short)type, LITTLE_ENDIAN);
        segment.putInt(
            end + DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET, (int)(position % TERM_LENGTH), LITTLE_ENDIAN);
        segment.putInt(end + DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET, STREAM_ID, LITTLE_ENDIAN);
        segment.putInt(end + DataHeaderFlyweight.TERM_ID_FIELD_OFFSET,
            INITIAL_TERM_ID + (int)(position / TERM_LENGTH), LITTLE_ENDIAN);
        int session = SESSION_ID;
        if (DataHeaderFlyweight.HDR_TYPE_DATA == type)
        {
            crc.reset();
            crc.update(bytes, end + DataHeaderFlyweight.HEADER_LENGTH,
                alignedLength - DataHeaderFlyweight.HEADER_LENGTH);
            session = hasChecksums ? (int)crc.getValue() : SESSION_ID;
        }
        segment.putInt(end + DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET, session, LITTLE_ENDIAN);
        frames.add(end);
        end += alignedLength;
        return this;
    }

    /** Write the segment, without the bytes from an offset on, as a kill leaves it. */
    Path writeUpTo(final int offset)
    {
        final byte[] torn = new byte[SEGMENT_LENGTH];
        System.arraycopy(bytes, 0, torn, 0, offset);
        return write(file(), torn);
    }

    Path file()
    {
        return directory.resolve(RECORDING_ID + "-" + base + ".rec");
    }

    /** Offset behind the last frame. */
    int end()
    {
        return end;
    }

    /** Offset of the last frame that begins before an offset. */
    int frameBefore(final int offset)
    {
        int last = -1;
        for (final int frame : frames)
        {
            last = frame < offset ? frame : last;
        }
        return last;
    }

    /** The segment up to an offset, and zeros behind it. */
    byte[] expected(final int offset)
    {
        final byte[] expected = new byte[SEGMENT_LENGTH];
        System.arraycopy(bytes, 0, expected, 0, offset);
        return expected;
    }

    static Path write(final Path file, final byte[] content)
    {
        try
        {
            return Files.write(file, content);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
