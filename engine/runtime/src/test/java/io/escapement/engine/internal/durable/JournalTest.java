package io.escapement.engine.internal.durable;

import io.escapement.config.internal.PrivateFiles;
import io.escapement.rooms.log.HostConfig;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The directory of a journal: who may use it, what a start does to it, and what a dry run does not. */
class JournalTest
{
    @TempDir
    Path directory;

    private final List<Throwable> errors = new ArrayList<>();
    private final Random random = new Random(2);
    private final List<byte[]> proposed = new ArrayList<>();
    private Path tails;
    private Journal journal;
    private JournalLog log;

    @BeforeEach
    void makeTails() throws IOException
    {
        tails = Files.createDirectories(Tests.newDirectory());
    }

    @AfterEach
    void end() throws IOException
    {
        kill();
        PrivateFiles.delete(tails);
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldRefuseASecondEngine()
    {
        launch(tails);
        final String refusal = assertThrows(JournalException.class, () -> launch(tails)).getMessage();
        assertEquals("durability.journal: " + directory + ": another engine uses it", refusal);
        assertThrows(JournalException.class, () -> Journal.examine(directory, SystemNanoClock.INSTANCE));
    }

    @Test
    void shouldFindEverythingAfterAKillAndAfterAnOrderlyStop()
    {
        launch(tails);
        propose(50);
        kill();
        assertEquals(RecoveryReport.TailState.USED, launch(tails).tail());
        propose(50);
        stop();
        final RecoveryReport report = launch(tails);
        assertTrue(report.isClosed());
        assertEquals(RecoveryReport.TailState.NONE, report.tail());
        assertEquals(100, report.messages());
        assertEquals(2, report.incarnation());
    }

    @Test
    void shouldDeleteTheTailWhenItStopsInOrder() throws IOException
    {
        launch(tails);
        propose(1);
        assertEquals(List.of(tail().getFileName().toString(), "journal"), names(tail().getParent()));
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(tail().getParent())));
        assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(tail())));
        assertEquals(directory.toString(), Files.readString(tail().resolveSibling("journal")));
        stop();
        assertEquals(List.of(), names(tails));
        assertEquals(List.of("escapement.journal", "escapement.lock", JournalNames.segment(0, 0)), names(directory));
    }

    /** A stranger who can write to the place of the tails keeps a tail, and puts it back after an orderly stop. */
    @Test
    void shouldTakeNoTailAfterAnOrderlyStop() throws IOException
    {
        launch(tails);
        propose(20);
        final Path planted = tail();
        final byte[] bytes = Files.readAllBytes(planted);
        stop();
        final TreeMap<String, Integer> before = contents();
        Files.createDirectories(planted.getParent());
        Files.write(planted, bytes);
        assertEquals(RecoveryReport.TailState.NONE, launch(tails).tail());
        propose(1);
        stop();
        final TreeMap<String, Integer> after = contents();
        before.remove(directory.resolve("escapement.journal").toString());
        before.forEach((name, hash) -> assertEquals(hash, after.get(name), name));
    }

    @Test
    void shouldRefuseATailThatIsALink() throws IOException
    {
        launch(tails);
        propose(20);
        kill();
        final Path tail = tail();
        final Path elsewhere = Files.move(tail, directory.resolve("elsewhere"));
        Files.createSymbolicLink(tail, elsewhere);
        final String refusal = assertThrows(JournalException.class, () -> launch(tails)).getMessage();
        assertTrue(refusal.contains(" is a link or belongs to another user: move it away"), refusal);
        kill();
        Files.delete(tail);
        Files.move(elsewhere, tail);
        assertEquals(20, launch(tails).messages());
    }

    /** A tail adds to what the segments have, and nothing that they have can change. */
    @Test
    void shouldRefuseATailWithOtherBytesThanTheSegment() throws IOException
    {
        launch(tails);
        propose(20);
        final byte[] early = Files.readAllBytes(tail());
        journal.agent().doWork();
        kill();
        final UnsafeBuffer memory = new UnsafeBuffer(early);
        final Tail tail = Tail.of(memory);
        tail.ring().putByte(tail.index(tail.stored() - 9), (byte)~tail.ring().getByte(tail.index(tail.stored() - 9)));
        Files.write(tail(), early);
        final TreeMap<String, Integer> before = contents();
        final String refusal = assertThrows(JournalException.class, () -> launch(tails)).getMessage();
        assertTrue(refusal.contains("has another byte at offset "), refusal);
        assertEquals(before, contents());
    }

    @Test
    void shouldDeleteTheTailsOfJournalsThatAreGone() throws IOException
    {
        launch(tails);
        propose(1);
        kill();
        final Path left = tail().getParent();
        final FileTime now = Files.getLastModifiedTime(left);
        final long nextDayMs = now.toMillis() + TimeUnit.DAYS.toMillis(1) + 1;
        MappedTails.deleteAbandoned(tails, nextDayMs);
        assertTrue(Files.exists(left), "its journal is there");
        final Path moved = Files.move(directory.resolve("escapement.journal"), directory.resolve("moved"));
        MappedTails.deleteAbandoned(tails, now.toMillis());
        assertTrue(Files.exists(left), "its disk may not be mounted at the moment");
        MappedTails.deleteAbandoned(tails, nextDayMs);
        assertFalse(Files.exists(left));
        Files.move(moved, directory.resolve("escapement.journal"));
        assertTrue(launch(tails).notes().toString().contains("the tail is missing"));
    }

    @Test
    void shouldNotTouchTheTailsMemoryOnceClosed()
    {
        launch(tails);
        final byte[] message = SteppedJournal.message(random, 100);
        assertTrue(log.propose(new UnsafeBuffer(message), 0, message.length) > 0);
        stop();
        // Each of these would end the JVM.
        assertEquals(0, log.poll((position, buffer, offset, length) -> { }, 1));
        assertTrue(log.syncedPosition() > 0);
        assertTrue(log.committedPosition() <= log.proposedPosition());
        assertEquals(CommitLog.FAILED, log.propose(new UnsafeBuffer(message), 0, message.length));
    }

    @Test
    void shouldFindATailOfOtherOptions()
    {
        launch(tails);
        propose(10);
        kill();
        final RecoveryReport report = launch(null);
        assertEquals(10, report.messages());
        assertTrue(report.tailBytes() > 0);
    }

    @Test
    void shouldFindATailAfterAStartThatWasKilledBetweenTwoLoops() throws IOException
    {
        final JournalSettings first = JournalProposer.options(directory, false, tails);
        final Path others = Files.createDirectory(directory.resolve("tails"));
        final JournalSettings second = JournalProposer.options(directory, false, others);
        final byte[] message = SteppedJournal.message(random, 100);
        journal = Journal.open(first, SystemNanoClock.INSTANCE, errors::add);
        for (int loop = 0; loop < 2; loop++)
        {
            try (RecoveredLoop recovered = journal.recover(loop, SteppedJournal.header(loop)))
            {
                assertTrue(journal.start(loop, recovered, SteppedJournal.header(loop))
                    .propose(new UnsafeBuffer(message), 0, message.length) > 0);
            }
        }
        kill();
        journal = Journal.open(second, SystemNanoClock.INSTANCE, errors::add);
        try (RecoveredLoop recovered = journal.recover(0, SteppedJournal.header(0)))
        {
            journal.start(0, recovered, SteppedJournal.header(0));
        }
        kill();
        journal = Journal.open(first, SystemNanoClock.INSTANCE, errors::add);
        for (int loop = 0; loop < 2; loop++)
        {
            try (RecoveredLoop recovered = journal.recover(loop, SteppedJournal.header(loop)))
            {
                assertEquals(1, recovered.report().messages());
                assertEquals(2 - loop, recovered.report().incarnation());
                assertEquals(List.of(), recovered.report().notes());
            }
        }
        assertEquals(List.of(), names(tails));
    }

    @Test
    void shouldNoteATailThatIsMissing() throws IOException
    {
        launch(tails);
        propose(10);
        kill();
        Files.delete(tail());
        final RecoveryReport report = launch(tails);
        assertEquals(0, report.messages());
        assertTrue(report.notes().get(0).contains("the tail is missing"), report::toString);
    }

    @Test
    void shouldNotTakeTheTailOfAnEngineThatRunsOnTheOriginal() throws IOException
    {
        launch(tails);
        propose(10);
        final Path copy = PrivateFiles.createDirectories("copy", directory.resolve("copy"));
        for (final String name : names(directory))
        {
            if (name.startsWith("escapement.j") || name.endsWith(".journal"))
            {
                Files.copy(directory.resolve(name), copy.resolve(name));
            }
        }
        try (Journal second =
            Journal.open(JournalProposer.options(copy, false, tails), SystemNanoClock.INSTANCE, errors::add))
        {
            final String refusal = assertThrows(
                JournalException.class, () -> second.recover(0, SteppedJournal.header(0))).getMessage();
            assertTrue(refusal.contains("another engine runs on a copy of this journal"), refusal);
        }
    }

    @Test
    void shouldIgnoreATailOfTheTimeBeforeTheMachineStarted() throws Exception
    {
        final SteppedJournal engine = new SteppedJournal(SteppedJournal.RECORDED, new MemoryDisk(512),
            new MemoryTails());
        engine.propose(SteppedJournal.message(random, 100));
        final Recovery recovery = new Recovery(new DryDisk(engine.disk), new DryTails(engine.tails),
            JournalAbout.read(engine.disk), 78, SteppedJournal.LOOP, true);
        try (RecoveredLoop recovered = recovery.run(null, engine.clock))
        {
            assertEquals(RecoveryReport.TailState.IGNORED, recovered.report().tail());
            assertEquals(0, recovered.report().messages());
        }
    }

    @Test
    void shouldRefuseOtherSettingsByNameUnlessToldOtherwise()
    {
        launch(tails);
        propose(3);
        kill();
        final HostConfig other = SteppedJournal.header(0).roomLimit(50).addType(2, 1, 1, "go");
        final JournalSettings options = JournalProposer.options(directory, false, tails);
        try (Journal second = Journal.open(options, SystemNanoClock.INSTANCE, errors::add))
        {
            final String refusal = assertThrows(JournalException.class, () -> second.recover(0, other)).getMessage();
            assertTrue(refusal.contains("roomLimit was 5, is 50; types was [Type[typeId=1"), refusal);
            assertTrue(refusal.endsWith("Use those, another directory, or acceptOtherSettings(true)"), refusal);
            assertFalse(refusal.contains("seatLimit"), refusal);
        }
        // The refusal has cost nothing.
        final JournalSettings any = new JournalSettings(directory, false, options.segmentLength(), options.tailLength(),
            tails, options.syncIntervalNs(), 64, options.underWayLength(), true, 0);
        try (Journal third = Journal.open(any, SystemNanoClock.INSTANCE, errors::add);
            RecoveredLoop recovered = third.recover(0, other))
        {
            assertEquals(3, recovered.report().messages());
            assertEquals(SteppedJournal.header(0), recovered.config());
        }
    }

    @Test
    void shouldChangeNothingInADryRun() throws IOException
    {
        launch(tails);
        propose(200);
        kill();
        final TreeMap<String, Integer> before = contents();
        final List<RecoveryReport> reports = Journal.examine(directory, SystemNanoClock.INSTANCE);
        assertEquals(before, contents());
        assertEquals(1, reports.size());
        final RecoveryReport dry = reports.get(0);
        assertTrue(dry.isDryRun());
        final RecoveryReport real = launch(tails);
        assertEquals(200, dry.messages());
        assertEquals(200, real.messages());
        assertEquals(real.position(), dry.position());
        assertEquals(real.tailBytes(), dry.tailBytes());
        final String refusal = assertThrows(JournalException.class,
            () -> Journal.examine(tails, SystemNanoClock.INSTANCE)).getMessage();
        assertEquals(tails.resolve("escapement.lock") + ": not there, so this is no journal", refusal);
    }

    @Test
    void shouldRefuseFilesWithoutTheirAboutFile() throws IOException
    {
        launch(tails);
        stop();
        Files.delete(directory.resolve("escapement.journal"));
        final String refusal = assertThrows(JournalException.class, () -> launch(tails)).getMessage();
        assertTrue(refusal.startsWith(directory.resolve("escapement.journal") + ": missing"), refusal);
    }

    @Test
    void shouldWarnOfTheSharedMemoryOfAContainer() throws IOException
    {
        final Path shared = Path.of("/dev/shm");
        assertNull(Containers.warning(shared, directory, Map.of()));
        final String warning = Containers.warning(shared, directory, Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1"));
        assertTrue(warning.startsWith("durability.tailDirectory: /dev/shm: "), warning);
        Files.createFile(directory.resolve(".dockerenv"));
        assertNotNull(Containers.warning(shared.resolve("below"), directory, Map.of()));
        assertNull(Containers.warning(Path.of("/volume"), directory, Map.of()));
        assertNull(Containers.warning(null, directory, Map.of()));
    }

    @Test
    void shouldNameAnAboutFileOfAnotherVersion() throws IOException
    {
        launch(tails);
        stop();
        Files.writeString(directory.resolve("escapement.journal"), "escapement journal 2\nid 1\n");
        final String refusal = assertThrows(JournalException.class, () -> launch(tails)).getMessage();
        assertEquals(directory.resolve("escapement.journal") +
            ": begins with \"escapement journal 2\", this build reads \"escapement journal 1\"", refusal);
    }

    private RecoveryReport launch(final Path tailDirectory)
    {
        final Journal next = Journal.open(
            JournalProposer.options(directory, false, tailDirectory), SystemNanoClock.INSTANCE, errors::add);
        journal = next;
        try (RecoveredLoop recovered = journal.recover(0, SteppedJournal.header(0)))
        {
            log = journal.start(0, recovered, SteppedJournal.header(0));
            return recovered.report();
        }
    }

    private void propose(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            final byte[] message = SteppedJournal.message(random, 200);
            assertTrue(log.propose(new UnsafeBuffer(message), 0, message.length) > 0);
            log.poll((position, buffer, offset, length) -> proposed.add(message), 1);
        }
    }

    private void kill()
    {
        if (null != journal)
        {
            journal.abandon();
            journal = null;
        }
    }

    private void stop()
    {
        journal.close();
        journal = null;
    }

    private TreeMap<String, Integer> contents() throws IOException
    {
        final TreeMap<String, Integer> hashes = new TreeMap<>();
        for (final Path place : List.of(directory, tails))
        {
            try (Stream<Path> files = Files.walk(place))
            {
                for (final Path file : files.filter(Files::isRegularFile).toList())
                {
                    hashes.put(file.toString(), Arrays.hashCode(Files.readAllBytes(file)));
                }
            }
        }
        return hashes;
    }

    /** The only tail. */
    private Path tail() throws IOException
    {
        try (Stream<Path> files = Files.walk(tails))
        {
            return files.filter((file) -> file.toString().endsWith(".tail")).findFirst().orElseThrow();
        }
    }

    private static List<String> names(final Path place) throws IOException
    {
        final List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(place))
        {
            files.forEach((file) -> names.add(file.getFileName().toString()));
        }
        names.sort(null);
        return names;
    }
}
