package io.escapement.cluster;

import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.engine.Durability;
import io.escapement.testsupport.RealTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Three processes of which two are gone, one has a full or a slow disk, or all are copies. */
@RealTime("processes are killed, and disks are full or slow")
class DegradedGroupTest
{
    private static final int ANSWERS = 100;
    private static final long WITHOUT_MAJORITY_NS = TimeUnit.SECONDS.toNanos(3);
    private static final long SLOW_SYNC_MS = 500;
    private static final int SLOW_SECONDS = 6;
    private static final int SLOW_ANSWERS = 20;
    /** The leader notices after the timeout of a heartbeat, 0.3 s. A snapshot under way has to be written first. */
    private static final long TRUNKS_END_NS = TimeUnit.SECONDS.toNanos(30);

    @TempDir
    Path directory;

    private ProcessCluster cluster;
    private Path mounted;

    @AfterEach
    void close() throws IOException, InterruptedException
    {
        if (null != cluster)
        {
            cluster.close();
        }
        if (null != mounted)
        {
            run("umount", mounted.toString());
        }
    }

    @Test
    void shouldAnswerNothingWithoutAMajorityAndGoOnWithOne()
    {
        cluster = new ProcessCluster(directory);
        cluster.play(ANSWERS);
        cluster.awaitCaughtUp();
        final int leader = cluster.leader();
        final int one = (leader + 1) % ProcessCluster.NODES;
        final int other = (leader + 2) % ProcessCluster.NODES;
        cluster.kill(one);
        cluster.kill(other);
        final long killedNs = System.nanoTime();
        cluster.await(() -> cluster.isFollowing(leader) && cluster.clients.isDisconnected(), "the trunks to end");
        assertTrue(System.nanoTime() - killedNs < TRUNKS_END_NS, "the trunks have ended too late");
        assertEquals(Set.of(TrunkCode.NOT_LEADING.value()), cluster.clients.disconnectCodes());
        final long known = cluster.clients.known();
        cluster.playFor(WITHOUT_MAJORITY_NS);
        assertEquals(known, cluster.clients.known(), "messages that were answered without a majority");
        assertEquals(0, cluster.ended(), "the node that was left has ended");
        cluster.start(one);
        cluster.play(ANSWERS);
        cluster.start(other);
        compareAndAudit();
    }

    /** A follower's disk: the node ends, is started again and again, and the others go on. */
    @Test
    void shouldGoOnWithoutTheNodeWhoseDiskIsFull() throws IOException, InterruptedException
    {
        final int full = 1;
        mounted = Files.createDirectories(directory.resolve("node" + full));
        assumeTrue(0 == run("mount", "-t", "tmpfs", "-o", "size=6m,mode=700", "tmpfs", mounted.toString()),
            "only root can mount a tmpfs");
        cluster = new ProcessCluster(directory);
        cluster.play(ANSWERS);
        cluster.awaitCaughtUp();
        fill(mounted.resolve("ballast"));
        cluster.await(() -> cluster.ended() > 0, "the node without space to end");
        // Also where it led: another does now.
        cluster.play(ANSWERS);
        Files.delete(mounted.resolve("ballast"));
        assertEquals(0, run("mount", "-o", "remount,size=64m,mode=700", mounted.toString()));
        compareAndAudit();
    }

    /**
     * Each sync of a follower takes longer than a heartbeat may: the other two are a majority, and answer at once. Each
     * answer waits for the leader's own disk.
     */
    @Test
    void shouldWaitForTheSlowDiskOfTheLeaderButNotForThatOfAFollower() throws IOException, InterruptedException
    {
        cluster = new ProcessCluster(directory, Durability.Level.SYNCED, LedgerClients.Load.LIGHT, System.nanoTime());
        cluster.play(ANSWERS);
        playWithSlowSyncs(1, () ->
        {
            int waited = 0;
            for (int i = 0; i < SLOW_SECONDS; i++)
            {
                cluster.playFor(TimeUnit.SECONDS.toNanos(1));
                waited += cluster.takeLongestMs() < SLOW_SYNC_MS ? 0 : 1;
            }
            // One may be that of an election, since the machine is busy too.
            assertTrue(waited <= 1, "answers waited in " + waited + " of " + SLOW_SECONDS + " seconds");
        });
        playWithSlowSyncs(0, () ->
        {
            cluster.play(SLOW_ANSWERS);
            assertTrue(cluster.takeLongestMs() >= SLOW_SYNC_MS, "no answer has waited for a sync");
        });
        compareAndAudit();
    }

