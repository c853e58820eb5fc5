package io.escapement.engine.internal.durable;

import io.escapement.config.internal.PrivateFiles;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * kill -9 of a process that proposes as fast as it can, again and again on one journal, with a tail, without one, and
 * SYNCED with the tail thrown away; while it writes a snapshot, in a segment's first moments, and while it recovers
 * from the last kill. No message that was committed is lost, and none is there twice. Budget: 8 s; 1,000 kills take 25
 * minutes.
 */
@RealTime("a process is killed at random times")
class JournalKillTest
{
    private static final String[] LEVELS = {"RECORDED", "SYNCED", "SYNCED, tail lost", "RECORDED, no tail"};
    private static final int LONGEST_LIFE_NS = (int)TimeUnit.MILLISECONDS.toNanos(300);
    /** From the first statement of the process, about as long as a recovery takes. */
    private static final int LONGEST_RECOVERY_NS = (int)TimeUnit.MILLISECONDS.toNanos(60);
    private static final int KILLS = Tests.isFull() ? 1_000 : 5;
    private static final int RECOVERY_EVERY = 4;

    @TempDir
    Path directory;

    private final List<Throwable> errors = new ArrayList<>();
    private int unfinished;
    private int snapshots;
    private int recoveries;

    @Test
    void shouldLoseNothingThatWasCommitted() throws IOException
    {
        final long seed = Tests.seed();
        final Random random = new Random(seed);
        final Path tails = Files.createDirectories(Tests.newDirectory());
        long committed = 0;
        try
        {
            for (int i = 0; i < KILLS; i++)
            {
                final String level = LEVELS[i % LEVELS.length];
                // Some are killed before they have committed anything.
                final boolean isFirstAwaited = 0 != random.nextInt(4);
                runAndKill(level, tails, isFirstAwaited ? committed : -1, random.nextInt(LONGEST_LIFE_NS));
                unfinished += hasUnfinishedSnapshot() ? 1 : 0;
                if (0 == i % RECOVERY_EVERY)
                {
                    killInRecovery(level, tails, random.nextInt(LONGEST_RECOVERY_NS));
                }
                if (level.endsWith("lost"))
                {
                    delete(tails);
                }
                committed = check(level + " after kill " + (i + 1) + ", seed " + seed, level, tails, random);
            }
            assertTrue(committed > 0);
            System.out.println(KILLS + " kills, " + unfinished + " in a snapshot, " + recoveries +
                " more in a recovery, " + snapshots + " recoveries from a snapshot, seed " + seed);
            assertTrue(!Tests.isFull() || unfinished > 20 && recoveries > 20 && snapshots > 100);
        }
        finally
        {
            delete(tails);
            Files.delete(tails);
        }
    }

    private void runAndKill(final String level, final Path tails, final long committed, final int lifeNs)
        throws IOException
    {
        final UnsafeBuffer acknowledged = acknowledged();
        try (ChildJvm child = child(level, tails))
        {
            Tests.await(() -> child.lines().contains("READY") || !child.isAlive(), level);
            assertTrue(child.isAlive(), () -> level + ": " + child.lines());
            Tests.await(() -> acknowledged.getLongVolatile(0) > committed || committed < 0, "a commit");
            final long endNs = System.nanoTime() + lifeNs;
            Tests.await(() -> System.nanoTime() - endNs >= 0, "the moment of the kill");
            child.kill();
            assertEquals(List.of("OPENING", "READY"), child.lines());
        }
    }

    /** The next start of the same journal is killed, too. It may be through. */
    private void killInRecovery(final String level, final Path tails, final int lifeNs)
    {
        try (ChildJvm child = child(level, tails))
        {
            Tests.await(() -> !child.lines().isEmpty() || !child.isAlive(), level);
            final long endNs = System.nanoTime() + lifeNs;
            Tests.await(() -> System.nanoTime() - endNs >= 0, "the moment of the kill");
            child.kill();
            recoveries += List.of("OPENING").equals(child.lines()) ? 1 : 0;
        }
    }

    private ChildJvm child(final String level, final Path tails)
    {
        return new ChildJvm(
            JournalProposer.class, List.of("-XX:TieredStopAtLevel=1", "-Xshare:auto", "-XX:+UseSerialGC"),
            List.of(directory.resolve("journal").toString(), directory.resolve("acknowledged").toString(),
                level.startsWith("SYNCED") ? "SYNCED" : "RECORDED",
                level.endsWith("no tail") ? "-" : tails.toString()));
    }

    private boolean hasUnfinishedSnapshot() throws IOException
    {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(
            directory.resolve("journal"), "*.snapshot" + JournalNames.UNFINISHED))
        {
            return files.iterator().hasNext();
        }
    }

    private long check(final String message, final String level, final Path tails, final Random random)
        throws IOException
    {
        final long acknowledged = acknowledged().getLong(0);
        if (random.nextBoolean())
        {
            Journal.examine(directory.resolve("journal"), SystemNanoClock.INSTANCE);
        }
        final JournalSettings options = JournalProposer.options(
            directory.resolve("journal"), level.startsWith("SYNCED"), level.endsWith("no tail") ? null : tails);
        try (Journal journal = Journal.open(options, SystemNanoClock.INSTANCE, errors::add);
            RecoveredLoop recovered = journal.recover(JournalProposer.LOOP, SteppedJournal.header(0)))
        {
            final RecoveryReport report = recovered.report();
            final UnsafeBuffer expected = new UnsafeBuffer(new byte[JournalProposer.LENGTH_LIMIT]);
            long next = report.nextNumber() - report.messages();
            for (final byte[] found : SteppedJournal.messages(recovered))
            {
                JournalProposer.put(expected, next++);
                assertArrayEquals(
                    SteppedJournal.copy(expected, 0, JournalProposer.length(next - 1)), found, message);
            }
            assertEquals(report.nextNumber(), next);
            if (null != recovered.snapshot())
            {
                snapshots++;
                assertEquals(JournalProposer.ROOMS, SteppedJournal.roomsOf(
                    recovered.snapshot(), JournalProposer.ROOMS, JournalProposer.STATE_LENGTH), message);
            }
            assertTrue(next > acknowledged, message + ": " + acknowledged + " acknowledged, " + report);
            assertEquals(List.of(), errors);
            return acknowledged;
        }
    }

    private UnsafeBuffer acknowledged() throws IOException
    {
        return JournalProposer.acknowledged(directory.resolve("acknowledged"));
    }

    private static void delete(final Path tails) throws IOException
    {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(tails))
        {
            for (final Path file : files)
            {
                PrivateFiles.delete(file);
            }
        }
    }
}
