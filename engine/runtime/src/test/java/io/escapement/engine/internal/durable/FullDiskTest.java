package io.escapement.engine.internal.durable;

import io.escapement.rooms.host.HostImage;
import io.escapement.rooms.host.RoomHost;
import io.escapement.testsupport.RealTime;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.SystemNanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** A real file system that is full: a tmpfs of a few megabytes, which only root can mount. Budget: 1 s. */
@RealTime("a full disk")
class FullDiskTest
{
    private static final int LOOP = JournalProposer.LOOP;
    private static final int ROOMS = 64;
    private static final int STATE_LENGTH = 32 * 1_024;

    @TempDir
    Path directory;

    private final List<Throwable> errors = new ArrayList<>();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[JournalProposer.LENGTH_LIMIT]);
    private long committed;

    @BeforeEach
    void mount() throws Exception
    {
        assumeTrue(0 == run("mount", "-t", "tmpfs", "-o", "size=3m,mode=700", "tmpfs", directory.toString()),
            "only root can mount a tmpfs");
    }

    @AfterEach
    void unmount() throws Exception
    {
        run("umount", directory.toString());
    }

    /** A segment and its spare take 2 of 3 MiB, and the snapshot of 2 MiB does not fit. */
    @Test
    void shouldGoOnWithoutASnapshotAndStopAtTheEndOfASegment() throws Exception
    {
        final RoomHost host = SteppedJournal.host(ROOMS, STATE_LENGTH);
        try (Journal journal = Journal.open(options(), SystemNanoClock.INSTANCE, errors::add))
        {
            final JournalLog log = start(journal);
            final JournalAgent agent = journal.agent();
            propose(log, agent, 100);
            snapshot(host, log, agent);
            assertEquals(1, log.failedSnapshots());
            assertTrue(errors.get(0).getMessage().contains("No space left"), () -> "" + errors);
            assertNull(log.failure());
            propose(log, agent, 100);
            assertEquals(200, committed);
            while (null == log.failure())
            {
                propose(log, agent, 1);
            }
            assertTrue(committed > 1_000, () -> "two segments hold more than " + committed);
            assertEquals(CommitLog.FAILED, log.propose(message, 0, JournalProposer.length(1)));
        }
        assertEquals(0, run("mount", "-o", "remount,size=16m", directory.toString()));
        errors.clear();
        try (Journal journal = Journal.open(options(), SystemNanoClock.INSTANCE, errors::add))
        {
            final JournalLog log = start(journal);
            final JournalAgent agent = journal.agent();
            assertTrue(log.nextNumber() > committed, () -> log.nextNumber() + " after " + committed);
            propose(log, agent, 3_000);
            snapshot(host, log, agent);
            assertEquals(1, log.completedSnapshots(), () -> "" + errors);
            assertEquals(List.of(), errors);
        }
    }

    private static void snapshot(final RoomHost host, final JournalLog log, final JournalAgent agent)
    {
        final long before = log.completedSnapshots() + log.failedSnapshots();
        final HostImage image = log.beginSnapshot();
        host.beginImage(image);
        host.fillImage(Long.MAX_VALUE);
        log.endSnapshot();
        while (before == log.completedSnapshots() + log.failedSnapshots())
        {
            agent.doWork();
        }
    }

    private void propose(final JournalLog log, final JournalAgent agent, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            final long number = log.nextNumber();
            JournalProposer.put(message, number);
            if (log.propose(message, 0, JournalProposer.length(number)) < 0)
            {
                i--;
                if (null != log.failure())
                {
                    return;
                }
            }
            agent.doWork();
            log.poll((position, buffer, offset, length) -> committed++, Integer.MAX_VALUE);
        }
    }

    private JournalLog start(final Journal journal)
    {
        try (RecoveredLoop recovered = journal.recover(LOOP, SteppedJournal.header(0)))
        {
            return journal.start(LOOP, recovered, SteppedJournal.header(0));
        }
    }

    private JournalSettings options()
    {
        // Tails elsewhere: memory that is mapped on a full tmpfs fails where it is stored to.
        return JournalProposer.options(directory.resolve("journal"), true, null);
    }

    private static int run(final String... command) throws IOException, InterruptedException
    {
        final Process process = new ProcessBuilder(command).redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
        return process.waitFor(10, TimeUnit.SECONDS) ? process.exitValue() : -1;
    }
}