    private void playWithSlowSyncs(final int behindLeader, final Runnable slowPart)
        throws IOException, InterruptedException
    {
        cluster.awaitCaughtUp();
        final Path calls = directory.resolve("calls" + behindLeader);
        final Process strace = slowSyncs(
            archiveThread(cluster.pid((cluster.leader() + behindLeader) % ProcessCluster.NODES)), calls);
        try
        {
            // The clients stood still while strace began.
            cluster.play(SLOW_ANSWERS);
            cluster.clients.takeLongestNs();
            slowPart.run();
        }
        finally
        {
            strace.destroy();
        }
        assertTrue(Files.readString(calls).contains("(DELAYED)"), "no sync was slow");
    }

    private void compareAndAudit()
    {
        cluster.awaitCaughtUp();
        cluster.compareStates();
        cluster.audit();
    }

    /** Only the thread that syncs is traced: each system call of one that is costs two switches to the tracer. */
    private static Process slowSyncs(final String thread, final Path calls) throws IOException, InterruptedException
    {
        final Process strace = new ProcessBuilder("strace", "-q", "-o", calls.toString(), "-e",
            "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:delay_enter=" +
            TimeUnit.MILLISECONDS.toMicros(SLOW_SYNC_MS), "-p", thread)
            .redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        assumeTrue(!strace.waitFor(500, TimeUnit.MILLISECONDS), "strace cannot trace the process");
        return strace;
    }

    private static String archiveThread(final long pid) throws IOException
    {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task")))
        {
            for (final Path thread : (Iterable<Path>)threads::iterator)
            {
                if (Files.readString(thread.resolve("comm")).startsWith("archive-"))
                {
                    return thread.getFileName().toString();
                }
            }
        }
        throw new IllegalStateException("no thread of an archive");
    }

    /** Two of three copies are a majority; the third node is filled from them. */
    @Test
    void shouldGoOnFromCopiesOfAMajority() throws IOException
    {
        cluster = new ProcessCluster(directory.resolve("group"));
        cluster.play(ANSWERS);
        cluster.awaitCaughtUp();
        for (int i = 0; i < ProcessCluster.NODES; i++)
        {
            cluster.stop(i);
        }
        final int lost = ProcessCluster.NODES - 1;
        for (int i = 0; i < ProcessCluster.NODES; i++)
        {
            final Path node = cluster.directory().resolve("node" + i);
            final Path backup = directory.resolve("backup" + i);
            copy(node, backup);
            IoUtil.delete(node.toFile(), false);
            if (i != lost)
            {
                copy(backup, node);
                cluster.start(i);
            }
        }
        cluster.play(ANSWERS);
        final CompletableFuture<Long> filled = CompletableFuture.supplyAsync(
            () -> ClusterLog.fill(cluster.options(lost), TimeUnit.MINUTES.toNanos(1)));
        cluster.await(filled::isDone, "the third node's log");
        assertTrue(filled.join() > 0);
        cluster.start(lost);
        compareAndAudit();
    }

    private static void copy(final Path from, final Path to) throws IOException
    {
        try (Stream<Path> files = Files.walk(from))
        {
            for (final Path file : (Iterable<Path>)files::iterator)
            {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
    }

    /** The node writes too, so the last bytes may find no space. */
    private static void fill(final Path file)
    {
        try
        {
            Files.write(file, new byte[(int)file.getParent().toFile().getUsableSpace()]);
        }
        catch (final IOException ex)
        {
            assertTrue(ex.getMessage().contains("No space left"), ex.getMessage());
        }
    }

    private static int run(final String... command) throws IOException, InterruptedException
    {
        final Process process = new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        return process.waitFor(10, TimeUnit.SECONDS) ? process.exitValue() : -1;
    }
}
