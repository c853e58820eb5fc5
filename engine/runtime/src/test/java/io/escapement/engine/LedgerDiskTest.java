package io.escapement.engine;

import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.ledger.HistoryRoom;
import io.escapement.testsupport.ChildJvm;
import io.escapement.testsupport.RealTime;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Engines with ledger rooms whose disk is full, fails or is slow: what was acknowledged is there when the disk is well
 * again, and nothing is acknowledged after a fault. Budget: 12 s.
 *
 * <p>Full is a tmpfs, which only root can mount. Faults of fdatasync are injected into a process by strace; without it,
 * or where one process may not trace another, these tests are skipped, unless {@code escapement.strace.required}.
 */
@RealTime("full, failing and slow disks")
class LedgerDiskTest
{
    private static final boolean IS_STRACE_REQUIRED = Boolean.getBoolean("escapement.strace.required");
    private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);
    /** Long enough for answers that are under way to arrive. */
    private static final long QUIET_NS = 300 * MS;

    @TempDir
    Path base;

    @Test
    void shouldAcknowledgeNothingOnAFullDiskAndGoOnWhenThereIsSpace() throws Exception
    {
        final Path journal = Files.createDirectories(base.resolve("round/journal"));
        assumeTrue(0 == command("mount", "-t", "tmpfs", "-o", "size=3m,mode=700", "tmpfs", journal.toString()),
            "only root can mount a tmpfs");
        try (LedgerRound round =
            new LedgerRound(base.resolve("round"), Durability.Level.RECORDED, null))
        {
            fill(round);
            assertEquals(0, command("mount", "-o", "remount,size=64m", journal.toString()));
            assertEquals(List.of(), round.finish());
        }
        finally
        {
            command("umount", journal.toString());
        }
    }

    private void fill(final LedgerRound round) throws IOException
    {
        final AtomicInteger hooks = new AtomicInteger();
        final LedgerClients clients = round.clients();
        final List<HistoryRoom> made = new ArrayList<>();
        try (TestEngine engine = round.engine(made, round.effects(), hooks::incrementAndGet))
        {
            round.join(LedgerServer.openRooms(engine.engine()), engine::turn);
            clients.startPacing();
            round.paceWhile(() ->
            {
                engine.turn();
                return engine.engine().isAlive();
            });
            assertTrue(engine.errors().stream().anyMatch(LedgerDiskTest::isNoSpaceLeft),
                () -> engine.errors().toString());
            round.pollWhile(() ->
            {
                engine.turn();
                return 0 == hooks.get();
            });
            final long known = knownAfterQuiet(round, engine::turn);
            assertTrue(known > 0);
            assertEquals(known, knownAfterQuiet(round, engine::turn), "acknowledged after the fault");
            assertTrue(round.history().size() > known, "nothing was sent in vain");
            assertEquals(1, hooks.get());
            assertEquals(Collections.nCopies(LedgerClients.TRUNKS, TrunkCode.ENGINE_STOPPING.value()),
                clients.codes(), "each trunk is given the reason");
            engine.errors().clear();
        }
    }

    @Test
    void shouldAcknowledgeNothingAfterASyncThatFailed() throws Exception
    {
        faulty("error=EIO", (round, child, strace) ->
        {
            round.paceWhile(() -> null == child.valueOf(LedgerServer.FAILED) && child.isAlive());
            final String failure = child.valueOf(LedgerServer.FAILED);
            assertTrue(null != failure && failure.contains("Input/output error"), () -> child.lines().toString());
            final long known = knownAfterQuiet(round, () -> { });
            assertEquals(known, knownAfterQuiet(round, () -> { }), "acknowledged after the fault");
            assertTrue(round.history().size() > known, "nothing was sent in vain");
        });
    }

    /** The loops wait for the journal's thread, which syncs one after the other. */
    @Test
    void shouldNameTheLogThatASlowDiskBlocksAndGoOn() throws Exception
    {
        faulty("delay_enter=700000", (round, child, strace) ->
        {
            round.paceWhile(() -> null == child.valueOf(LedgerServer.BLOCKED) && child.isAlive());
            final String report = child.valueOf(LedgerServer.BLOCKED);
            assertTrue(null != report && report.contains("the log of loop "), () -> child.lines().toString());
            strace.destroy();
            final long known = round.history().known();
            final int size = round.history().size();
            round.paceWhile(() -> round.history().known() <= Math.max(size, known));
            assertTrue(child.isAlive() && null == child.valueOf(LedgerServer.FAILED), () -> child.lines().toString());
        });
    }

    private interface Fault
    {
        void watch(LedgerRound round, ChildJvm child, Process strace);
    }

    /** Inject a fault into all syncs of a process under load, then kill it, and let the next one find everything. */
    private void faulty(final String injection, final Fault fault) throws Exception
    {
        try (LedgerRound round =
            new LedgerRound(Files.createDirectory(base.resolve("round")), Durability.Level.SYNCED, null))
        {
            round.begin();
            round.run(LedgerRound.NO_SNAPSHOTS, (child) ->
            {
                round.awaitReady(child);
                round.awaitAnswers();
                final Process strace = attach(child, injection);
                try
                {
                    fault.watch(round, child, strace);
                }
                finally
                {
                    strace.destroy();
                }
            });
            assertEquals(List.of(), round.finish());
        }
    }

    private static Process attach(final ChildJvm child, final String injection)
    {
        final Process strace;
        try
        {
            strace = new ProcessBuilder("strace", "-f", "-e", "trace=fdatasync", "-e",
                "inject=fdatasync:" + injection, "-o", "/dev/null", "-p", String.valueOf(child.handle().pid()))
                .redirectErrorStream(true).start();
            final byte[] line = new byte[256];
            final int length = strace.getInputStream().read(line);
            final String text = new String(line, 0, Math.max(0, length), StandardCharsets.US_ASCII);
            assumeTrue(IS_STRACE_REQUIRED || text.contains("attached"), () -> "strace: " + text);
            assertTrue(text.contains("attached"), text);
        }
        catch (final IOException ex)
        {
            assumeTrue(IS_STRACE_REQUIRED, "no strace: " + ex.getMessage());
            throw new AssertionError("strace is required", ex);
        }
        return strace;
    }

    private static long knownAfterQuiet(final LedgerRound round, final Runnable engine)
    {
        final long endNs = System.nanoTime() + QUIET_NS;
        round.paceWhile(() ->
        {
            engine.run();
            return System.nanoTime() < endNs;
        });
        return round.history().known();
    }

    private static int command(final String... command) throws IOException, InterruptedException
    {
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getInputStream().readAllBytes();
        return process.waitFor();
    }

    private static boolean isNoSpaceLeft(final Throwable ex)
    {
        return Stream.iterate(ex, Objects::nonNull, Throwable::getCause)
            .anyMatch((cause) -> String.valueOf(cause.getMessage()).contains("No space left"));
    }
}
