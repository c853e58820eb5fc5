package io.escapement.cluster;

import io.escapement.codecs.room.MessageHeaderDecoder;
import io.escapement.codecs.room.ProposalDecoder;
import io.escapement.engine.spi.ReplicatedLog;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.zip.CRC32C;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.status.AtomicCounter;

/** A log that shows the snapshots of its node to a test. */
record ChecksummedLog(ReplicatedLog log, Consumer<Snapshot> snapshots) implements ReplicatedLog
{
    /** The state of a loop behind a proposal. All nodes have the same. */
    record Snapshot(int loop, long lastProposal, long checksum)
    {
        /** Loop, proposal and checksum, with spaces between. */
        String text()
        {
            return loop + " " + lastProposal + " " + Long.toHexString(checksum);
        }
    }

    private static final int MAX_LOOPS = 16;

    @Override
    public Node join(final int loops, final Receiver receiver)
    {
        return log.join(loops, new Checksummed(receiver, snapshots));
    }

    @Override
    public boolean isSynced()
    {
        return log.isSynced();
    }

    @Override
    public long memoryLength(final Path directory)
    {
        return log.memoryLength(directory);
    }

    private static final class Checksummed implements ReplicatedLog.Receiver
    {
        private final MessageHeaderDecoder header = new MessageHeaderDecoder();
        private final ProposalDecoder proposal = new ProposalDecoder();
        private final Receiver receiver;
        private final Consumer<Snapshot> snapshots;
        private final long[] lastByLoop = new long[MAX_LOOPS];

        Checksummed(final Receiver receiver, final Consumer<Snapshot> snapshots)
        {
            this.receiver = receiver;
            this.snapshots = snapshots;
        }

        @Override
        public AtomicCounter counter(final String label, final boolean isGauge)
        {
            return receiver.counter(label, isGauge);
        }

        @Override
        public void onCommitted(
            final int incarnation, final DirectBuffer buffer, final int offset, final int length)
        {
            if (ProposalDecoder.TEMPLATE_ID == header.wrap(buffer, offset).templateId())
            {
                proposal.wrapAndApplyHeader(buffer, offset, header);
                lastByLoop[proposal.loop()] = proposal.proposal();
            }
            receiver.onCommitted(incarnation, buffer, offset, length);
        }

        @Override
        public void onLeading(final int incarnation)
        {
            receiver.onLeading(incarnation);
        }

        @Override
        public void onFollowing(final int leaderMemberId)
        {
            receiver.onFollowing(leaderMemberId);
        }

        @Override
        public void onSnapshot(final SnapshotSink sink)
        {
            receiver.onSnapshot((loop, buffer, offset, length) ->
            {
                final CRC32C checksum = new CRC32C();
                final ByteBuffer bytes = ByteBuffer.allocate(length);
                buffer.getBytes(offset, bytes, length);
                checksum.update(bytes.flip());
                snapshots.accept(new Snapshot(loop, lastByLoop[loop], checksum.getValue()));
                sink.append(loop, buffer, offset, length);
            });
        }

        @Override
        public void onFailed(final Throwable cause)
        {
            receiver.onFailed(cause);
        }

        @Override
        public String failedAt()
        {
            return receiver.failedAt();
        }

        @Override
        public Throwable failure()
        {
            return receiver.failure();
        }
    }
}
