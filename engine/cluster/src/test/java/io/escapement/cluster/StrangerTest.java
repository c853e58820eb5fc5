package io.escapement.cluster;

import io.aeron.Aeron;
import io.aeron.archive.client.AeronArchive;
import io.aeron.archive.client.ArchiveException;
import io.aeron.archive.codecs.SourceLocation;
import io.aeron.cluster.client.AeronCluster;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.exceptions.AeronException;
import io.aeron.exceptions.TimeoutException;
import io.aeron.protocol.SetupFlyweight;
import io.aeron.security.CredentialsSupplier;
import io.escapement.driver.DriverDirectory;
import io.escapement.testsupport.RealTime;
import io.escapement.testsupport.Tests;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Three nodes with a key, and a stranger on their network who tries every door. */
@RealTime("elections of three nodes, and the timeouts of a client that gets no answer")
class StrangerTest
{
    private static final int NODES = 3;
    private static final int NUMBERS = 30;
    private static final long ANSWER_NS = TimeUnit.MILLISECONDS.toNanos(700);
    private static final byte[] KEY = "a key that members have, and who else".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] OTHER_KEY = "a key that no member has, but another".getBytes(StandardCharsets.US_ASCII);
    private static final String CHANNEL = "aeron:udp?endpoint=127.0.0.1:40123";
    private static final int STREAM_ID = 77;

    @TempDir
    Path directory;

    private final String members = TestNode.members(NODES);
    private final LedgerClient client = new LedgerClient();
    private final List<TestNode> nodes = new ArrayList<>();
    private final MemberKey key = new MemberKey(KEY);
    private MediaDriver driver;
    private Aeron aeron;

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(aeron, driver);
        nodes.forEach(TestNode::closeAfterFaults);
    }

    @Test
    void shouldOpenNoDoorToAStranger() throws IOException
    {
        for (int i = 0; i < NODES; i++)
        {
            nodes.add(new TestNode(options(i), TestNode.Game.of(LedgerRoom.type(), 1, client)));
        }
        driver = MediaDriver.launch(new MediaDriver.Context().aeronDirectoryName(DriverDirectory.temporary())
            .threadingMode(ThreadingMode.SHARED).dirDeleteOnShutdown(true).termBufferSparseFile(true));
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName())
            .errorHandler((ex) -> { }));
        send();
        for (int i = 0; i < NODES; i++)
        {
            shouldRefuseAtTheArchive(options(i).archiveEndpoint());
            shouldLetAMemberReadOnly(options(i).archiveEndpoint());
            shouldRefuseAtTheIngress(members.split(",")[i]);
        }
        shouldTakeNoPacketsOfOtherAddresses();
        send();
        shouldFillMembersOnly();
        nodes.forEach((node) -> assertTrue(node.engine().isAlive()));
    }

    private void shouldRefuseAtTheArchive(final String endpoint)
    {
        // The door itself is where a stranger does not look for it.
        assertThrows(TimeoutException.class, () -> connect(endpoint, 10, null), "the usual stream");
        final int streamId = key.streamId("archive");
        for (final CredentialsSupplier credentials : new CredentialsSupplier[] {
            null, new MemberKey(null), new MemberKey(OTHER_KEY), new Overheard()})
        {
            final ArchiveException refusal =
                assertThrows(ArchiveException.class, () -> connect(endpoint, streamId, credentials));
            assertTrue(refusal.getMessage().contains("reject"), refusal.getMessage());
        }
    }

    private void shouldLetAMemberReadOnly(final String endpoint)
    {
        try (AeronArchive archive = connect(endpoint, key.streamId("archive"), key))
        {
            final WrittenLog log = WrittenLog.find(context(endpoint, key.streamId("archive"), key));
            assertTrue(log.endPosition() > 0);
            final long recordingId = archive.findLastMatchingRecording(0, "", 100, 0);
            final List<Consumer<AeronArchive>> requests = List.of(
                (to) -> to.startRecording(CHANNEL, STREAM_ID, SourceLocation.REMOTE),
                (to) -> to.extendRecording(recordingId, CHANNEL, STREAM_ID, SourceLocation.REMOTE),
                (to) -> to.stopRecording(CHANNEL, STREAM_ID),
                (to) -> to.stopRecording(0L),
                (to) -> to.tryStopRecordingByIdentity(0),
                (to) -> to.truncateRecording(0, 0),
                (to) -> to.purgeSegments(0, 0),
                (to) -> to.purgeRecording(0),
                (to) -> to.detachSegments(0, 0),
                (to) -> to.deleteDetachedSegments(0),
                (to) -> to.attachSegments(0),
                (to) -> to.migrateSegments(0, 1),
                (to) -> to.replicate(0, Aeron.NULL_VALUE, 10, "aeron:udp?endpoint=127.0.0.1:1", ""),
                (to) -> to.stopReplication(1),
                (to) -> to.stopAllReplays(0),
                (to) -> to.updateChannel(0, CHANNEL));
            for (final Consumer<AeronArchive> request : requests)
            {
                final ArchiveException refusal = assertThrows(ArchiveException.class, () -> request.accept(archive));
                assertEquals(ArchiveException.UNAUTHORISED_ACTION, refusal.errorCode(), refusal.getMessage());
            }
            // Aeron's client reports the refusal to its error handler only, and waits.
            assertThrows(AeronException.class, () -> archive.listRecordingSubscriptions(
                0, 1, "", 0, false, (control, correlation, subscription, stream, channel) -> { }));
        }
    }

    private void shouldRefuseAtTheIngress(final String endpoint)
    {
        for (final CredentialsSupplier credentials : new CredentialsSupplier[] {new MemberKey(null), key})
        {
            assertThrows(AeronException.class, () -> AeronCluster.connect(new AeronCluster.Context()
                .aeron(aeron).ownsAeronClient(false).ingressChannel("aeron:udp?endpoint=" + endpoint)
                .ingressStreamId(key.streamId("ingress")).egressChannel("aeron:udp?endpoint=127.0.0.1:0")
                .messageTimeoutNs(ANSWER_NS).credentialsSupplier(credentials)).close());
        }
    }

    /** Members are at 127.0.0.1, and this comes from another address. */
    private void shouldTakeNoPacketsOfOtherAddresses() throws IOException
    {
        try (DatagramChannel socket = DatagramChannel.open().bind(new InetSocketAddress("127.0.0.2", 0)))
        {
            final ByteBuffer packet = ByteBuffer.allocate(SetupFlyweight.HEADER_LENGTH);
            final SetupFlyweight setup = new SetupFlyweight(new UnsafeBuffer(packet));
            setup.streamId(key.streamId("archive")).sessionId(1).termLength(64 * 1_024).mtuLength(1_408)
                .frameLength(SetupFlyweight.HEADER_LENGTH).headerType(SetupFlyweight.HDR_TYPE_SETUP);
            final String[] endpoint = options(0).archiveEndpoint().split(":");
            final InetSocketAddress to =
                new InetSocketAddress(InetAddress.getByName(endpoint[0]), Integer.parseInt(endpoint[1]));
            final long before = refusedPackets();
            Tests.await(() ->
            {
                send(socket, packet.clear(), to);
                return refusedPackets() > before;
            }, "a packet to be refused");
        }
    }

    private static void send(final DatagramChannel socket, final ByteBuffer packet, final InetSocketAddress to)
    {
        try
        {
            socket.send(packet, to);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private long refusedPackets()
    {
        return nodes.get(0).count("packets that the guards refused");
    }

    private void shouldFillMembersOnly()
    {
        final int lost = 1;
        nodes.get(lost).close();
        IoUtil.delete(directory.resolve("node" + lost).toFile(), false);
        final IllegalStateException failure = assertThrows(IllegalStateException.class,
            () -> ClusterLog.fill(options(lost).key(OTHER_KEY), 2 * ANSWER_NS));
        assertTrue(failure.getMessage().contains("no node that leads has answered"), failure.getMessage());
        assertTrue(ClusterLog.fill(options(lost), TimeUnit.MINUTES.toNanos(1)) > 0);
        nodes.set(lost, new TestNode(options(lost), TestNode.Game.of(LedgerRoom.type(), 1, client)));
        send();
    }

    private ClusterOptions options(final int member)
    {
        return TestNode.options(directory, members, member).key(KEY);
    }

    private AeronArchive connect(final String endpoint, final int streamId, final CredentialsSupplier credentials)
    {
        return AeronArchive.connect(context(endpoint, streamId, credentials));
    }

    private AeronArchive.Context context(
        final String endpoint, final int streamId, final CredentialsSupplier credentials)
    {
        final AeronArchive.Context context = new AeronArchive.Context().aeron(aeron).ownsAeronClient(false)
            .controlRequestChannel("aeron:udp?term-length=64k|endpoint=" + endpoint)
            .controlRequestStreamId(streamId)
            .controlResponseChannel("aeron:udp?term-length=64k|endpoint=127.0.0.1:0")
            .messageTimeoutNs(ANSWER_NS);
        return null == credentials ? context : context.credentialsSupplier(credentials);
    }

    /** Numbers that the group acknowledges. */
    private void send()
    {
        final long target = client.acknowledged() + NUMBERS;
        Tests.await(() ->
        {
            nodes.stream().filter(TestNode::isLeader).map(TestNode::ledger).filter((room) -> null != room).findFirst()
                .ifPresent(client::send);
            return client.acknowledged() >= target;
        }, "the group to answer");
    }

    /** Knows what a member has said, and has no key. */
    private final class Overheard implements CredentialsSupplier
    {
        @Override
        public byte[] encodedCredentials()
        {
            return key.encodedCredentials();
        }

        @Override
        public byte[] onChallenge(final byte[] challenge)
        {
            return key.onChallenge(new byte[challenge.length]);
        }
    }
}
