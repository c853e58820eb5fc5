package io.escapement.cluster;

import io.escapement.codecs.trunk.TrunkCode;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Three processes of which two are gone, or one has no space on its disk. Only in full: 40 s. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class DegradedGroupTest
{
    private static final int ANSWERS = 100;
    private static final long WITHOUT_MAJORITY_NS = TimeUnit.SECONDS.toNanos(3);
    /**
     * The timeout of a heartbeat is 0.3 s. A leader that waits for a snapshot does not notice, and leaves after twice
     * the timeout of a session.
     */
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
        assumeTrue(Tests.isFull(), "the full tests");
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
        final Set<Integer> codes = cluster.clients.disconnectCodes();
        assertTrue(codes.contains(TrunkCode.NOT_LEADING.value()) ||
            codes.contains(TrunkCode.ENGINE_STOPPING.value()), codes::toString);
        final long known = cluster.clients.known();
        cluster.playFor(WITHOUT_MAJORITY_NS);
        assertEquals(known, cluster.clients.known(), "messages that were answered without a majority");
        cluster.start(one);
        cluster.play(ANSWERS);
        cluster.start(other);
        cluster.awaitCaughtUp();
        cluster.compareStates();
        cluster.audit();
    }

    /** A follower's disk: the node ends, is started again and again, and the others go on. */
    @Test
    void shouldGoOnWithoutTheNodeWhoseDiskIsFull() throws IOException, InterruptedException
    {
        assumeTrue(Tests.isFull(), "the full tests");
        final int full = 1;
        mounted = Files.createDirectories(directory.resolve("node" + full));
        assumeTrue(0 == run("mount", "-t", "tmpfs", "-o", "size=6m", "tmpfs", mounted.toString()),
            "only root can mount a tmpfs");
        cluster = new ProcessCluster(directory);
        cluster.play(ANSWERS);
        cluster.awaitCaughtUp();
        fill(mounted.resolve("ballast"));
        cluster.await(() -> cluster.ended() > 0, "the node without space to end");
        // Also where it led: another does now.
        cluster.play(ANSWERS);
        Files.delete(mounted.resolve("ballast"));
        assertEquals(0, run("mount", "-o", "remount,size=64m", mounted.toString()));
        cluster.awaitCaughtUp();
        cluster.compareStates();
        cluster.audit();
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
