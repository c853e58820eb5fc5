package io.escapement.cluster;

import io.aeron.protocol.DataHeaderFlyweight;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Segments as kills leave them. Together these tests may take 1 s. */
class ArchiveTailsTest
{
    private static final long NO_STOP = -1;
    private static final int FRAME_LENGTH = 1_339;
    private static final int FRAMES_OF_CUTS = 6;

    @TempDir
    Path directory;

    private final long seed = Tests.seed();
    private final Random random = new Random(seed);

    @ParameterizedTest
    @ValueSource(ints = {40_000, 1_000_000, 1_048_000, 1_100_000, 2_500_000, 4_100_000})
    void shouldCutOffATornFragmentWhereverItIs(final int untilOffset) throws IOException
    {
        final ArchiveFiles files = files(0).catalog(0, NO_STOP).fill(untilOffset, FRAME_LENGTH, random);
        // The last page boundary inside a frame: behind it the kill left zeros.
        int tear = files.end() / ArchiveFiles.PAGE_LENGTH * ArchiveFiles.PAGE_LENGTH;
        while (tear == files.frameBefore(tear + 1))
        {
            tear -= ArchiveFiles.PAGE_LENGTH;
        }
        final Path file = files.writeUpTo(tear);

        assertEquals(1, ArchiveTails.repair(directory).size(), () -> "seed " + seed);
        assertArrayEquals(files.expected(files.frameBefore(tear)), Files.readAllBytes(file), () -> "seed " + seed);
        assertEquals(List.of(), ArchiveTails.repair(directory), "a repaired segment is in order");
    }

    @Test
    void shouldEndAtTheLastWholeFrameWhereverItIsCut() throws IOException
    {
        final ArchiveFiles files = files(0).catalog(0, NO_STOP).fill(FRAMES_OF_CUTS * 224, 200, random);
        final int step = Tests.isFull() ? 1 : 37;
        for (int cut = 1; cut < files.end(); cut += step)
        {
            final Path file = files.writeUpTo(cut);
            ArchiveTails.repair(directory);
            final int frame = files.frameBefore(cut);
            // Up to the last byte that is not padding, the frame is torn.
            final int end = cut - frame >= 200 ? frame + 224 : frame;
            final byte[] bytes = Files.readAllBytes(file);
            assertEquals(-1, Arrays.mismatch(files.expected(end), bytes), "cut at " + cut + ", seed " + seed);
        }
    }

    @Test
    void shouldLeaveAWholeSegmentAsItIs() throws IOException
    {
        final ArchiveFiles files = files(0).catalog(0, NO_STOP).fill(3_000_000, FRAME_LENGTH, random);
        final Path file = files.writeUpTo(files.end());
        assertEquals(List.of(), ArchiveTails.repair(directory), () -> "seed " + seed);
        assertArrayEquals(files.expected(files.end()), Files.readAllBytes(file));
    }

    @Test
    void shouldLeaveASegmentThatIsFullAsItIs() throws IOException
    {
        final ArchiveFiles files = files(0).catalog(0, NO_STOP).fill(ArchiveFiles.SEGMENT_LENGTH, 1_024, random);
        assertEquals(ArchiveFiles.SEGMENT_LENGTH, files.end());
        final Path file = files.writeUpTo(files.end());
        assertEquals(List.of(), ArchiveTails.repair(directory), () -> "seed " + seed);
        assertArrayEquals(files.expected(files.end()), Files.readAllBytes(file));
    }

    @Test
    void shouldEraseFramesOfABlockThatWasNeverAcknowledged() throws IOException
    {
        final ArchiveFiles files = files(0).catalog(0, NO_STOP).fill(200_000, FRAME_LENGTH, random);
        final Path file = files.writeUpTo(files.end());
        final byte[] bytes = Files.readAllBytes(file);
        final int hole = files.frameBefore(100_000);
        Arrays.fill(bytes, hole, files.frameBefore(102_000), (byte)0);
        Files.write(file, bytes);

        assertEquals(1, ArchiveTails.repair(directory).size());
        assertArrayEquals(files.expected(hole), Files.readAllBytes(file), () -> "seed " + seed);
    }

