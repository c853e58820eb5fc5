package io.escapement.perf.rig;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Image;
import io.aeron.Subscription;
import io.aeron.archive.Archive;
import io.aeron.archive.ArchiveThreadingMode;
import io.aeron.archive.ArchivingMediaDriver;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.status.RecordingPos;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.ControlledFragmentHandler;
import java.nio.file.Path;
import java.util.UUID;
import org.agrona.IoUtil;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.status.CountersReader;

/**
 * Bare Aeron with an Archive, the peer of an engine with a journal: a message is sent back when the archive has
 * recorded it, and synced it if the journal does. One thread, which also invokes driver and archive.
 */
public final class ArchiveServer implements Agent
{
    private static final int RECORDED_STREAM_ID = 3;
    private static final String RECORDED_CHANNEL = "aeron:ipc?term-length=16m";
    private static final String CONTROL_CHANNEL = "aeron:ipc?term-length=64k";
    private static final int SEGMENT_LENGTH = 64 * 1024 * 1024;

    private final AgentInvoker driver;
    private final AgentInvoker conductor;
    private final AgentInvoker archive;
    private final Subscription requests;
    private final ControlledFragmentHandler onRequest;
    private final Image recorded;
    private final ControlledFragmentHandler onRecorded;
    private final CountersReader counters;
    private final int recordedPosition;

    private ArchiveServer(final ArchivingMediaDriver host, final AeronArchive client, final DurablePlan plan)
    {
        final Aeron aeron = client.context().aeron();
        driver = host.mediaDriver().sharedAgentInvoker();
        conductor = aeron.conductorAgentInvoker();
        archive = host.archive().invoker();
        counters = aeron.countersReader();
        requests = aeron.addSubscription(BareServer.requestChannel(plan), BareServer.REQUEST_STREAM_ID);
        final ExclusivePublication log = client.addRecordedExclusivePublication(RECORDED_CHANNEL, RECORDED_STREAM_ID);
        final Subscription ownLog = aeron.addSubscription(RECORDED_CHANNEL, RECORDED_STREAM_ID);
        onRequest = sendOn(log);
        onRecorded = sendOn(
            aeron.addExclusivePublication(BareServer.replyChannel(plan), BareServer.REPLY_STREAM_ID));
        int counterId = CountersReader.NULL_COUNTER_ID;
        while (CountersReader.NULL_COUNTER_ID == counterId || !ownLog.isConnected())
        {
            invoke();
            counterId = RecordingPos.findCounterIdBySession(counters, log.sessionId(), client.archiveId());
        }
        recorded = ownLog.imageAtIndex(0);
        recordedPosition = counterId;
    }

    /**
     * Run until the tool ends this process.
     *
     * @param idle strategy of the thread.
     */
    public static void run(final Control control, final DurablePlan plan, final String idle)
    {
        final Path directory = plan.journal.resolve("escapement-perf-" + UUID.randomUUID());
        final int syncLevel = DurablePlan.SYNCED.equals(plan.durability) ? 1 : 0;
        try (ArchivingMediaDriver host = ArchivingMediaDriver.launch(
            PerfDriver.context(plan.directory, ThreadingMode.INVOKER, idle),
            new Archive.Context()
                .archiveDir(directory.toFile())
                .controlChannel("aeron:udp?endpoint=" + plan.archiveEndpoint())
                .replicationChannel("aeron:udp?endpoint=127.0.0.1:0")
                .recordingEventsEnabled(false)
                .segmentFileLength(SEGMENT_LENGTH)
                .fileSyncLevel(syncLevel)
                .catalogFileSyncLevel(syncLevel)
                .threadingMode(ArchiveThreadingMode.INVOKER));
            Aeron aeron = PerfDriver.connect(plan.directory, host.mediaDriver().sharedAgentInvoker());
            AeronArchive client = AeronArchive.connect(new AeronArchive.Context()
                .aeron(aeron)
                .agentInvoker(host.archive().invoker())
                .controlRequestChannel(CONTROL_CHANNEL)
                .controlResponseChannel(CONTROL_CHANNEL)))
        {
            BareServer.run(control, plan, idle, new ArchiveServer(host, client, plan));
        }
        finally
        {
            IoUtil.delete(directory.toFile(), true);
        }
    }

    @Override
    public int doWork()
    {
        int work = invoke() + requests.controlledPoll(onRequest, BareServer.REPLY_LIMIT);
        // The archive records the message just offered, so that it does not wait for a turn.
        work += archive.invoke();
        final int sent = recorded.boundedControlledPoll(
            onRecorded, counters.getCounterValue(recordedPosition), Integer.MAX_VALUE);
        if (0 != sent)
        {
            PerfDriver.invoke(driver, 1);
        }
        return work + sent;
    }

    @Override
    public String roleName()
    {
        return "archive-server";
    }

    private int invoke()
    {
        return PerfDriver.invoke(driver) + conductor.invoke() + archive.invoke();
    }

    private static ControlledFragmentHandler sendOn(final ExclusivePublication publication)
    {
        return (buffer, offset, length, header) -> publication.offer(buffer, offset, length) < 0 ?
            ControlledFragmentHandler.Action.ABORT : ControlledFragmentHandler.Action.CONTINUE;
    }
}
