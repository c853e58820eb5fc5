package io.escapement.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Cuts off half-written frames that a kill has left at the end of an archive's recordings, before the archive starts.
 * The recording position has never covered it.
 *
 * <p>Only recordings without a stop position are touched: the archive was writing them when it stopped. Of each, the
 * last segment is read from its first frame on. The recording is cut at the first frame that does not continue the
 * stream or has a wrong CRC32C. Bytes after the cut are also erased. They belong to a block that was never
 * acknowledged, and would reappear once the recording has grown up to them.
 */
final class ArchiveTails
{
    private static final int IN_ORDER = -1;

    private final Path directory;
    private final List<String> repairs = new ArrayList<>();

    private ArchiveTails(final Path directory)
    {
        this.directory = directory;
    }

    /**
     * Repair all recordings. No other process may use the archive.
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
        for (final CatalogEntry recording : CatalogEntry.list(directory))
        {
            if (!recording.isStopped())
            {
                repair(recording);
            }
        }
    }

    private void repair(final CatalogEntry recording) throws IOException
    {
        final long base = recording.lastSegment(directory);
        if (base < 0)
        {
            return;
        }
        final Path file = recording.segment(directory, base);
        final int segmentLength = recording.segmentLength();
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
    private static int findEnd(
        final FileChannel channel, final CatalogEntry recording, final long base, final int length) throws IOException
    {
        if (0 == length)
        {
            return IN_ORDER;
        }
        final MappedByteBuffer mapped = channel.map(FileChannel.MapMode.READ_ONLY, 0, length);
        try
        {
            final UnsafeBuffer segment = new UnsafeBuffer(mapped);
            // The recording may start in it.
            int end = (int)Math.max(0, recording.startPosition() - base);
            while (recording.hasFrame(segment, base, end))
            {
                end += CatalogEntry.alignedLength(segment, end);
            }
            return isZero(segment, end) ? IN_ORDER : end;
        }
        finally
        {
            BufferUtil.free(mapped);
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
}
