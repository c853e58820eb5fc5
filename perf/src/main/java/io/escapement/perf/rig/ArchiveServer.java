package io.escapement.perf.rig;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.ArchivingMediaDriver;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.status.RecordingPos;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.ControlledFragmentHandler;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.DirectBuffer;
import org.agrona.IoUtil;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersReader;

/**
 * Bare Aeron with an Archive, the peer of an engine with a journal: a message is sent back when the archive has
 * recorded it, and synced it if the journal does. One thread, which invokes driver and archive too.
 */
public final class ArchiveServer
{
    private static final int FRAGMENT_LIMIT = 16;
    private static final int RECORDED_STREAM_ID = 3;
    private static final String RECORDED_CHANNEL = "aeron:ipc?term-length=16m";
    private static final int SEGMENT_LENGTH = 64 * 1024 * 1024;
    /** Messages that wait for the archive, a power of two. */
    private static final int PENDING = 4_096;

    private final ArchivingMediaDriver driver;
    private final Aeron aeron;
    private final Subscription requests;
    private final ExclusivePublication replies;
    private final ExclusivePublication recorded;
    private final CountersReader counters;
    private final int recordedPosition;
    private final ControlledFragmentHandler handler =
        (buffer, offset, length, header) -> onRequest(buffer, offset, length);
    private final UnsafeBuffer[] pending = new UnsafeBuffer[PENDING];
    private final long[] positions = new long[PENDING];
    private final int[] lengths = new int[PENDING];
    private long first;
    private long next;

    private ArchiveServer(
        final ArchivingMediaDriver driver,
        final Aeron aeron,
        final AeronArchive archive,
        final String requestChannel,
        final String replyChannel,
        final int maxLength)
    {
        this.driver = driver;
        this.aeron = aeron;
        requests = aeron.addSubscription(requestChannel, LoopbackServer.REQUEST_STREAM_ID);
        replies = aeron.addExclusivePublication(replyChannel, LoopbackServer.REPLY_STREAM_ID);
        recorded = archive.addRecordedExclusivePublication(RECORDED_CHANNEL, RECORDED_STREAM_ID);
        counters = aeron.countersReader();
        recordedPosition = awaitRecording(archive);
        for (int i = 0; i < PENDING; i++)
        {
            pending[i] = new UnsafeBuffer(new byte[maxLength]);
        }
    }

    /**
     * Run until the tool ends this process.
     *
     * @param isSynced  whether the archive syncs before an answer.
     * @param idle      strategy of the thread.
     * @param maxLength of a message.
     */
    public static void run(
        final Control control,
        final DurablePlan plan,
        final boolean isSynced,
        final String idle,
        final String requestChannel,
        final String replyChannel,
        final int maxLength)
    {
        Path directory = null;
        try
        {
            directory = Files.createTempDirectory(plan.journal, "escapement-perf-");
            final int syncLevel = isSynced ? 1 : 0;
            try (ArchivingMediaDriver driver = ArchivingMediaDriver.launch(
                PerfDriver.context(plan.directory, ThreadingMode.INVOKER, idle).spiesSimulateConnection(false),
                new Archive.Context()
                    .aeronDirectoryName(plan.directory)
                    .archiveDir(directory.toFile())
                    .controlChannel("aeron:udp?endpoint=" + plan.archiveEndpoint())
                    .replicationChannel("aeron:udp?endpoint=127.0.0.1:0")
                    .recordingEventsEnabled(false)
                    .segmentFileLength(SEGMENT_LENGTH)
                    .fileSyncLevel(syncLevel)
                    .catalogFileSyncLevel(syncLevel)
                    .threadingMode(ArchiveThreadingMode.INVOKER));
                Aeron aeron = PerfDriver.connect(plan.directory, driver.mediaDriver().sharedAgentInvoker());
                AeronArchive archive = AeronArchive.connect(new AeronArchive.Context()
                    .aeron(aeron)
                    .agentInvoker(driver.archive().invoker())
                    .controlRequestChannel("aeron:ipc?term-length=64k")
                    .controlResponseChannel("aeron:ipc?term-length=64k")))
            {
                final ArchiveServer server =
                    new ArchiveServer(driver, aeron, archive, requestChannel, replyChannel, maxLength);
                final Thread thread = new Thread(() -> server.serve(PerfDriver.idle(idle, control)), "archive-server");
                thread.start();
                control.send(Control.READY);
                control.serve(plan, () -> { }, Measurements::new);
                thread.interrupt();
                thread.join();
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        finally
        {
            if (null != directory)
            {
                IoUtil.delete(directory.toFile(), true);
            }
        }
    }

    private int awaitRecording(final AeronArchive archive)
    {
        int counterId = CountersReader.NULL_COUNTER_ID;
        while (CountersReader.NULL_COUNTER_ID == counterId)
        {
            invoke();
            counterId = RecordingPos.findCounterIdBySession(counters, recorded.sessionId(), archive.archiveId());
        }
        return counterId;
    }

    private void serve(final IdleStrategy idle)
    {
        while (!Thread.currentThread().isInterrupted())
        {
            int work = invoke();
            work += requests.controlledPoll(handler, FRAGMENT_LIMIT);
            // The archive records what has just been offered, so that it waits no turn.
            work += driver.archive().invoker().invoke();
            work += answer();
            idle.idle(work);
        }
    }

    private int invoke()
    {
        return PerfDriver.invoke(driver.mediaDriver().sharedAgentInvoker()) + aeron.conductorAgentInvoker().invoke() +
            driver.archive().invoker().invoke();
    }

    private ControlledFragmentHandler.Action onRequest(final DirectBuffer buffer, final int offset, final int length)
    {
        if (next - first >= PENDING)
        {
            return ControlledFragmentHandler.Action.ABORT;
        }
        final long position = recorded.offer(buffer, offset, length);
        if (position < 0)
        {
            return ControlledFragmentHandler.Action.ABORT;
        }
        final int slot = (int)next & PENDING - 1;
        pending[slot].putBytes(0, buffer, offset, length);
        lengths[slot] = length;
        positions[slot] = position;
        next++;
        return ControlledFragmentHandler.Action.CONTINUE;
    }

    private int answer()
    {
        final long upTo = counters.getCounterValue(recordedPosition);
        int sent = 0;
        while (first < next)
        {
            final int slot = (int)first & PENDING - 1;
            if (positions[slot] > upTo || replies.offer(pending[slot], 0, lengths[slot]) < 0)
            {
                break;
            }
            first++;
            sent++;
        }
        if (0 != sent)
        {
            PerfDriver.invoke(driver.mediaDriver().sharedAgentInvoker(), 1);
        }
        return sent;
    }
}
