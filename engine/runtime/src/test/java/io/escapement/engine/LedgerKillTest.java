package io.escapement.engine;

import io.escapement.config.internal.PrivateFiles;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.ClassArchive;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * An engine that is killed with SIGKILL under 20,000 commands a second: at random moments, in a snapshot, when a
 * segment begins, in its recovery, in a drain. Trunks that live on resume and send again what was not accepted; the
 * ledgers of the rooms must agree with their histories. Budget: 60 s for 50 kills, RECORDED and SYNCED; 1,000 in full.
 */
@RealTime("processes are killed at random times")
class LedgerKillTest
{
    private static final int KILLS = Integer.getInteger("escapement.kills", Tests.isFull() ? 1_000 : 50);
    /** On one journal. */
    private static final int KILLS_A_ROUND = 25;
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long LONGEST_LIFE_NS = 400 * MS;
    /** Longer than an incarnation lives. */
    private static final int DRAIN_MS = 60_000;

    /** When a process is killed. */
    private enum Moment
    {
        RANDOM, SNAPSHOT, SEGMENT, RECOVERY, DRAIN
    }

    @TempDir
    Path base;

    private final Map<Moment, Integer> hits = new EnumMap<>(Moment.class);
    private ClassArchive archive;
    private Path directory;
    private LedgerRound round;
    private SplittableRandom random;
    private long recovered;

    @Test
    void shouldLoseAndRepeatNothing() throws IOException
    {
        final long seed = Tests.seed();
        random = new SplittableRandom(seed);
        archive = new ClassArchive(Files.createDirectory(base.resolve("archive")));
        long messages = 0;
        long sent = 0;
        long due = 0;
        long resumed = 0;
        long readyNs = 0;
        for (int killed = 0, number = 0; killed < KILLS; killed += KILLS_A_ROUND, number++)
        {
            final Durability.Level level = 0 == number % 2 ? Durability.Level.RECORDED : Durability.Level.SYNCED;
            final int count = Math.min(KILLS_A_ROUND, KILLS - killed);
            assertEquals(List.of(), findings(number, level, count, false), level + ", seed " + seed + ", round " +
                number);
            messages += round.history().size();
            sent += round.clients().sent();
            due += round.clients().due();
            resumed += round.clients().resumed();
            readyNs = Math.max(readyNs, round.longestReadyNs());
        }
        final String text = "ledger: " + KILLS + " kills, hit " + hits + ", " + messages + " messages, " + sent +
            " of " + due + " that were due at " + LedgerClients.RATE + "/s, " + resumed + " trunks resumed, " +
            recovered + " incarnations recovered, ready after at most " + readyNs / MS + " ms, seed " + seed;
        System.out.println(text);
        assertTrue(resumed >= LedgerClients.TRUNKS, text);
        // A young JVM, which interprets its code, holds the clients back.
        assertTrue(sent * 100 >= due * 25, text);
        assertTrue(KILLS < 2 * KILLS_A_ROUND || Arrays.stream(Moment.values()).allMatch((moment) ->
            hits.get(moment) > 0), text);
    }

    /** The tail has what is not in the file: without it messages that were acknowledged are lost. */
    @Test
    void shouldFindATailThatWasNotWrittenOut() throws IOException
    {
        random = new SplittableRandom(1);
        archive = new ClassArchive(Files.createDirectory(base.resolve("archive")));
        assertFalse(findings(0, Durability.Level.RECORDED, 5, true).isEmpty());
    }

    private List<String> findings(
        final int number, final Durability.Level level, final int kills, final boolean isTailLost) throws IOException
    {
        directory = Files.createDirectory(base.resolve("round-" + number));
        final List<Moment> moments = moments(kills - 1);
        try (LedgerRound living = new LedgerRound(directory, level, archive))
        {
            round = living;
            round.begin();
            for (final Moment moment : moments)
            {
                live(isTailLost ? Moment.RANDOM : moment);
                if (isTailLost)
                {
                    deleteTails();
                }
            }
            if (!isTailLost)
            {
                endLife();
            }
            return round.finish();
        }
    }

    /** All kinds equally often, in a random order. */
    private List<Moment> moments(final int count)
    {
        final List<Moment> moments = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            moments.add(random.nextInt(i + 1), Moment.values()[i % Moment.values().length]);
        }
        return moments;
    }

    private void live(final Moment moment)
    {
        round.run(LedgerServer.SNAPSHOT_INTERVAL_NS, (child) ->
        {
            if (Moment.RECOVERY == moment)
            {
                final long endNs = System.nanoTime() + random.nextLong(1 + round.lastReadyNs());
                round.pollWhile(() -> System.nanoTime() < endNs);
                child.kill();
                hit(moment, child.lines().contains(LedgerServer.STARTING) && null == child.valueOf(LedgerServer.READY));
                return;
            }
            round.awaitReady(child);
            recovered++;
            if (Moment.RANDOM == moment && random.nextBoolean())
            {
                // While trunks resume and send again.
                round.clients().startPacing();
            }
            else
            {
                round.awaitAnswers();
            }
            hit(moment, switch (moment)
            {
                case SNAPSHOT -> killInSnapshot(child);
                case SEGMENT -> killInSegment(child);
                case DRAIN -> killInDrain(child, DRAIN_MS);
                default -> killAfter(child, LONGEST_LIFE_NS);
            });
        });
    }

    /** The last kill: in a drain that closes the rooms, or behind it. */
    private void endLife()
    {
        // Without snapshots, so that the next start runs all turns of the rooms that have closed.
        round.run(LedgerRound.NO_SNAPSHOTS, (child) ->
        {
            round.awaitReady(child);
            round.awaitAnswers();
            hit(Moment.DRAIN, killInDrain(child, random.nextInt(20)));
        });
    }

    private boolean killAfter(final ChildJvm child, final long mostNs)
    {
        final long endNs = System.nanoTime() + random.nextLong(mostNs);
        round.paceWhile(() -> System.nanoTime() < endNs);
        child.kill();
        assertNull(child.valueOf(LedgerServer.FAILED), () -> child.lines().toString());
        return true;
    }

    /** Returns whether the loop has not completed the snapshot that it had begun. */
    private boolean killInSnapshot(final ChildJvm child)
    {
        final int loop = random.nextInt(LedgerServer.LOOPS);
        final String prefix = "loop-" + loop + ".";
        final long before = round.marks().count(loop);
        round.paceWhile(() -> round.marks().count(loop) == before);
        final Set<String> snapshots = round.names(prefix, ".snapshot");
        killAfter(child, 2 * MS);
        return round.names(prefix, ".snapshot").equals(snapshots);
    }

    private boolean killInSegment(final ChildJvm child)
    {
        final Set<String> before = round.names("loop-", ".journal");
        round.paceWhile(() -> before.containsAll(round.names("loop-", ".journal")));
        return killAfter(child, MS);
    }

    private boolean killInDrain(final ChildJvm child, final int drainMs)
    {
        child.send(LedgerServer.DRAIN + drainMs);
        round.paceWhile(() -> !child.lines().contains(LedgerServer.DRAINING));
        return killAfter(child, 50 * MS);
    }

    private void hit(final Moment moment, final boolean isHit)
    {
        hits.merge(moment, isHit ? 1 : 0, Integer::sum);
    }

    private void deleteTails() throws IOException
    {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "tails-*"))
        {
            for (final Path file : files)
            {
                PrivateFiles.delete(file);
            }
        }
    }
}