    @Test
    void shouldNotTakeAFrameOfAnotherPositionForTheNextOne() throws IOException
    {
        final ArchiveFiles files = files(0).catalog(0, NO_STOP).fill(50_000, 1_024, random);
        final Path file = files.writeUpTo(files.end());
        final byte[] bytes = Files.readAllBytes(file);
        System.arraycopy(bytes, 1_024, bytes, files.end(), 1_024);
        Files.write(file, bytes);

        assertEquals(1, ArchiveTails.repair(directory).size());
        assertArrayEquals(files.expected(files.end()), Files.readAllBytes(file), () -> "seed " + seed);
    }

    @Test
    void shouldReadTheLastSegmentFromTheStartOfTheRecording() throws IOException
    {
        final int start = 96 * 1_024;
        final long base = 3L * ArchiveFiles.SEGMENT_LENGTH;
        final ArchiveFiles files = files(base).from(start).catalog(base + start, NO_STOP)
            .fill(500_000, FRAME_LENGTH, random);
        files.writeUpTo(files.end() - 100);
        // An older segment is damaged, and not looked at.
        Files.write(directory.resolve("3-0.rec"), new byte[]{1, 2, 3});

        assertEquals(1, ArchiveTails.repair(directory).size());
        assertArrayEquals(
            files.expected(files.frameBefore(files.end())), Files.readAllBytes(files.file()), () -> "seed " + seed);
        assertEquals(3, Files.size(directory.resolve("3-0.rec")));
    }

    @Test
    void shouldNotTouchARecordingThatWasStopped() throws IOException
    {
        final ArchiveFiles files = files(0).catalog(0, 64).fill(50_000, FRAME_LENGTH, random);
        files.writeUpTo(files.end() - 100);
        assertEquals(List.of(), ArchiveTails.repair(directory));
        assertArrayEquals(files.expected(files.end() - 100), Files.readAllBytes(files.file()), () -> "seed " + seed);
    }

    @Test
    void shouldAcceptPaddingOfWhichOnlyTheHeaderIsThere() throws IOException
    {
        final ArchiveFiles files = files(0).catalog(0, NO_STOP).fill(10_000, FRAME_LENGTH, random)
            .frame(DataHeaderFlyweight.HDR_TYPE_PAD, 4_096, random).fill(20_000, FRAME_LENGTH, random);
        files.writeUpTo(files.end());
        assertEquals(List.of(), ArchiveTails.repair(directory), () -> "seed " + seed);
    }

    @Test
    void shouldRefuseAnArchiveWithoutChecksums() throws IOException
    {
        final ArchiveFiles files = files(0).withoutChecksums().catalog(0, NO_STOP).fill(50_000, FRAME_LENGTH, random);
        files.writeUpTo(files.end());
        final IllegalStateException refusal =
            assertThrows(IllegalStateException.class, () -> ArchiveTails.repair(directory));
        assertTrue(refusal.getMessage().contains("CRC32C"), refusal.getMessage());
        assertArrayEquals(files.expected(files.end()), Files.readAllBytes(files.file()), () -> "seed " + seed);
    }

    @Test
    void shouldHaveNothingToDoWithoutAnArchive() throws IOException
    {
        assertEquals(List.of(), ArchiveTails.repair(directory));
        files(0).catalog(0, NO_STOP);
        assertEquals(List.of(), ArchiveTails.repair(directory), "a recording without a segment");
        Files.write(directory.resolve("3-0.rec"), new byte[0]);
        assertEquals(List.of(), ArchiveTails.repair(directory), "a segment that was just made");
    }

    private ArchiveFiles files(final long base)
    {
        return new ArchiveFiles(directory, base);
    }
}
