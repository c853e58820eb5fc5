package io.escapement.engine.internal.durable;

import io.escapement.config.internal.PrivateFiles;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Backups: copies of the directory of a journal, which share the name of its tail with the original. */
class JournalCopyTest
{
    private static final int TAIL_VERSION_OFFSET = 8;

    @TempDir
    Path directory;

    private final List<Throwable> errors = new ArrayList<>();
    private final Random random = new Random(5);
    private final List<byte[]> proposed = new ArrayList<>();
    private Path tails;
    private Path original;
    private Path copy;
    private Engine engine;

    @BeforeEach
    void begin() throws IOException
    {
        tails = Files.createDirectories(Tests.newDirectory());
        original = directory.resolve("original");
        copy = directory.resolve("copy");
        engine = new Engine(original);
    }

    @AfterEach
    void end()
    {
        engine.kill();
        IoUtil.delete(tails.toFile(), true);
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldGoOnInACopyOfAJournalThatWasStopped() throws IOException
    {
        engine.propose(100);
        engine.stop();
        copy();
        engine = new Engine(copy);
        assertTrue(engine.report.isClosed());
        assertEquals(RecoveryReport.TailState.NONE, engine.report.tail());
        assertEquals(List.of(), engine.report.notes());
        assertTrue(SteppedJournal.same(proposed, engine.recovered));
        engine.propose(10);
    }

    @Test
    void shouldRefuseACopyWhileTheOriginalRuns() throws IOException
    {
        engine.propose(100);
        copy();
        final List<String> before = contents();
        final String refusal = assertThrows(JournalException.class, () -> new Engine(copy)).getMessage();
        assertTrue(refusal.endsWith(" is in use: another engine runs on a copy of this journal"), refusal);
        assertEquals(before, contents());
        engine.propose(10);
        engine.kill();
        engine = new Engine(original);
        assertTrue(SteppedJournal.same(proposed, engine.recovered));
    }

    @Test
    void shouldTakeTheTailOfAJournalThatWasKilled() throws IOException
    {
        engine.propose(100);
        engine.kill();
        copy();
        engine = new Engine(copy);
        assertEquals(RecoveryReport.TailState.USED, engine.report.tail());
        assertTrue(SteppedJournal.same(proposed, engine.recovered));
        engine.stop();
        // One of them only: the original is as after a power loss now, and says so.
        engine = new Engine(original);
        assertTrue(engine.report.notes().toString().contains("the tail is missing"), () -> "" + engine.report);
    }

    @Test
    void shouldRefuseATailThatGoesOnBehindAnOlderCopy() throws IOException
    {
        engine.propose(100);
        engine.sync();
        copy();
        // Two segments further.
        while (files(original).stream().filter((file) -> file.toString().endsWith(".journal")).count() < 3)
        {
            engine.propose(100);
            engine.sync();
        }
        engine.propose(10);
        engine.kill();
        final List<String> before = contents();
        final String refusal = assertThrows(JournalException.class, () -> new Engine(copy)).getMessage();
        assertTrue(refusal.contains(": this is an older copy of the journal; start the newer one, or move the tail"),
            refusal);
        assertEquals(before, contents());
        engine = new Engine(original);
        assertTrue(SteppedJournal.same(proposed, engine.recovered));
    }

    /** As a backup of before is taken back: the tail of what came later is not its own. */
    @Test
    void shouldTakeNoTailInACopyOfAJournalThatWasStoppedBefore() throws IOException
    {
        engine.propose(100);
        engine.stop();
        copy();
        engine = new Engine(original);
        engine.propose(100);
        engine.kill();
        engine = new Engine(copy);
        assertEquals(RecoveryReport.TailState.NONE, engine.report.tail());
        assertTrue(SteppedJournal.same(proposed.subList(0, 100), engine.recovered));
        engine.kill();
        engine = new Engine(original);
        assertTrue(SteppedJournal.same(proposed, engine.recovered));
    }

    @Test
    void shouldNameATailOfAnotherVersion() throws IOException
    {
        engine.propose(10);
        engine.kill();
        final Path tail = files(tails).stream().filter((file) -> file.toString().endsWith(".tail")).findFirst()
            .orElseThrow();
        final byte[] bytes = Files.readAllBytes(tail);
        new UnsafeBuffer(bytes).putInt(TAIL_VERSION_OFFSET, 9);
        Files.write(tail, bytes);
        final String refusal = assertThrows(JournalException.class, () -> new Engine(original)).getMessage();
        assertTrue(refusal.startsWith("the tail has version 9, this build reads 1: start the build that wrote it"),
            refusal);
    }

    private void copy() throws IOException
    {
        PrivateFiles.createDirectories("copy", copy);
        for (final Path file : files(original))
        {
            Files.copy(file, copy.resolve(file.getFileName()));
        }
    }

    /** Of the copy and of the tails. */
    private List<String> contents() throws IOException
    {
        final List<String> contents = new ArrayList<>();
        for (final Path parent : List.of(copy, tails))
        {
            for (final Path file : files(parent))
            {
                contents.add(file + " " + Arrays.hashCode(Files.readAllBytes(file)));
            }
        }
        return contents;
    }

    private static List<Path> files(final Path parent) throws IOException
    {
        try (Stream<Path> files = Files.walk(parent))
        {
            return files.filter(Files::isRegularFile).sorted().toList();
        }
    }

    /** A journal of one loop in use. */
    private final class Engine
    {
        final List<byte[]> recovered = new ArrayList<>();
        final RecoveryReport report;
        private final Journal journal;
        private final JournalLog log;
        private final JournalAgent agent;

        Engine(final Path place)
        {
            journal = Journal.open(
                JournalProposer.options(place, false, tails), SystemNanoClock.INSTANCE, errors::add);
            try (RecoveredLoop loop = journal.recover(0, SteppedJournal.header(0)))
            {
                recovered.addAll(SteppedJournal.messages(loop));
                report = loop.report();
                log = journal.start(0, loop, SteppedJournal.header(0));
                agent = journal.agent();
            }
            catch (final RuntimeException ex)
            {
                journal.abandon();
                throw ex;
            }
        }

        void propose(final int count)
        {
            for (int i = 0; i < count; i++)
            {
                final byte[] message = SteppedJournal.message(random, 200);
                assertTrue(log.propose(new UnsafeBuffer(message), 0, message.length) > 0);
                log.poll((position, buffer, offset, length) -> proposed.add(message), 1);
            }
        }

        void sync()
        {
            final long position = log.proposedPosition();
            Tests.await(() ->
            {
                agent.doWork();
                return log.syncedPosition() >= position;
            }, "a sync");
        }

        void stop()
        {
            journal.close();
        }

        void kill()
        {
            CloseHelper.close(journal::abandon);
        }
    }
}
